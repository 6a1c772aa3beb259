import type { FunnelStep } from '#contract/insights/cohorts.ts';
import { groupsShown, isTooFew } from '#platform/db/small-groups.policy.ts';

/** How many of those who joined in a month reached a step, by gender and by the time since they joined. */
export interface CohortRow {
  month: string;
  step: FunnelStep | 'active';
  gender: string;
  elapsed: number;
  people: number;
}

/** How many people the rows are about for which `counts` is true. */
export const peopleIn = <Row extends { people: number }>(rows: readonly Row[], counts: (row: Row) => boolean): number =>
  rows.filter(counts).reduce((sum, { people }) => sum + people, 0);

/** How many people these rows are about. */
export const allPeopleIn = (rows: readonly { people: number }[]): number => peopleIn(rows, () => true);

/** How many people some rows are about: everyone up to a time since they joined, or those of one gender; null if it is not shown. */
export type Figures = (until: number, gender?: string) => number | null;

/**
 * The figures of one step, of which none is about one to nine people, nor is any difference of them: what is not shown of a time or a gender
 * is hidden together with others. A figure up to a time is shown if the times in it are, or if all that are hidden are in it.
 */
export function figuresOf(rows: readonly CohortRow[]): Figures {
  const cells = rows.map(({ elapsed, gender, people }) => ({ elapsed: String(elapsed), gender, people }));
  const isShown = groupsShown(
    [['elapsed'] as const, ['gender'] as const, ['elapsed', 'gender'] as const].map((names) => ({
      names,
      rows: cells,
      peopleIn: allPeopleIn,
    })),
  );
  const times = [...new Set(rows.map(({ elapsed }) => elapsed))];
  return (until, gender) => {
    const own = gender === undefined ? rows : rows.filter((row) => row.gender === gender);
    const people = peopleIn(own, ({ elapsed }) => elapsed <= until);
    if (own.length === 0) return 0;
    if (isTooFew(people) || (gender !== undefined && !isShown(['gender'], { elapsed: '', gender }))) return null;
    const hidden = times.filter((elapsed) =>
      gender === undefined
        ? !isShown(['elapsed'], { elapsed: String(elapsed), gender: '' })
        : !isShown(['elapsed', 'gender'], { elapsed: String(elapsed), gender }),
    );
    const isPart = hidden.some((elapsed) => elapsed <= until) && hidden.some((elapsed) => elapsed > until);
    return isPart ? null : people;
  };
}
