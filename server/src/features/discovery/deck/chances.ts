import { deckRules, type Ranked } from './page.ts';

/** The chance that `bell` is at most this: the sum of three uniform draws (Irwin and Hall), scaled to a standard deviation of one. */
export function bellBelow(value: number): number {
  const sum = value / 2 + 1.5;
  if (sum <= 0) return 0;
  if (sum >= 3) return 1;
  const cube = (from: number) => Math.max(0, sum - from) ** 3;
  return (cube(0) - 3 * cube(1) + 3 * cube(2)) / 6;
}

/**
 * The chance that a candidate gets a rank above `threshold` on a day, from its rank without the daily term. With the best rank that was
 * left out as the threshold, that is its chance of being dealt given what was drawn for all others.
 */
export function chanceAbove(threshold: number, base: number): number {
  return 1 - bellBelow((threshold - base) / deckRules.chanceSd);
}

const groupOf = ({ candidate }: Ranked) =>
  candidate.likesViewer ? 'liker' : candidate.isDecoy === true ? 'decoy' : 'other';

/**
 * How likely it was that each dealt card was dealt, by id, given what the day drew for all other candidates. Likers, decoys and others
 * compete among themselves. Null in exploration places, which the daily term doesn't give. The limit for premium isn't considered.
 */
export function dealtChances(
  ranked: readonly Ranked[],
  isExploration: ReadonlyMap<string, boolean>,
  dailyTermOf: (id: string) => number,
): Map<string, number | null> {
  const leftOut = new Map<string, number>();
  for (const one of ranked) {
    if (isExploration.has(one.candidate.id)) continue;
    const group = groupOf(one);
    leftOut.set(group, Math.max(leftOut.get(group) ?? -Infinity, one.rank));
  }
  return new Map(
    ranked.flatMap((one): [string, number | null][] => {
      const { id } = one.candidate;
      const explores = isExploration.get(id);
      if (explores === undefined) return [];
      if (explores) return [[id, null]];
      return [[id, chanceAbove(leftOut.get(groupOf(one)) ?? -Infinity, one.rank - dailyTermOf(id))]];
    }),
  );
}
