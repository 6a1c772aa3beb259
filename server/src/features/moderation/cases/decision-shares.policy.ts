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

/** The decisions of the viewer's colleagues. Those of a single one count as one, because they say something about this colleague. */
function byColleagues(rows: readonly DecidedRow[], accountId: string): number {
  const others = rows.filter(({ person, decided }) => person !== accountId && decided > 0);
  if (new Set(others.map(({ person }) => person)).size === 1) return 1;
  return others.reduce((all, { decided }) => all + decided, 0);
}

/**
 * Which groups of decisions may have shares and a time, by the dimensions that they name. Those who lead the team see all. For others,
 * nothing about a single colleague may follow, also if they subtract groups from each other and their own decisions from all.
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
