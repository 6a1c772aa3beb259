import type { Scene } from './market.ts';
import { bothSides, measuredFrom, type Side, weekDays } from './members.ts';

/** What one side's members received on the measured days; all columns share one index. */
export interface Received {
  impressions: Float64Array;
  likes: Float64Array;
  matches: Float64Array;
  /** Member after member, whether there was a match in each week. */
  matchedInWeek: Uint8Array;
  /** The first day with a match, of all days; 0 for none. */
  firstMatchDay: Int32Array;
}

/** The counts of a season. Everything but first matches is counted only on the measured days. */
export interface Tally {
  /** How long the season is; whole weeks, of which the first is not measured. */
  weeks: number;
  cards: number;
  matches: number;
  /** Matches that became conversations of six messages. */
  conversations: number;
  /** Likes to people who had not decided about the sender yet, and how many of them were read by the end. */
  likesSent: number;
  likesRead: number;
  received: [Received, Received];
}

export function emptyTally({ sides }: Scene, weeks: number): Tally {
  const [first, second] = bothSides.map((side): Received => {
    const { count } = sides[side];
    return {
      impressions: new Float64Array(count),
      likes: new Float64Array(count),
      matches: new Float64Array(count),
      matchedInWeek: new Uint8Array(count * weeks),
      firstMatchDay: new Int32Array(count),
    };
  });
  if (first === undefined || second === undefined) throw new Error('A market has two sides');
  return { weeks, cards: 0, matches: 0, conversations: 0, likesSent: 0, likesRead: 0, received: [first, second] };
}

export const isMeasured = (day: number): boolean => day >= measuredFrom;

/** Records that j on `side` was shown, and whether they were liked. */
export function noteCard(tally: Tally, side: Side, { j, liked }: { j: number; liked: boolean }, day: number): void {
  if (!isMeasured(day)) return;
  const { impressions, likes } = tally.received[side];
  tally.cards += 1;
  impressions[j] = (impressions[j] ?? 0) + 1;
  if (liked) likes[j] = (likes[j] ?? 0) + 1;
}

/** Records a match for one of its two members. */
export function noteMatched(tally: Tally, side: Side, i: number, day: number): void {
  const { matches, matchedInWeek, firstMatchDay } = tally.received[side];
  if (firstMatchDay[i] === 0) firstMatchDay[i] = day;
  if (!isMeasured(day)) return;
  matches[i] = (matches[i] ?? 0) + 1;
  matchedInWeek[i * tally.weeks + Math.floor((day - 1) / weekDays)] = 1;
}
