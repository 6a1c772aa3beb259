import * as z from 'zod/mini';
import { answer, endpoint } from '../endpoint.ts';
import { type Language, languageSchema } from '../languages.ts';
import { languagesInOrder } from './words.ts';

/** Where the figures on Home come from: the product, the owner's words, or counters. */
export const figureSources = ['usual', 'own', 'live'] as const;

/** What the counters show: the members now, and the new members, matches and conversations of the last thirty days. */
export const liveFigures = ['members', 'joined', 'matches', 'conversations'] as const;
export type LiveFigure = (typeof liveFigures)[number];

/** A figure with the words below it. */
export interface Figure {
  value: string;
  label: string;
}
export type OwnFigures = Partial<Record<Language, Figure[]>>;

/** The owner's figures in the reader's language, or else in the service's first one, or else in any. Empty pairs are left out. */
export const figuresIn = (own: OwnFigures, language: Language): Figure[] =>
  [language, ...languagesInOrder()]
    .map((one) => (own[one] ?? []).filter(({ value }) => value !== ''))
    .find((some) => some.length > 0) ?? [];

export const getFigures = endpoint({
  method: 'GET',
  path: '/figures',
  summary: 'The figures that Home shows: the usual ones, those of the owner, or counts of the roll-up rounded down.',
  access: 'signedIn',
  response: answer({
    data: z.object({
      source: z.enum(figureSources),
      /** Empty unless they are shown. */
      own: z.partialRecord(languageSchema, z.array(z.object({ value: z.string(), label: z.string() }))),
      /** Empty unless they are shown; without those that are too small. */
      live: z.array(z.object({ figure: z.enum(liveFigures), atLeast: z.int() })),
    }),
  }),
});
