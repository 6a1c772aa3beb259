import { may } from '#contract/roles.ts';
import { groupsShown, isTooFew } from '#platform/db/small-groups.policy.ts';
import type { Viewer } from '../../profiles/public.ts';

/** How often one colleague decided by one rule in one month; the clause is empty without a rule. */
export interface DecidedRow {
  month: string;
  clause: string;
  person: string;
  decided: number;
}

/**
 * The decisions of the viewer's colleagues. Those of a single colleague count as one group, because they reveal something about that
 * person.
 */
function byColleagues(rows: readonly DecidedRow[], accountId: string): number {
  const others = rows.filter(({ person, decided }) => person !== accountId && decided > 0);
  if (new Set(others.map(({ person }) => person)).size === 1) return 1;
  return others.reduce((all, { decided }) => all + decided, 0);
}

/**
 * Which groups of decisions may have shares and a time, by the dimensions that they name. Leads of the team see all. Others must not be
 * able to derive anything about a single colleague, even by subtracting groups from each other or their own decisions from all.
 */
export function sharesShown(
  rows: readonly DecidedRow[],
  { accountId, staffRole }: Pick<Viewer, 'accountId' | 'staffRole'>,
): (names: readonly ('clause' | 'month')[], values: { clause: string; month: string }) => boolean {
  if (may(staffRole, 'cases.lead')) return () => true;
  const peopleIn = (of: readonly DecidedRow[]) => byColleagues(of, accountId);
  if (isTooFew(peopleIn(rows))) return () => false;
  const groupings: ('clause' | 'month')[][] = [['clause'], ['month'], ['clause', 'month']];
  return groupsShown(groupings.map((names) => ({ names, rows, peopleIn })));
}
