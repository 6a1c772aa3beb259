import { ageBuckets } from '#contract/constants.ts';
import { ageBand } from '../../server/src/features/discovery/score/score.ts';
import type { Scene } from './market.ts';
import { both, bothSides, men, type Side, weekDays, women } from './members.ts';
import type { Tally } from './tally.ts';

/** A share in percent with what it is a share of, so that shares of several seeds can be combined. */
export interface Share {
  part: number;
  whole: number;
}

export const percent = ({ part, whole }: Share): number => (whole === 0 ? 0 : (100 * part) / whole);

export const mean = (values: readonly number[]): number =>
  values.reduce((sum, value) => sum + value, 0) / Math.max(1, values.length);

/** The sample's standard deviation; 0 of a single value. */
export function spread(values: readonly number[]): number {
  const middle = mean(values);
  return Math.sqrt(values.reduce((sum, value) => sum + (value - middle) ** 2, 0) / Math.max(1, values.length - 1));
}

/** The figures of a season. */
export interface Figures {
  matchesPer100Cards: number;
  /** Matches that become conversations of six messages. */
  conversationsPer100Cards: number;
  /** Member-weeks with at least one match, of members there from the week's first day on who visited at least once in it. */
  coverage: Share;
  coverageBySegment: Record<string, Share>;
  giniMen: number;
  giniWomen: number;
  likesUnread: Share;
  /** The percentage of impressions of the fifth of members with the fewest. */
  lowestFifth: number;
  newMatched: Share;
}

/** The Gini coefficient: 0 when all have the same, near 1 when one has everything. */
export function gini(values: readonly number[]): number {
  const sorted = values.toSorted((one, other) => one - other);
  const total = sorted.reduce((sum, value) => sum + value, 0);
  const ranked = sorted.reduce((sum, value, place) => sum + (place + 1) * value, 0);
  return total === 0 ? 0 : (2 * ranked) / (sorted.length * total) - (sorted.length + 1) / sorted.length;
}

/** The lowest fifth's percentage of the total. */
export function lowestFifth(values: readonly number[]): number {
  const sorted = values.toSorted((one, other) => one - other);
  const total = sorted.reduce((sum, value) => sum + value, 0);
  const lowest = sorted.slice(0, Math.floor(sorted.length / 5)).reduce((sum, value) => sum + value, 0);
  return total === 0 ? 0 : (100 * lowest) / total;
}

/** Adds up shares with the same name. */
export function added(all: readonly Record<string, Share>[]): Record<string, Share> {
  const sums: Record<string, Share> = {};
  for (const shares of all) {
    for (const [name, { part, whole }] of Object.entries(shares)) {
      const sum = sums[name] ?? { part: 0, whole: 0 };
      sums[name] = { part: sum.part + part, whole: sum.whole + whole };
    }
  }
  return sums;
}

const members = ({ sides }: Scene) =>
  bothSides.flatMap((side) => Array.from({ length: sides[side].count }, (_, i) => ({ side, i })));

/** The gender and age band of a member, as text. */
export function segmentName({ sides }: Scene, side: Side, i: number): string {
  return `${side === men ? 'men' : 'women'} ${ageBuckets[ageBand(sides[side].age[i] ?? 0)]?.bucket}`;
}

/** Member after member, whether they visited in each week. */
function visitsOf({ sides, sessions }: Scene, weeks: number): [Uint8Array, Uint8Array] {
  const visits = both((side) => new Uint8Array(sides[side].count * weeks));
  for (const { side, member, at } of sessions) visits[side][member * weeks + Math.floor((at - 1) / weekDays)] = 1;
  return visits;
}

/** Member-weeks with a match by segment: gender × age band. */
export function coverageBySegment(scene: Scene, tally: Tally): Record<string, Share> {
  const shares: Record<string, Share> = {};
  const visits = visitsOf(scene, tally.weeks);
  for (const { side, i } of members(scene)) {
    const share = (shares[segmentName(scene, side, i)] ??= { part: 0, whole: 0 });
    for (let week = 1; week < tally.weeks; week += 1) {
      const index = i * tally.weeks + week;
      if ((scene.sides[side].joinDay[i] ?? 1) > week * weekDays + 1 || visits[side][index] !== 1) continue;
      share.whole += 1;
      share.part += tally.received[side].matchedInWeek[index] ?? 0;
    }
  }
  return shares;
}

/** Those who joined later and stayed for a week, and how many of them had a match within it. */
function newMatched(scene: Scene, tally: Tally): Share {
  const late = members(scene).filter(({ side, i }) => {
    const { joinDay, leaveDay, awayFrom } = scene.sides[side];
    const join = joinDay[i] ?? 1;
    return join > 1 && Math.min(leaveDay[i] ?? 0, awayFrom[i] ?? 0) >= join + weekDays;
  });
  const matched = late.filter(({ side, i }) => {
    const day = tally.received[side].firstMatchDay[i] ?? 0;
    return day > 0 && day < (scene.sides[side].joinDay[i] ?? 1) + weekDays;
  });
  return { part: matched.length, whole: late.length };
}

/** The figures of a season; members who joined later count only in coverage and `newMatched`. */
export function figuresOf(scene: Scene, tally: Tally): Figures {
  const fromTheStart = (side: Side, values: Float64Array) =>
    [...values].filter((_, i) => scene.sides[side].joinDay[i] === 1);
  const segments = coverageBySegment(scene, tally);
  const all = { part: 0, whole: 0 };
  const coverage = added(Object.values(segments).map((share) => ({ all: share })))['all'] ?? all;
  return {
    matchesPer100Cards: (100 * tally.matches) / tally.cards,
    conversationsPer100Cards: (100 * tally.conversations) / tally.cards,
    coverage,
    coverageBySegment: segments,
    giniMen: gini(fromTheStart(men, tally.received[men].likes)),
    giniWomen: gini(fromTheStart(women, tally.received[women].likes)),
    likesUnread: { part: tally.likesSent - tally.likesRead, whole: tally.likesSent },
    lowestFifth: lowestFifth(bothSides.flatMap((side) => fromTheStart(side, tally.received[side].impressions))),
    newMatched: newMatched(scene, tally),
  };
}
