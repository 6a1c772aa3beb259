import type { FunnelStep } from '#contract/insights/cohorts.ts';
import { groupsShown, isTooFew } from '#platform/db/small-groups.policy.ts';

/** How many members who joined in a month reached a step, by gender and by the time since they joined. */
export interface CohortRow {
  month: string;
  step: FunnelStep | 'active';
  gender: string;
  elapsed: number;
  people: number;
}

/** The number of people in the rows for which `counts` is true. */
export const peopleIn = <Row extends { people: number }>(rows: readonly Row[], counts: (row: Row) => boolean): number =>
  rows.filter(counts).reduce((sum, { people }) => sum + people, 0);

/** The number of people in these rows. */
export const allPeopleIn = (rows: readonly { people: number }[]): number => peopleIn(rows, () => true);

/** The number of people in some rows: everyone up to a time since they joined, or those of one gender; null if it is hidden. */
export type Figures = (until: number, gender?: string) => number | null;

/**
 * The figures of one step. No figure, and no difference of two, is about one to nine people: a hidden time or gender is always hidden
 * together with others. A figure up to a time is shown if the times in it are, or if it contains all hidden times.
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
