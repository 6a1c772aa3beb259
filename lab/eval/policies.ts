import { type Knowledge, type Learned, memberOf } from './knowledge.ts';
import type { Market } from './market.ts';
import { otherSide, type Side } from './members.ts';
import * as ranker from './ranker.ts';
import { at, type Random } from '../random.ts';

/** A candidate for a viewer's cards. */
export interface Option {
  /** Its entry in the pairs of the viewer's side. */
  entry: number;
  j: number;
  other: Learned;
  likesViewer: boolean;
  isDecoy: boolean;
  /** R: higher comes first. */
  rank: number;
}

/** The viewer whose candidates are ranked, with the market and the day. */
export interface Meeting {
  market: Market;
  knowledge: Knowledge;
  side: Side;
  viewer: number;
  day: number;
  random: Random;
}

/** How a policy ranks the candidates of a meeting. */
type Ranker = (meeting: Meeting) => (option: Option) => number;

/** The log-odds without content that the viewer likes another, and the reverse. */
export function logOddsFor({ knowledge, side, viewer }: Meeting) {
  const [own, others] = [knowledge.sides[side], knowledge.sides[otherSide(side)]];
  const { band, selectivity, appeal } = memberOf(knowledge, side, viewer);
  const baseBack = at(others.base, band);
  return {
    there: (other: Learned) => ranker.likeLogOdds(at(own.base, other.band), selectivity.value, other.appeal.value, 0),
    back: (other: Learned) => ranker.likeLogOdds(baseBack, other.selectivity.value, appeal.value, 0),
  };
}

/** The value that the other side has for the pair of people in this side's `entry`. */
const backOf = ({ market, side }: Meeting, values: [Float32Array, Float32Array], entry: number) =>
  at(values[otherSide(side)], at(market.pairs[side].reverse, entry));

/** Ranks by p(i→j) alone, divided by the inbox term. */
const oneSided: Ranker = (meeting) => {
  const { there } = logOddsFor(meeting);
  const content = meeting.market.content[meeting.side];
  return ({ entry, other }) =>
    ranker.sigmoid(there(other) + at(content, entry)) /
    Math.exp(ranker.inboxPenalty(other.pendingLikes, other.capacity));
};

/** Ranks by R, as in production. */
const ours: Ranker = (meeting) => {
  const { market, knowledge, side, viewer, day } = meeting;
  const { appeal } = memberOf(knowledge, side, viewer);
  const odds = logOddsFor(meeting);
  const [{ alikeWeight }, { alikeWeight: alikeBack }] = [knowledge.sides[side], knowledge.sides[otherSide(side)]];
  return ({ entry, other, likesViewer }) => {
    const contentBack = backOf(meeting, market.content, entry);
    const alike = ranker.alikeness(appeal.value, other.appeal.value);
    const penalty = ranker.inboxPenalty(other.pendingLikes, other.capacity, appeal.value + contentBack);
    const there = odds.there(other) + at(market.content[side], entry) + alike * alikeWeight;
    const back = likesViewer ? ranker.certainty : odds.back(other) + contentBack + alike * alikeBack;
    const rank = ranker.rankOf(there, back, penalty, ranker.boostOf(other.isVip, ranker.boostMax));
    return rank + other.warmthTerm + (likesViewer ? 0 : ranker.absenceTerm(day - other.lastActive));
  };
};

/** Ranks by the true chances, divided by the inbox term. */
const byTruth: Ranker = (meeting) => {
  const { chance } = meeting.market.truth;
  return ({ entry, other, likesViewer }) =>
    (at(chance[meeting.side], entry) * (likesViewer ? 1 : backOf(meeting, chance, entry))) /
    Math.exp(ranker.inboxPenalty(other.pendingLikes, other.capacity));
};

/** A way of choosing cards. */
export interface Policy {
  rank: Ranker;
  /** Ranks everyone at every page, knowing likes at once, instead of dealing decks. */
  isLive?: true;
  /** Has exploration places. */
  explores?: true;
  /** Takes candidates from the product's sources, with its daily random term and its decoys. */
  isShipped?: true;
  /** Learns from the outcome of matches. */
  learnsOutcomes?: true;
}

/**
 * Two baselines; ours as dealt by the product, first without learning from the outcome of matches; ours ranked live; and the best that the
 * truth allows.
 */
export const policies = {
  random: {
    rank:
      ({ random }) =>
      () =>
        1 - random.next(),
  },
  'one-sided + inbox': { rank: oneSided },
  'likes alone': { rank: ours, explores: true, isShipped: true },
  shipped: { rank: ours, explores: true, isShipped: true, learnsOutcomes: true },
  live: { rank: ours, isLive: true, explores: true, learnsOutcomes: true },
  oracle: { rank: byTruth, isLive: true },
} satisfies Record<string, Policy>;

export type PolicyName = keyof typeof policies;
