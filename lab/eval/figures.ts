import { ageBuckets } from '#contract/statistics.ts';
import type { Market } from './market.ts';
import { both, bothSides, isMeasured, men, type Side, weekDays, women } from './members.ts';

/** The counts at the start of a season. Everything except first matches is counted only on the measured days. */
export const emptyTally = ({ sides }: Market, weeks: number) => ({
  /** The length of the season in weeks, of which the first is not measured. */
  weeks,
  cards: 0,
  matches: 0,
  /** Matches that became conversations of six messages. */
  conversations: 0,
  /** The number of likes to people who had not yet decided about the sender, and how many of these likes were read by the end. */
  likesSent: 0,
  likesRead: 0,
  /** The likes and matches of each member. */
  received: both((side) =>
    sides[side].map((member) => ({
      ...{ member, likes: 0, matches: 0 },
      /** The weeks with a match, and the first day with one, counted over all days; 0 for none. */
      ...{ matchedIn: new Set<number>(), firstMatchDay: 0 },
    })),
  ),
});
export type Tally = ReturnType<typeof emptyTally>;

/** Records that i on `side` was shown, and whether they were liked. */
export function noteCard(tally: Tally, shown: { side: Side; i: number; liked: boolean }, day: number): void {
  const received = tally.received[shown.side][shown.i];
  if (!isMeasured(day) || received === undefined) return;
  tally.cards += 1;
  if (shown.liked) received.likes += 1;
}

/** Records a match for one of its two members. */
export function noteMatched(tally: Tally, side: Side, i: number, day: number): void {
  const received = tally.received[side][i];
  if (received === undefined) return;
  if (received.firstMatchDay === 0) received.firstMatchDay = day;
  if (!isMeasured(day)) return;
  received.matches += 1;
  received.matchedIn.add(Math.floor((day - 1) / weekDays));
}

/** A share as part and whole, so that shares of several seeds can be combined. */
export interface Share {
  part: number;
  whole: number;
}

export const percent = ({ part, whole }: Share): number => (whole === 0 ? 0 : (100 * part) / whole);
export const added = (shares: readonly Share[]): Share => ({
  part: shares.reduce((sum, { part }) => sum + part, 0),
  whole: shares.reduce((sum, { whole }) => sum + whole, 0),
});

export const mean = (values: readonly number[]): number =>
  values.reduce((sum, value) => sum + value, 0) / Math.max(1, values.length);

/** The sample's standard deviation; 0 of a single value. */
export function spread(values: readonly number[]): number {
  const middle = mean(values);
  return Math.sqrt(values.reduce((sum, value) => sum + (value - middle) ** 2, 0) / Math.max(1, values.length - 1));
}

/** The Gini coefficient: 0 if everyone has the same, near 1 if one person has everything. */
export function gini(values: readonly number[]): number {
  const sorted = values.toSorted((one, other) => one - other);
  const total = sorted.reduce((sum, value) => sum + value, 0);
  const ranked = sorted.reduce((sum, value, place) => sum + (place + 1) * value, 0);
  return total === 0 ? 0 : (2 * ranked) / (sorted.length * total) - (sorted.length + 1) / sorted.length;
}

/** The figures of a season; members who joined later count only in coverage and `newMatched`. */
export function figuresOf(market: Market, tally: Tally) {
  const likesOf = (side: Side) =>
    tally.received[side].filter(({ member }) => member.joinDay === 1).map(({ likes }) => likes);
  return {
    matchesPer100Cards: (100 * tally.matches) / tally.cards,
    /** Matches that become conversations of six messages. */
    conversationsPer100Cards: (100 * tally.conversations) / tally.cards,
    /** The share of member-weeks with a match, among members who joined before the week and visited at least once in it. */
    coverageBySegment: coverageBySegment(market, tally),
    giniMen: gini(likesOf(men)),
    giniWomen: gini(likesOf(women)),
    likesUnread: { part: tally.likesSent - tally.likesRead, whole: tally.likesSent },
    newMatched: newMatched(tally),
  };
}
export type Figures = ReturnType<typeof figuresOf>;

/** Member-weeks with a match by segment: gender × age band. */
function coverageBySegment({ sessions }: Market, tally: Tally): Record<string, Share> {
  const visits = both(() => new Map<number, Set<number>>());
  for (const { side, member, at } of sessions) {
    const weeks = visits[side].get(member) ?? new Set();
    visits[side].set(member, weeks.add(Math.floor((at - 1) / weekDays)));
  }
  const shares: Record<string, Share> = {};
  for (const side of bothSides) {
    for (const [i, { member, matchedIn }] of tally.received[side].entries()) {
      const share = (shares[`${side === men ? 'men' : 'women'} ${ageBuckets[member.band]?.bucket}`] ??= {
        part: 0,
        whole: 0,
      });
      for (let week = 1; week < tally.weeks; week += 1) {
        if (member.joinDay > week * weekDays + 1 || visits[side].get(i)?.has(week) !== true) continue;
        share.whole += 1;
        if (matchedIn.has(week)) share.part += 1;
      }
    }
  }
  return shares;
}

/** The share of members with a match in their first week, among those who joined later and stayed for a week. */
function newMatched(tally: Tally): Share {
  const late = tally.received
    .flat()
    .filter(
      ({ member: { joinDay, leaveDay, awayFrom } }) =>
        joinDay > 1 && Math.min(leaveDay, awayFrom) >= joinDay + weekDays,
    );
  const matched = late.filter(
    ({ member, firstMatchDay }) => firstMatchDay > 0 && firstMatchDay < member.joinDay + weekDays,
  );
  return { part: matched.length, whole: late.length };
}
