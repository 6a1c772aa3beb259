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
          /** The id of the banner, which changes with each edit; a device remembers by it that the banner was closed. */
          id: z.string(),
          kind: z.enum(bannerKinds),
          /** By language; readers of a missing language see the text in the service's first one. */
          text: z.partialRecord(languageSchema, z.string()),
          /** The time relative to this answer, because the clocks of devices differ. */
          startsInMs: z.int(),
          endsInMs: z.int(),
        }),
      ),
    }),
  }),
});
