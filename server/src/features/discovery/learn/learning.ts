import { sigmoid, unknownBase } from '../score/score.ts';

/** How much people differ: standard deviations in log-odds. */
export const selectivitySd = 1.15;
export const appealSd = 1.02;
/** S and A stay within ± 2. */
export const memberScoreMax = 2;
/** Half-life of learned values, in days. */
export const halfLifeDays = 90;

/** The windows, in days, of the counters of how often a member's card was shown and how many cards the member decided on. */
export const impressionDays = 7;
export const decidedDays = 28;

/** The share of a counter that is left after a day, so that it holds about its last `days` days. */
export function keptAfterADay(days: number): number {
  return 1 - 1 / days;
}

/** A learned value: S or A in one segment, with W, the information behind it. */
export interface Estimate {
  value: number;
  weight: number;
}

/** Unknown members start at the mean of their segment, not at its bottom. */
export const nothingLearned: Estimate = { value: 0, weight: 0 };

/** A segment starts as if this many cards had been decided on at `unknownBase`. */
const segmentPriorCards = 40;

/** b of a segment: the log-odds of the share of likes among the cards shown and decided in it. */
export function baseOf(shown: number, liked: number): number {
  const share = (liked + segmentPriorCards * sigmoid(unknownBase)) / (shown + segmentPriorCards);
  return Math.log(share / (1 - share));
}

/** An amount after `days` of decay with a half-life of 90 days. */
export function decayed(amount: number, days: number): number {
  return amount * 2 ** (-days / halfLifeDays);
}

/** What a decision with probability p adds to W: p(1 − p). */
export function information(p: number): number {
  return p * (1 - p);
}

/** A value after a decision: moved by (y − p) / (W + 1/sd²), where W includes this decision too; not limited. */
export function moved(value: number, weight: number, residual: number, sd: number): number {
  return value + residual / (weight + 1 / sd ** 2);
}

/** S or A after a decision, like `moved` but limited to ± 2. */
export function movedScore(value: number, weight: number, residual: number, sd: number): number {
  return Math.min(memberScoreMax, Math.max(-memberScoreMax, moved(value, weight, residual, sd)));
}

function learned({ value, weight }: Estimate, y: number, p: number, days: number, sd: number): Estimate {
  const grown = decayed(weight, days) + information(p);
  return { value: movedScore(value, grown, y - p, sd), weight: grown };
}

/** One card that was shown and decided on. */
export interface Decision {
  liked: boolean;
  base: number;
  content: number;
  /** The `alikeness` of the two, and the weight it is multiplied by. */
  alike: number;
  alikeWeight: number;
  /** S of the person who decided, and the days since its last update. */
  selectivity: Estimate;
  selectivityDays: number;
  /** A of the person who was shown, and the days since its last update. */
  appeal: Estimate;
  appealDays: number;
}

/**
 * S of the person who decided and A of the person who was shown, after the decision. Both move by the residual y − p, so that neither
 * depends on which people happened to be shown.
 */
export function learnFrom(decision: Decision): { selectivity: Estimate; appeal: Estimate; alike: AlikeCounts } {
  const { base, content, alike, alikeWeight, selectivity, appeal, selectivityDays, appealDays } = decision;
  const y = decision.liked ? 1 : 0;
  const p = sigmoid(base + selectivity.value + appeal.value + content + alike * alikeWeight);
  return {
    selectivity: learned(selectivity, y, p, selectivityDays, selectivitySd),
    appeal: learned(appeal, y, p, appealDays, appealSd),
    alike: countAlike(alike, alikeWeight, y - p, information(p)),
  };
}

/** Sums over decisions from which `alikeWeightOf` computes a weight. Decisions can be added in any order. */
export interface AlikeCounts {
  information: number;
  evidence: number;
}

/** Adds the terms of a decision: f²p(1 − p), and its surprise times f with the weight it was predicted with, as in Newton's method. */
export function countAlike(alike: number, weight: number, residual: number, gained: number): AlikeCounts {
  const information = gained * alike ** 2;
  return { information, evidence: residual * alike + weight * information };
}

/** The information of the prior that alikeness doesn't matter: that of about a thousand decisions. */
const alikePrior = 100;
/** Chance alone can explain an effect of up to this many standard deviations. */
const chanceDeviations = 2;
const alikeWeightMax = 1.5;

/**
 * The weight that `alikeness` is multiplied by: how strongly people prefer others of similar appeal; 0 where chance would explain it too.
 */
export function alikeWeightOf({ information, evidence }: AlikeCounts): number {
  const beyondChance = Math.max(0, evidence - chanceDeviations * Math.sqrt(information));
  return Math.min(alikeWeightMax, beyondChance / (information + alikePrior));
}

/** How much people differ in the outcomes of their matches: a standard deviation in log-odds. */
export const warmthSd = 0.6;
/** The age, in days, at which a match is learned from. */
export const outcomeDays = 7;

/** The state of one member of a match: T, and the days since its last update. */
interface Part extends Estimate {
  days: number;
}

/**
 * T of both members of a match after a week, moved by how much the outcome differs from what was expected: y is 1 for a conversation, 0 for
 * none, and null where nothing is learned about that member. `base` is the log-odds that an average match becomes a conversation.
 */
export function learnFromMatch(base: number, parts: readonly [Part, Part], y: readonly [Y, Y]): [Estimate, Estimate] {
  const p = sigmoid(base + parts[0].value + parts[1].value);
  const after = ({ days, ...part }: Part, own: Y): Estimate =>
    own === null ? { value: part.value, weight: decayed(part.weight, days) } : learned(part, own, p, days, warmthSd);
  return [after(parts[0], y[0]), after(parts[1], y[1])];
}
type Y = 0 | 1 | null;

/** How many matches the answer counts as when two people met and one would like to meet the other again. */
const meetingCounts = 2;

/**
 * T of a member after a match said that they met and would like to meet again, which is the best possible outcome of a match. `base` is as
 * in `learnFromMatch`. The other person's T is taken as 0 here, since the answer isn't about them.
 */
export function learnFromMeeting(base: number, { days, ...warmth }: Part): Estimate {
  let after: Estimate = { value: warmth.value, weight: decayed(warmth.weight, days) };
  for (let times = 0; times < meetingCounts; times += 1)
    after = learned(after, 1, sigmoid(base + after.value), 0, warmthSd);
  return after;
}
