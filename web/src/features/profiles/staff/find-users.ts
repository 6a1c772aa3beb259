import { plural, t } from '@lingui/core/macro';
import { useMutation } from '@tanstack/react-query';
import { searchMaxLength } from '#contract/constants.ts';
import { pastedWords } from '#contract/pasted.ts';
import { findTerm, findTermsMax, findUsers } from '#contract/profiles/find.ts';
import type { ListedUser } from '#contract/profiles/user.ts';
import { call } from '../../../api/call.ts';
import { completeListed } from '../complete-user.ts';

/**
 * The terms in `text` if it names people by address or id: addresses and whole ids in pasted prose such as the header of an email, in which
 * dates look like the beginning of an id, or terms alone. Null for a name, which is searched for in the list.
 */
export function termsToFind(text: string): string[] | null {
  const words = [...new Set(pastedWords(text))];
  const terms = words.filter((word) => findTerm(word) !== null);
  if (terms.length > 0 && terms.length === words.length) return terms;
  if (!terms.some((term) => findTerm(term)?.kind === 'address')) return null;
  return terms.filter((term) => findTerm(term)?.kind !== 'prefix');
}

/** The terms in pasted text that a one-line field would join or cut off; null if the text fits. */
export function pastedTerms(text: string): string[] | null {
  const terms = termsToFind(text);
  const fits = !text.trim().includes('\n') && text.length <= searchMaxLength;
  return terms === null || (terms.length < 2 && fits) ? null : terms;
}

/** The people found by address or id, the terms that found no one, and how many more addresses may be looked up. */
export interface Found {
  users: ListedUser[];
  notFound: string[];
  remaining: number | null;
  /** Terms beyond the limit of one look-up. */
  leftOut: number;
}

/** The terms without a result, and how many look-ups are left, as texts; null if there is nothing to report. */
export const foundTexts = ({ notFound, remaining }: Found) => ({
  notFound: notFound.length > 0 ? t`Not found: ${{ terms: notFound.join(', ') }}` : null,
  left:
    remaining === null
      ? null
      : t`${plural({ count: remaining }, { one: '# look-up', other: '# look-ups' })} left this hour.`,
});

/** Finds users by address or id. The terms are sent in the body, and nothing is cached once the page is left. */
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
