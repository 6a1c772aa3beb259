import { medianOf, offer, shortlist, type Deck } from './shortlist.ts';

/** Members with fewer received decisions are new, and so are members who return after theirs have decayed. */
const knownFromDecisions = 10;
/** Puts every newcomer first, whatever their impressions. */
const newcomerLead = 1e9;

/** Whether a member gets exploration slots because too little is known: fewer than ten decisions. */
export function isNew(decisionsReceived: number): boolean {
  return decisionsReceived < knownFromDecisions;
}

/**
 * Candidates for exploration slots, best first: newcomers, then those above the viewer's median R; within each, the fewest impressions
 * of the last 7 days first, then the higher R. Returns `slots` candidates with and `slots` without premium; never pending likers, who
 * have their own places, and never candidates that are `taken`.
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
    // Impressions are integers, so a term within 0…0.5 only breaks ties.
    const merit = (isNewcomer ? newcomerLead : 0) - (impressionsInWeek[index] ?? 0) + 0.5 / (1 - Math.min(0, own));
    offer(isVip[index] === 1 ? bestVips : best, index, merit);
  }
  const merits = new Map(
    [best, bestVips].flatMap((list) => list.indexes.map((index, at) => [index, list.values[at] ?? 0])),
  );
  return [...merits].sort(([, one], [, other]) => other - one).map(([index]) => index);
}
