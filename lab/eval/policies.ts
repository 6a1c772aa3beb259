import {
  certainty,
  likeLogOdds,
  logSigmoid,
  rankOf,
  unknownBase,
} from '../../server/src/features/discovery/score/score.ts';
import type { Random } from '../chaos/random.ts';
import type { Knowledge, Learned } from './knowledge.ts';
import { otherSide, type Scene, type Side } from './market.ts';

export const policies = ['random', 'popularity', 'one-sided', 'product', 'ours'] as const;
export type Policy = (typeof policies)[number];

/** The number of decisions in the prior of a new member's like rate. */
const popularityPrior = 10;

/** The undecided candidates of one session: entries in the side's pairs, and whether each likes the viewer. */
export interface Meeting {
  side: Side;
  viewer: number;
  count: number;
  entries: Int32Array;
  likesViewer: Uint8Array;
}

/** Scores one session's candidates, higher first, using only what members show and what was learned. */
export type Ranker = (meeting: Meeting, scene: Scene, knowledge: Knowledge, ranks: Float64Array) => void;

const at = (values: ArrayLike<number>, index: number) => values[index] ?? 0;

function meanLikeRate({ likesReceived, decisionsReceived }: Learned): number {
  let [likes, decisions] = [0, 0];
  for (const count of likesReceived) likes += count;
  for (const count of decisionsReceived) decisions += count;
  return decisions === 0 ? 0 : likes / decisions;
}

/** The share of likes among the decisions received. */
const popularity: Ranker = ({ side, count, entries }, { pairs }, knowledge, ranks) => {
  const others = knowledge[otherSide(side)];
  const mean = meanLikeRate(others);
  for (let index = 0; index < count; index += 1) {
    const j = at(pairs[side].ids, at(entries, index));
    const decisions = at(others.decisionsReceived, j) + popularityPrior;
    ranks[index] = (at(others.likesReceived, j) + mean * popularityPrior) / decisions;
  }
};

/** p(i→j) alone. */
const oneSided: Ranker = ({ side, viewer, count, entries }, { pairs, seen }, knowledge, ranks) => {
  const [own, others] = [knowledge[side], knowledge[otherSide(side)]];
  const selectivity = at(own.selectivity, viewer);
  for (let index = 0; index < count; index += 1) {
    const entry = at(entries, index);
    const j = at(pairs[side].ids, entry);
    const base = own.base[at(others.band, j)] ?? unknownBase;
    ranks[index] = logSigmoid(likeLogOdds(base, selectivity, at(others.appeal, j), at(seen[side].there, entry)));
  }
};

/**
 * Ranks by both chances: R as in production or, if `isWhole` is false, only p(i→j)·p(j→i) as learned,
 * ignoring existing likes of the viewer and inboxes.
 */
const bothSided =
  (isWhole: boolean): Ranker =>
  ({ side, viewer, count, entries, likesViewer }, { pairs, seen }, knowledge, ranks) => {
    const [own, others] = [knowledge[side], knowledge[otherSide(side)]];
    const [selectivity, appeal] = [at(own.selectivity, viewer), at(own.appeal, viewer)];
    const baseBack = others.base[at(own.band, viewer)] ?? unknownBase;
    for (let index = 0; index < count; index += 1) {
      const entry = at(entries, index);
      const j = at(pairs[side].ids, entry);
      const base = own.base[at(others.band, j)] ?? unknownBase;
      const there = likeLogOdds(base, selectivity, at(others.appeal, j), at(seen[side].there, entry));
      const back =
        isWhole && at(likesViewer, index) === 1
          ? certainty
          : likeLogOdds(baseBack, at(others.selectivity, j), appeal, at(seen[side].back, entry));
      ranks[index] = isWhole
        ? rankOf(there, back, at(others.inboxPenalty, j), others.boost[j] ?? 1)
        : rankOf(there, back, 0, 1);
    }
  };

/** The ranker of a policy; `random` uses a separate stream. */
export function rankerOf(policy: Policy, random: Random): Ranker {
  switch (policy) {
    case 'random':
      return ({ count }, _scene, _knowledge, ranks) => {
        for (let index = 0; index < count; index += 1) ranks[index] = random.next();
      };
    case 'popularity':
      return popularity;
    case 'one-sided':
      return oneSided;
    case 'product':
      return bothSided(false);
    case 'ours':
      return bothSided(true);
  }
}
