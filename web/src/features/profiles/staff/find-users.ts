import { useMutation } from '@tanstack/react-query';
import { findTerm, findTermsIn, findTermsMax, findUsers } from '#contract/profiles/find.ts';
import type { ListedUser } from '#contract/profiles/user.ts';
import { call } from '../../../api/call.ts';
import { completeListed } from '../complete-user.ts';

/**
 * The terms in `text` if it names people by address or id: all addresses in pasted text such as the header of an email,
 * or ids alone. Null for a name, which the list is searched for.
 */
export function termsToFind(text: string): string[] | null {
  const inText = findTermsIn(text);
  if (inText.some((term) => findTerm(term)?.kind === 'address')) return inText;
  const parts = text.split(/[\s,;]+/).filter((part) => part !== '');
  return parts.length > 0 && parts.every((part) => findTerm(part) !== null) ? inText : null;
}

/** Whether `text` has an email address or a part of one, which must not get into the page's URL. */
export const hasAddress = (text: string): boolean => text.includes('@');

/** The people found by address or id, the terms that found no one, and how many more addresses may be looked up. */
export interface Found {
  users: ListedUser[];
  notFound: string[];
  remaining: number | null;
  /** Terms beyond those that are looked up at once. */
  leftOut: number;
}

/** Finds users by address or id. The terms are sent in the body, and nothing is kept once the page is left. */
export function useFindUsers() {
  return useMutation({
    mutationFn: async (given: readonly string[]): Promise<Found> => {
      const terms = given.slice(0, findTermsMax);
      const { found, notFound, remaining } = (await call(findUsers, { body: { terms: [...terms] } })).data;
      const users = new Map(found.map(({ user }) => [user._id, completeListed(user)]));
      return {
        users: [...users.values()],
        notFound: notFound.flatMap((at) => terms[at] ?? []),
        remaining,
        leftOut: given.length - terms.length,
      };
    },
    gcTime: 0,
  });
}
