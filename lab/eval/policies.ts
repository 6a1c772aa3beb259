import {
  alikeness,
  betterShare,
  certainty,
  rankOf,
  standingFactor,
} from '../../server/src/features/discovery/score/score.ts';
import type { Random } from '../chaos/random.ts';
import { factorsOf, type Knowledge, type Learned } from './knowledge.ts';
import { factorsEach, type Market } from './market.ts';
import { otherSide, type Side } from './members.ts';

/**
 * The baselines, each without and with the inbox term, then ours as dealt by the product (first as if it learned nothing from what
 * became of matches), ranked live, and what the truth allows.
 */
export const policies = [
  'random',
  'random + inbox',
  'popularity',
  'popularity + inbox',
  'one-sided',
  'one-sided + inbox',
  'likes alone',
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
  /** Learns from what became of matches. */
  learnsOutcomes: boolean;
}

export function dealingOf(policy: Policy): Dealing {
  const isShipped = policy === 'shipped' || policy === 'likes alone';
  return {
    isLive: policy === 'live' || policy === 'oracle',
    explores: policy === 'live' || isShipped,
    isShipped,
    learnsOutcomes: policy === 'live' || policy === 'shipped',
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
}

/**
 * Scores a viewer's candidates, higher first. Only the oracle looks at the truth. The scores of the baselines only order: they are
 * chances, which cost less than the logarithms that give the same order.
 */
export type Ranker = (meeting: Meeting, market: Market, knowledge: Knowledge) => void;

function meanLikeRate({ likesReceived, decisionsReceived }: Learned): number {
  let [likes, decisions] = [0, 0];
  for (const count of likesReceived) likes += count;
  for (const count of decisionsReceived) decisions += count;
  return decisions === 0 ? 0 : likes / decisions;
}

/** The share of likes among the decisions received. */
const popularity: Ranker = ({ side, count, entries, rank }, { scene: { pairs } }, knowledge) => {
  const others = knowledge[otherSide(side)];
  const mean = meanLikeRate(others);
  for (let index = 0; index < count; index += 1) {
    const j = pairs[side].ids[entries[index] ?? 0] ?? 0;
    const decisions = (others.decisionsReceived[j] ?? 0) + popularityPrior;
    rank[index] = ((others.likesReceived[j] ?? 0) + mean * popularityPrior) / decisions;
  }
};

/** p(i→j) alone. */
const oneSided: Ranker = ({ side, viewer, count, entries, rank }, { scene: { pairs, seen } }, knowledge) => {
  const { band, appealFactor } = knowledge[otherSide(side)];
  const { there } = factorsOf(knowledge, side, viewer);
  const { ids } = pairs[side];
  const { factors } = seen[side];
  for (let index = 0; index < count; index += 1) {
    const entry = entries[index] ?? 0;
    const j = ids[entry] ?? 0;
    const factor = (there[band[j] ?? 0] ?? 0) * (appealFactor[j] ?? 0) * (factors[factorsEach * entry] ?? 0);
    rank[index] = 1 / (1 + factor);
  }
};

/** R as in production, where ln p(i→j) + ln p(j→i) and the inbox term are one logarithm. */
const ours: Ranker = (meeting, { scene: { pairs, seen } }, knowledge) => {
  const { side, viewer, count, entries, likesViewer, rank } = meeting;
  const [own, others] = [knowledge[side], knowledge[otherSide(side)]];
  const appeal = own.appeal[viewer] ?? 0;
  const { there, back } = factorsOf(knowledge, side, viewer);
  const { ids } = pairs[side];
  const { factors } = seen[side];
  const standing = standingFactor(appeal);
  const areAlike = own.alikeWeight !== 0 || others.alikeWeight !== 0;
  for (let index = 0; index < count; index += 1) {
    const entry = entries[index] ?? 0;
    const j = ids[entry] ?? 0;
    const at = factorsEach * entry;
    const alike = areAlike ? alikeness(appeal, others.appeal[j] ?? 0) : 0;
    const alikeThere = own.alikeWeight === 0 ? 1 : Math.exp(-alike * own.alikeWeight);
    const alikeBack = others.alikeWeight === 0 ? 1 : Math.exp(-alike * others.alikeWeight);
    const factor = (there[others.band[j] ?? 0] ?? 0) * (others.appealFactor[j] ?? 0) * (factors[at] ?? 0) * alikeThere;
    const better = betterShare(standing * (factors[at + 2] ?? 0));
    const inbox = 1 + (better * (others.pendingLikes[j] ?? 0)) / (others.capacity[j] ?? 1);
    const boost = others.boost[j] ?? 1;
    const warmth = others.warmthTerm[j] ?? 0;
    if (likesViewer[index] === 1) {
      rank[index] = rankOf(-Math.log(factor), certainty, Math.log(inbox), boost) + warmth;
    } else {
      const odds = (1 + factor) * (1 + back * (others.selectivityFactor[j] ?? 0) * (factors[at + 1] ?? 0) * alikeBack);
      rank[index] =
        (boost === 1 ? 0 : Math.log(boost)) - Math.log(odds * inbox) + warmth + (others.absenceTerm[j] ?? 0);
    }
  }
};

/** e^R, from the true chances. */
const oracle: Ranker = ({ side, count, entries, likesViewer, rank }, { scene: { pairs }, truth }, knowledge) => {
  const { inboxFactor } = knowledge[otherSide(side)];
  const { ids } = pairs[side];
  const [there, back] = [truth.chance[side], truth.chanceBack[side]];
  for (let index = 0; index < count; index += 1) {
    const entry = entries[index] ?? 0;
    const chance = (there[entry] ?? 0) * (likesViewer[index] === 1 ? 1 : (back[entry] ?? 0));
    rank[index] = chance / (inboxFactor[ids[entry] ?? 0] ?? 1);
  }
};

/** A ranker whose scores are chances, with the inbox term. */
const withInbox =
  (ranker: Ranker): Ranker =>
  (meeting, market, knowledge) => {
    ranker(meeting, market, knowledge);
    const { side, count, entries, rank } = meeting;
    const { inboxFactor } = knowledge[otherSide(side)];
    const { ids } = market.scene.pairs[side];
    for (let index = 0; index < count; index += 1) {
      rank[index] = (rank[index] ?? 0) / (inboxFactor[ids[entries[index] ?? 0] ?? 0] ?? 1);
    }
  };

/** The ranker of a policy; `random` uses a separate stream. */
export function rankerOf(policy: Policy, random: Random): Ranker {
  const chance: Ranker = ({ count, rank }) => {
    for (let index = 0; index < count; index += 1) rank[index] = 1 - random.next();
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
    case 'likes alone':
    case 'shipped':
    case 'live':
      return ours;
    case 'oracle':
      return oracle;
  }
}
