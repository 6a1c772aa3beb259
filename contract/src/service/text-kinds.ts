import * as z from 'zod/mini';

/** The texts that the owner can replace by their own. */
export const textKinds = ['faq', 'privacy', 'terms', 'safety'] as const;
export const textKindSchema = z.enum(textKinds);
export type TextKind = z.output<typeof textKindSchema>;
