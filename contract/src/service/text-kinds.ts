import * as z from 'zod/mini';
import { daySchema } from '../text.ts';

/** The texts that the owner can replace by their own. */
export const textKinds = ['faq', 'privacy', 'terms', 'safety'] as const;
export const textKindSchema = z.enum(textKinds);
export type TextKind = z.output<typeof textKindSchema>;

/** A day, with a number from the second version of that day on. Versions are ordered as text. */
export const textVersionSchema = z
  .string()
  .check(
    z.refine(
      (version) =>
        /^.{10}(\.(?:[2-9]|9{1,4}[1-9]))?$/.test(version) && daySchema.safeParse(version.slice(0, 10)).success,
      'This is not a version',
    ),
  );
