import { ageBuckets } from '#contract/constants.ts';
import {
  absenceTerm,
  ageBand,
  alikeness,
  boostOf,
  bucketOf,
  capacity,
  chance,
  expectedReads,
  inboxPenalty,
  replyRate,
  unknownBase,
  warmthTerm,
} from '../../server/src/features/discovery/score/score.ts';
import {
  type AlikeCounts,
  alikeWeightOf,
  appealSd,
  baseOf,
  countAlike,
  decayed,
  decidedDays,
  impressionDays,
  information,
  keptAfterADay,
  learnFromMatch,
  movedScore,
  selectivitySd,
} from '../../server/src/features/discovery/learn/learning.ts';
import type { Scene } from './market.ts';
import { bothSides, men, otherSide, type Side, women } from './members.ts';

/** There are no messages in this market, so everyone has the reply rate expected of a new member. */
const answersAtFirst = replyRate(0, 0);

/** What was learned about one side's members from impressions and decisions; all columns share one index. */
export interface Learned {
  selectivity: Float64Array;
  selectivityWeight: Float64Array;
  /** e^−S and e^−A, so that chances need no exponentials. */
  selectivityFactor: Float64Array;
  appealFactor: Float64Array;
  appeal: Float64Array;
  appealWeight: Float64Array;
  decisionsReceived: Float64Array;
  likesReceived: Float64Array;
  cardsDecided: Float64Array;
  pendingLikes: Float64Array;
  capacity: Float64Array;
  /** What a chance is divided by for the likes that wait: e to the inbox term. */
  inboxFactor: Float64Array;
  impressionsInWeek: Float64Array;
  /** Kept only for decks of the product's sources; null otherwise. */
  bucket: Int32Array | null;
  isVip: Uint8Array;
  boost: Float64Array;
  /** By the age band of the people this side decides about. */
  base: Float64Array;
  /** Cards shown and liked in the segment that `base` is of. */
  segmentShown: Float64Array;
  segmentLiked: Float64Array;
  band: Int32Array;
  /** T with its weight, and what it adds to R. */
  warmth: Float64Array;
  warmthWeight: Float64Array;
  warmthTerm: Float64Array;
  /** The day of the last visit, and what the days since add to R. */
  lastActive: Int32Array;
  absenceTerm: Float64Array;
  /** What this side's decisions say about alikeness, and what it is multiplied by. */
  alike: AlikeCounts;
  alikeWeight: number;
  /** Of the matches that this side's members were learned from, all and those that became conversations. */
  matches: number;
  conversations: number;
}

export type Knowledge = [Learned, Learned];

/** The initial state without any learning; `vips` are flags by side and member. */
export function knowNothing(
  { sides }: Scene,
  vips: [Uint8Array, Uint8Array],
  factor: number,
  hasBuckets: boolean,
): Knowledge {
  const [first, second] = bothSides.map((side): Learned => {
    const { count, age } = sides[side];
    const zeros = () => new Float64Array(count);
    return {
      selectivity: zeros(),
      selectivityWeight: zeros(),
      selectivityFactor: zeros().fill(1),
      appealFactor: zeros().fill(1),
      appeal: zeros(),
      appealWeight: zeros(),
      decisionsReceived: zeros(),
      likesReceived: zeros(),
      cardsDecided: zeros(),
      pendingLikes: zeros(),
      capacity: zeros().fill(capacity(expectedReads(0, 0), answersAtFirst)),
      inboxFactor: zeros().fill(1),
      impressionsInWeek: zeros(),
      bucket: hasBuckets ? new Int32Array(count).fill(31) : null,
      isVip: vips[side],
      boost: Float64Array.from(vips[side], (isVip) => boostOf(isVip === 1, factor)),
      base: new Float64Array(ageBuckets.length).fill(unknownBase),
      segmentShown: new Float64Array(ageBuckets.length),
      segmentLiked: new Float64Array(ageBuckets.length),
      band: age.map((years) => ageBand(years)),
      ...{ warmth: zeros(), warmthWeight: zeros(), warmthTerm: zeros(), matches: 0, conversations: 0 },
      ...{ lastActive: new Int32Array(count), absenceTerm: zeros() },
      ...{ alike: { information: 0, evidence: 0 }, alikeWeight: 0 },
    };
  });
  if (first === undefined || second === undefined) throw new Error('A market has two sides');
  return [first, second];
}

/**
 * A viewer's parts of e^−x, where x are the log-odds of a like without content: times `appealFactor` of a person for the viewer's like,
 * by the person's age band, and times `selectivityFactor` for the person's. Then p is 1 / (1 + e^−x).
 */
export function factorsOf(knowledge: Knowledge, side: Side, viewer: number): { there: Float64Array; back: number } {
  const [own, others] = [knowledge[side], knowledge[otherSide(side)]];
  const selectivity = own.selectivityFactor[viewer] ?? 1;
  const baseBack = others.base[own.band[viewer] ?? 0] ?? unknownBase;
  return {
    there: own.base.map((base) => Math.exp(-base) * selectivity),
    back: Math.exp(-baseBack) * (own.appealFactor[viewer] ?? 1),
  };
}

function renewFactors(learned: Learned, i: number): void {
  learned.selectivityFactor[i] = Math.exp(-(learned.selectivity[i] ?? 0));
  learned.appealFactor[i] = Math.exp(-(learned.appeal[i] ?? 0));
}

function renewInbox(learned: Learned, i: number): void {
  learned.inboxFactor[i] = Math.exp(inboxPenalty(learned.pendingLikes[i] ?? 0, learned.capacity[i] ?? 1));
}

