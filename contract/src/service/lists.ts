import * as z from 'zod/mini';
import { answer, endpoint } from '../endpoint.ts';
import { languageSchema } from '../languages.ts';

const entrySchema = z.object({ key: z.string(), words: z.partialRecord(languageSchema, z.string()) });
/** An interest, a group of interests or a prompt: the stored key, and the owner's words by language. */
export type ListEntry = z.output<typeof entrySchema>;

const listsSchema = z.object({
  interests: z.nullable(z.array(z.object({ ...entrySchema.shape, entries: z.array(entrySchema) }))),
  prompts: z.nullable(z.array(entrySchema)),
  /** Entries of the owner that are no longer offered; their words are kept for members who chose them. */
  gone: z.array(z.object({ ...entrySchema.shape, kind: z.enum(['interest', 'prompt']) })),
});
/** The interests and prompts that members choose from, in their order; null for the product's own. */
export type Lists = z.output<typeof listsSchema>;

export const getLists = endpoint({
  method: 'GET',
  path: '/lists',
  summary: 'The interests and prompts of the owner, with their words by language; null for the usual ones.',
  access: 'everyone',
  response: answer({ data: z.object({ lists: listsSchema }) }),
});
