import { ageBuckets } from '#contract/statistics.ts';
import { at } from '../random.ts';
import type { Market } from './market.ts';
import { both, bothSides, type Flags, type Member, otherSide, type Side } from './members.ts';
import * as ranker from './ranker.ts';

/** There are no messages in this market, so everyone has the reply rate expected of a new member. */
const answersAtFirst = ranker.replyRate(0, 0);

/** What is known about a member before any impression or decision. */
const nothingLearned = ({ band, joinDay }: Member, isVip: boolean) => ({
  band,
  isVip,
  selectivity: ranker.nothingLearned,
  appeal: ranker.nothingLearned,
  decisionsReceived: 0,
  cardsDecided: 0,
  pendingLikes: 0,
  capacity: ranker.capacity(ranker.expectedReads(0, 0), answersAtFirst),
  impressionsInWeek: 0,
  bucket: 31,
  /** T, and the term it adds to R. */
  warmth: ranker.nothingLearned,
  warmthTerm: 0,
  /** The day of the last visit, or of joining. */
  lastActive: joinDay,
});
export type Learned = ReturnType<typeof nothingLearned>;

/** The initial state without any learning; `vips` are flags by side and member. */
export function knowNothing({ sides }: Market, vips: Flags | undefined) {
  return {
    sides: both((side) => ({
      members: sides[side].map((member, i) => nothingLearned(member, vips?.[side][i] === 1)),
      /** b by the age band of the people this side decides about, from the cards shown and liked. */
      base: ageBuckets.map(() => ranker.unknownBase),
      shown: ageBuckets.map(() => 0),
      liked: ageBuckets.map(() => 0),
      /** The evidence about similarity in this side's decisions, and the resulting weight. */
      alike: { information: 0, evidence: 0 },
      alikeWeight: 0,
    })),
    /** The number of matches learned from, and of those that became conversations. */
    matches: 0,
    conversations: 0,
  };
}
export type Knowledge = ReturnType<typeof knowNothing>;

/** What was learned about a member. */
export function memberOf({ sides }: Knowledge, side: Side, i: number): Learned {
  const found = sides[side].members[i];
  if (found === undefined) throw new RangeError(`There is no member ${i}`);
  return found;
}

const faded = ({ value, weight }: ranker.Estimate) => ({ value, weight: ranker.decayed(weight, 1) });

/** The nightly job: counters and weights decay, and capacities follow what members read. */
export function beginDay(knowledge: Knowledge, { sides }: Market, day: number): void {
  for (const side of bothSides) {
    for (const [i, learned] of knowledge.sides[side].members.entries()) {
      learned.selectivity = faded(learned.selectivity);
      learned.appeal = faded(learned.appeal);
      learned.decisionsReceived = ranker.decayed(learned.decisionsReceived, 1);
      learned.impressionsInWeek *= ranker.keptAfterADay(ranker.impressionDays);
      learned.cardsDecided *= ranker.keptAfterADay(ranker.decidedDays);
      const days = Math.min(ranker.decidedDays, Math.max(0, day - (sides[side][i]?.joinDay ?? 1)));
      learned.capacity = ranker.capacity(ranker.expectedReads(learned.cardsDecided, days), answersAtFirst);
    }
  }
}

/** The bucket that production would store for a member, which ignores premium and the people they decide about. */
function bucketFor({ appeal, selectivity, pendingLikes, capacity, band }: Learned, base: number[]): number {
  return ranker.bucketOf({
    baseThere: at(base, band),
    baseBack: ranker.unknownBase,
    appeal: appeal.value,
    selectivity: selectivity.value,
    inboxPenalty: ranker.inboxPenalty(pendingLikes, capacity),
    boost: 1,
  });
}

/** A card about j that member i of `side` decided. */
export interface Decided {
  side: Side;
  i: number;
  j: number;
  content: number;
  liked: boolean;
}

/** Learns from one card. Weights decay each night, so no days have passed since their last update. */
export function learnDecision(knowledge: Knowledge, { side, i, j, content, liked }: Decided): void {
  const [own, others] = [knowledge.sides[side], knowledge.sides[otherSide(side)]];
  const [viewer, shown] = [memberOf(knowledge, side, i), memberOf(knowledge, otherSide(side), j)];
  const { band } = shown;
  const { selectivity, appeal, alike } = ranker.learnFrom({
    ...{ liked, content, base: at(own.base, band), alikeWeight: own.alikeWeight },
    alike: ranker.alikeness(viewer.appeal.value, shown.appeal.value),
    ...{ selectivity: viewer.selectivity, selectivityDays: 0, appeal: shown.appeal, appealDays: 0 },
  });
  viewer.selectivity = selectivity;
  shown.appeal = appeal;
  own.alike.information += alike.information;
  own.alike.evidence += alike.evidence;
  own.alikeWeight = ranker.alikeWeightOf(own.alike);
  own.shown[band] = at(own.shown, band) + 1;
  if (liked) own.liked[band] = at(own.liked, band) + 1;
  own.base[band] = ranker.baseOf(at(own.shown, band), at(own.liked, band));
  viewer.cardsDecided += 1;
  shown.decisionsReceived += 1;
  shown.impressionsInWeek += 1;
  viewer.bucket = bucketFor(viewer, others.base);
  shown.bucket = bucketFor(shown, own.base);
}

/** Learns from a match that is a week old. */
export function learnMatch(knowledge: Knowledge, one: Learned, other: Learned, isGood: boolean): void {
  const base = ranker.baseOf(knowledge.matches, knowledge.conversations);
  const y = isGood ? 1 : 0;
  const parts = [
    { ...one.warmth, days: 0 },
    { ...other.warmth, days: 0 },
  ] as const;
  [one.warmth, other.warmth] = ranker.learnFromMatch(base, parts, [y, y]);
  for (const member of [one, other]) member.warmthTerm = ranker.warmthTerm(base, member.warmth.value);
  knowledge.matches += 1;
  if (isGood) knowledge.conversations += 1;
}
