import type { Deck } from '../serve/page.ts';
import { medianOf, offer, shortlist } from './shortlist.ts';

/** With fewer decisions received a member is new, and so is whoever returns when theirs have decayed. */
const knownFromDecisions = 10;
/** Puts every newcomer before everybody else, whatever their impressions. */
const newcomerLead = 1e9;

/** Whether so little is known of a member that exploration slots are theirs: below ten decisions. */
export function isNew(decisionsReceived: number): boolean {
  return decisionsReceived < knownFromDecisions;
}

/**
 * Whom exploration slots may go to, best first: newcomers, then those above the viewer's median R, in each the fewest
 * impressions of the last 7 days first, and of equals the higher R. As many as there are `slots` with
 * and without premium each; never pending likers, who have places of their own, nor who is `taken`.
 */
export function explorable(deck: Deck, slots: number, taken: ReadonlySet<number>): number[] {
  const { count, rank, likesViewer, isVip, decisionsReceived, impressionsInWeek } = deck;
  const ranks = new Float64Array(count);
  let others = 0;
  for (let index = 0; index < count; index += 1) if (likesViewer[index] !== 1) ranks[others++] = rank[index] ?? 0;
  const median = medianOf(ranks, others);
  const [best, bestVips] = [shortlist(slots), shortlist(slots)];
  for (let index = 0; index < count; index += 1) {
    const own = rank[index] ?? 0;
    const isNewcomer = isNew(decisionsReceived[index] ?? 0);
    if (likesViewer[index] === 1 || (!isNewcomer && own < median) || taken.has(index)) continue;
    // Impressions are whole numbers, so what lies within 0…0.5 only decides between equals.
    const merit = (isNewcomer ? newcomerLead : 0) - (impressionsInWeek[index] ?? 0) + 0.5 / (1 - Math.min(0, own));
    offer(isVip[index] === 1 ? bestVips : best, index, merit);
  }
  const merits = new Map(
    [best, bestVips].flatMap((list) => list.indexes.map((index, at) => [index, list.values[at] ?? 0])),
  );
  return [...merits].sort(([, one], [, other]) => other - one).map(([index]) => index);
}
