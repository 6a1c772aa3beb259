import { bucketOf, likeLogOdds, rankOf, unknownBase } from '../../server/src/features/discovery/score/score.ts';
import { offer, shortlist } from '../../server/src/features/discovery/deck/best.ts';
import { createRandom } from '../chaos/random.ts';
import type { Learned } from './knowledge.ts';
import { bothSides, otherSide } from './members.ts';
import type { Played } from './measure.ts';

const viewers = 200;
/** The number of eligible candidates in a large city. */
const eligible = 6_000;
const byBucket = 400;
const fromTheSlice = 100;
const top = 20;

const at = (values: ArrayLike<number>, index: number) => values[index] ?? 0;

/** The bucket of each member as production would store it: from what was learned of them and their inbox. */
function bucketsOf(own: Learned, others: Learned): Int32Array {
  return own.band.map((band, i) =>
    bucketOf({
      baseThere: others.base[band] ?? unknownBase,
      baseBack: own.base[band] ?? unknownBase,
      appeal: at(own.appeal, i),
      selectivity: at(own.selectivity, i),
      inboxPenalty: Math.log(at(own.inboxFactor, i)),
      boost: at(own.boost, i),
    }),
  );
}

/**
 * The share (0…1) of the exact best 20 of 6,000 that are among the 500 that a refill scores: 400 by bucket and 100 of a random
 * slice. The candidates are drawn from the members as a season left them, with pair terms from its pairs.
 */
export function recallAt20({ market, season }: Played): number {
  const { scene } = market;
  const random = createRandom(scene.seed);
  const below = (limit: number) => Math.floor(random.next() * limit);
  let found = 0;
  for (const side of bothSides) {
    const [own, others] = [season.knowledge[side], season.knowledge[otherSide(side)]];
    const { seen, pairs } = scene;
    const buckets = bucketsOf(others, own);
    for (let turn = 0; turn < viewers / 2; turn += 1) {
      const viewer = below(own.band.length);
      const [exact, picked] = [shortlist(top), shortlist(byBucket)];
      for (let index = 0; index < eligible; index += 1) {
        const j = below(others.band.length);
        const entry = below(pairs[side].ids.length);
        const base = own.base[at(others.band, j)] ?? unknownBase;
        const baseBack = others.base[at(own.band, viewer)] ?? unknownBase;
        const there = likeLogOdds(base, at(own.selectivity, viewer), at(others.appeal, j), at(seen[side].there, entry));
        const back = likeLogOdds(
          baseBack,
          at(others.selectivity, j),
          at(own.appeal, viewer),
          at(seen[side].back, entry),
        );
        offer(exact, index, rankOf(there, back, Math.log(at(others.inboxFactor, j)), at(others.boost, j)));
        offer(picked, index, at(buckets, j));
      }
      const inBucket = new Set(picked.indexes);
      const sliceShare = fromTheSlice / (eligible - byBucket);
      found += exact.indexes.filter((index) => inBucket.has(index) || random.next() < sliceShare).length;
    }
  }
  return found / (viewers * top);
}
