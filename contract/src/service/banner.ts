import * as z from 'zod/mini';
import { answer, endpoint } from '../endpoint.ts';
import { languageSchema } from '../languages.ts';

/** What a banner is about. */
export const bannerKinds = ['news', 'maintenance'] as const;
export type BannerKind = (typeof bannerKinds)[number];

/** Who sees a banner. */
export const bannerAudiences = ['members', 'staff', 'both'] as const;

export const getBanner = endpoint({
  method: 'GET',
  path: '/banner',
  summary: 'The text of the owner above every page of the caller, now or from a moment on; never one for others.',
  access: 'signedIn',
  response: answer({
    data: z.object({
      banner: z.nullable(
        z.object({
          /** Another one after each change of the banner, by which a device remembers that it was closed. */
          id: z.string(),
          kind: z.enum(bannerKinds),
          /** By language; readers of a missing one see the English text. */
          text: z.partialRecord(languageSchema, z.string()),
          /** Counted from this answer, because the clocks of devices differ. */
          startsInMs: z.int(),
          endsInMs: z.int(),
        }),
      ),
    }),
  }),
});
