import * as z from 'zod/mini';
import { answer, endpoint } from '../endpoint.ts';
import { pastedId, pastedValue } from '../pasted.ts';
import { emailSchema, trimmedText } from '../text.ts';
import { listedUserSchema } from './user.ts';

/** How many people can be looked up at once. */
export const findTermsMax = 100;
/** The shortest beginning of an id that is looked up. */
export const idPrefixMin = 6;

/** What a term names: one account by its address or id, or the accounts whose id begins with these characters. */
export type FindTerm = { kind: 'address' | 'id' | 'prefix'; value: string };

const idStart = /^[0-9a-f]{8}(?:-[0-9a-f]{0,4}){0,4}$|^[0-9a-f]{6,8}$/;

/** Reads a term as an email address, an id, the address of a profile, or the beginning of an id; null for anything else, such as a name. */
export function findTerm(text: string): FindTerm | null {
  const id = pastedId(text);
  if (id !== null) return { kind: 'id', value: id };
  const { success: isAddress, data: address } = emailSchema.safeParse(text);
  if (isAddress) return { kind: 'address', value: address };
  const start = pastedValue(text).toLowerCase().replace(/^#/, '');
  // Words of six to eight of these letters can also be names, so only a word with a digit is an id.
  return idStart.test(start) && /\d/.test(start) ? { kind: 'prefix', value: start } : null;
}

export const findUsers = endpoint({
  method: 'POST',
  path: '/admin/users/find',
  summary:
    'Find users by exact email address, id, the first characters of an id (6 at least) or the address of a profile, up to 100 at once. Addresses count against an hourly quota, found or not, unless the role sees addresses. Audited without the addresses.',
  access: 'users.list',
  writes: true,
  body: z.object({ terms: z.array(trimmedText(1, 400)).check(z.minLength(1), z.maxLength(findTermsMax)) }),
  response: answer({
    data: z.object({
      /** `term` is the position of the term; the beginning of an id may find several people. */
      found: z.array(z.object({ term: z.int(), user: listedUserSchema })),
      /** The positions of the terms that found no one. */
      notFound: z.array(z.int()),
      /** How many more addresses the caller may look up within the hour; null without a quota. */
      remaining: z.nullable(z.int()),
    }),
  }),
  errors: ['TOO_MANY_REQUESTS', 'FORBIDDEN'],
});
