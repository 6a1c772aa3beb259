import {
  certainty,
  inboxPenalty,
  likeLogOdds,
  logSigmoid,
  rankOf,
  sigmoid,
  unknownBase,
} from '../../server/src/features/discovery/score/score.ts';
import type { Random } from '../chaos/random.ts';
import type { Knowledge, Learned } from './knowledge.ts';
import type { Market } from './market.ts';
import { otherSide, type Side } from './members.ts';

/** The baselines, each without and with the inbox term, then ours as dealt by the product, ranked live, and what the truth allows. */
export const policies = [
  'random',
  'random + inbox',
  'popularity',
  'popularity + inbox',
  'one-sided',
  'one-sided + inbox',
  'shipped',
  'live',
  'oracle',
] as const;
export type Policy = (typeof policies)[number];

/** How a policy's cards reach members. */
export interface Dealing {
  /** Ranks everyone at every page, knowing likes at once, instead of dealing decks. */
  isLive: boolean;
  /** Has exploration places. */
  explores: boolean;
  /** Takes candidates from the product's sources, with its daily random term and its decoys. */
  isShipped: boolean;
  /** Counts the likes expected from dealt cards against an inbox. */
  countsExpected: boolean;
}

export function dealingOf(policy: Policy): Dealing {
  return {
    isLive: policy === 'live' || policy === 'oracle',
    explores: policy === 'live' || policy === 'shipped',
    isShipped: policy === 'shipped',
    countsExpected: false,
  };
}

/** The number of decisions in the prior of a new member's like rate. */
const popularityPrior = 10;

/** The candidates of one viewer: entries in the side's pairs, whether each likes the viewer, and what the ranker finds. */
export interface Meeting {
  side: Side;
  viewer: number;
  count: number;
  entries: Int32Array;
  likesViewer: Uint8Array;
  rank: Float64Array;
  /** p(i→j), as far as the ranker knows; only ours fills it in. */
  chance: Float64Array;
}

/** Scores a viewer's candidates, higher first. Only the oracle looks at the truth. */
export type Ranker = (meeting: Meeting, market: Market, knowledge: Knowledge) => void;

const at = (values: ArrayLike<number>, index: number) => values[index] ?? 0;

function meanLikeRate({ likesReceived, decisionsReceived }: Learned): number {
  let [likes, decisions] = [0, 0];
  for (const count of likesReceived) likes += count;
  for (const count of decisionsReceived) decisions += count;
  return decisions === 0 ? 0 : likes / decisions;
}

/** The share of likes among the decisions received, as a logarithm. */
const popularity: Ranker = ({ side, count, entries, rank }, { scene: { pairs } }, knowledge) => {
  const others = knowledge[otherSide(side)];
  const mean = meanLikeRate(others);
  for (let index = 0; index < count; index += 1) {
    const j = at(pairs[side].ids, at(entries, index));
    const decisions = at(others.decisionsReceived, j) + popularityPrior;
    rank[index] = Math.log((at(others.likesReceived, j) + mean * popularityPrior) / decisions);
  }
};

/** ln p(i→j) alone. */
const oneSided: Ranker = ({ side, viewer, count, entries, rank }, { scene: { pairs, seen } }, knowledge) => {
  const [own, others] = [knowledge[side], knowledge[otherSide(side)]];
  const selectivity = at(own.selectivity, viewer);
  for (let index = 0; index < count; index += 1) {
    const entry = at(entries, index);
    const j = at(pairs[side].ids, entry);
    const base = own.base[at(others.band, j)] ?? unknownBase;
    rank[index] = logSigmoid(likeLogOdds(base, selectivity, at(others.appeal, j), at(seen[side].there, entry)));
  }
};

/** R as in production. */
const ours: Ranker = (meeting, { scene: { pairs, seen } }, knowledge) => {
  const { side, viewer, count, entries, likesViewer, rank, chance } = meeting;
  const [own, others] = [knowledge[side], knowledge[otherSide(side)]];
  const [selectivity, appeal] = [at(own.selectivity, viewer), at(own.appeal, viewer)];
  const baseBack = others.base[at(own.band, viewer)] ?? unknownBase;
  for (let index = 0; index < count; index += 1) {
    const entry = at(entries, index);
    const j = at(pairs[side].ids, entry);
    const base = own.base[at(others.band, j)] ?? unknownBase;
    const there = likeLogOdds(base, selectivity, at(others.appeal, j), at(seen[side].there, entry));
    const back =
      at(likesViewer, index) === 1
        ? certainty
        : likeLogOdds(baseBack, at(others.selectivity, j), appeal, at(seen[side].back, entry));
    const likes = at(others.pendingLikes, j) + at(others.expectedLikes, j);
    const penalty = inboxPenalty(likes, at(others.capacity, j), appeal + at(seen[side].back, entry));
    rank[index] = rankOf(there, back, penalty, others.boost[j] ?? 1);
    chance[index] = sigmoid(there);
  }
};

/** R with the true chances. */
const oracle: Ranker = ({ side, count, entries, likesViewer, rank }, { scene: { pairs }, truth }, knowledge) => {
  const other = otherSide(side);
  const { inboxPenalty } = knowledge[other];
  for (let index = 0; index < count; index += 1) {
    const entry = at(entries, index);
    const back = at(likesViewer, index) === 1 ? 1 : at(truth.chance[other], at(pairs[side].reverse, entry));
    const there = at(truth.chance[side], entry);
    rank[index] = Math.log(there * back) - at(inboxPenalty, at(pairs[side].ids, entry));
  }
};

/** A ranker with the inbox term on top. */
const withInbox =
  (ranker: Ranker): Ranker =>
  (meeting, market, knowledge) => {
    ranker(meeting, market, knowledge);
    const { side, count, entries, rank } = meeting;
    const { inboxPenalty } = knowledge[otherSide(side)];
    const { ids } = market.scene.pairs[side];
    for (let index = 0; index < count; index += 1) {
      rank[index] = at(rank, index) - at(inboxPenalty, at(ids, at(entries, index)));
    }
  };

/** The ranker of a policy; `random` uses a separate stream. */
export function rankerOf(policy: Policy, random: Random): Ranker {
  const chance: Ranker = ({ count, rank }) => {
    for (let index = 0; index < count; index += 1) rank[index] = Math.log(1 - random.next());
  };
  switch (policy) {
    case 'random':
      return chance;
    case 'random + inbox':
      return withInbox(chance);
    case 'popularity':
      return popularity;
    case 'popularity + inbox':
      return withInbox(popularity);
    case 'one-sided':
      return oneSided;
    case 'one-sided + inbox':
      return withInbox(oneSided);
    case 'shipped':
    case 'live':
      return ours;
    case 'oracle':
      return oracle;
  }
}