/** The bucket production would keep of a member: without premium, and without what is known of the people they decide about. */
function renewBucket(own: Learned, others: Learned, i: number): void {
  if (own.bucket === null) return;
  own.bucket[i] = bucketOf({
    baseThere: others.base[own.band[i] ?? 0] ?? unknownBase,
    baseBack: unknownBase,
    appeal: own.appeal[i] ?? 0,
    selectivity: own.selectivity[i] ?? 0,
    inboxPenalty: Math.log(own.inboxFactor[i] ?? 1),
    boost: 1,
  });
}

/** The nightly job: counters and weights decay, and capacities follow what members read. */
export function beginDay(knowledge: Knowledge, { sides }: Scene, day: number): void {
  const [keptImpressions, keptDecided] = [keptAfterADay(impressionDays), keptAfterADay(decidedDays)];
  for (const side of bothSides) {
    const learned = knowledge[side];
    const { count, joinDay } = sides[side];
    for (let i = 0; i < count; i += 1) {
      learned.selectivityWeight[i] = decayed(learned.selectivityWeight[i] ?? 0, 1);
      learned.appealWeight[i] = decayed(learned.appealWeight[i] ?? 0, 1);
      learned.decisionsReceived[i] = decayed(learned.decisionsReceived[i] ?? 0, 1);
      learned.likesReceived[i] = decayed(learned.likesReceived[i] ?? 0, 1);
      learned.impressionsInWeek[i] = keptImpressions * (learned.impressionsInWeek[i] ?? 0);
      learned.cardsDecided[i] = keptDecided * (learned.cardsDecided[i] ?? 0);
      const days = Math.min(decidedDays, Math.max(0, day - (joinDay[i] ?? 1)));
      learned.capacity[i] = capacity(expectedReads(learned.cardsDecided[i] ?? 0, days), answersAtFirst);
      learned.absenceTerm[i] = absenceTerm(day - Math.max(learned.lastActive[i] ?? 0, joinDay[i] ?? 1));
      renewInbox(learned, i);
    }
  }
}

/** Learns from one card: i on `side` decided about j, whose content term was `content`. */
export function learnDecision(
  knowledge: Knowledge,
  side: Side,
  { i, j, content, liked }: { i: number; j: number; content: number; liked: boolean },
): void {
  const own = knowledge[side];
  const other = knowledge[otherSide(side)];
  const band = other.band[j] ?? 0;
  const base = own.base[band] ?? unknownBase;
  const alike = alikeness(own.appeal[i] ?? 0, other.appeal[j] ?? 0);
  const p = chance(base, own.selectivity[i] ?? 0, other.appeal[j] ?? 0, content + alike * own.alikeWeight);
  const residual = (liked ? 1 : 0) - p;
  const gained = information(p);
  const counted = countAlike(alike, own.alikeWeight, residual, gained);
  own.alike.information += counted.information;
  own.alike.evidence += counted.evidence;
  own.alikeWeight = alikeWeightOf(own.alike);
  own.selectivityWeight[i] = (own.selectivityWeight[i] ?? 0) + gained;
  other.appealWeight[j] = (other.appealWeight[j] ?? 0) + gained;
  own.selectivity[i] = movedScore(own.selectivity[i] ?? 0, own.selectivityWeight[i] ?? 0, residual, selectivitySd);
  other.appeal[j] = movedScore(other.appeal[j] ?? 0, other.appealWeight[j] ?? 0, residual, appealSd);
  renewFactors(own, i);
  renewFactors(other, j);
  own.segmentShown[band] = (own.segmentShown[band] ?? 0) + 1;
  if (liked) own.segmentLiked[band] = (own.segmentLiked[band] ?? 0) + 1;
  own.base[band] = baseOf(own.segmentShown[band] ?? 0, own.segmentLiked[band] ?? 0);
  own.cardsDecided[i] = (own.cardsDecided[i] ?? 0) + 1;
  other.decisionsReceived[j] = (other.decisionsReceived[j] ?? 0) + 1;
  if (liked) other.likesReceived[j] = (other.likesReceived[j] ?? 0) + 1;
  other.impressionsInWeek[j] = (other.impressionsInWeek[j] ?? 0) + 1;
  renewBucket(own, other, i);
  renewBucket(other, own, j);
}

/** Learns from a match that is a week old. */
export function learnMatch(knowledge: Knowledge, man: number, woman: number, isGood: boolean): void {
  const base = baseOf(knowledge[men].matches, knowledge[men].conversations);
  const members = [
    [knowledge[men], man],
    [knowledge[women], woman],
  ] as const;
  const part = ([learned, i]: (typeof members)[number]) => ({
    ...{ value: learned.warmth[i] ?? 0, weight: learned.warmthWeight[i] ?? 0, days: 0 },
  });
  const y = isGood ? 1 : 0;
  const after = learnFromMatch(base, [part(members[0]), part(members[1])], [y, y]);
  for (const [at, [learned, i]] of members.entries()) {
    learned.warmth[i] = after[at]?.value ?? 0;
    learned.warmthWeight[i] = after[at]?.weight ?? 0;
    learned.warmthTerm[i] = warmthTerm(base, learned.warmth[i] ?? 0);
    learned.matches += 1;
    if (isGood) learned.conversations += 1;
  }
}

/** Adds or removes one like that awaits i's decision. */
export function changePending(learned: Learned, i: number, by: 1 | -1): void {
  learned.pendingLikes[i] = (learned.pendingLikes[i] ?? 0) + by;
  renewInbox(learned, i);
}
