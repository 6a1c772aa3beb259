import { ageBuckets } from '#contract/statistics.ts';
import type { Gender } from '#contract/profiles/profile-details.ts';
import { contentOf, contentTerms, type ContentTerms, type Feature } from './content.ts';
import { type Candidate, type MarketStats, silentDaysMax, type Viewer } from './people.ts';

/** Days within which a member is expected to read the likes counted by `expectedReads`. */
const readingDays = 7;
/**
 * Expected number of read likes per card decided on. A page has room for more; a lower number spreads likes over more people. `npm run
 * eval:match` weighs the total of matches against the number of members without any.
 */
const likersPerCard = 0.08;
/** The prior for an unknown member: ten cards a day, with the weight of four observed days. */
const unseen = { cardsPerDay: 10, days: 4 };
const readsFloor = 3;
/** A Beta(3, 2) prior: three of five answered. */
const answeredAtFirst = 3;
const askedAtFirst = 5;
const replyFactor = { least: 0.7, most: 1.2 };

/**
 * The likes a member is expected to read in the next 7 days, from the number of cards they decided on in the last `days` days (28 at most,
 * fewer for new members); at least 3.
 */
export function expectedReads(cardsDecided: number, days: number): number {
  const perDay = (cardsDecided + unseen.cardsPerDay * unseen.days) / (days + unseen.days);
  return Math.max(readsFloor, perDay * readingDays * likersPerCard);
}

/** The share of first messages a member answers, smoothed by Beta(3, 2): 0.6 before the first. */
export function replyRate(answered: number, received: number): number {
  return (answered + answeredAtFirst) / (received + askedAtFirst);
}

/** cap_j: the likes expected to be read in a week, times 0.7 (never answers) to 1.2 (always). */
export function capacity(readsWeekly: number, replies: number): number {
  const factor = replyFactor.least + (replyFactor.most - replyFactor.least) * replies;
  return Math.max(readsFloor, readsWeekly) * factor;
}

/** How steeply the share of better likes in an inbox falls with a like's standing. */
const standingSlope = 1.6;

/**
 * ln(1 + q · pending_j / cap_j): how much waiting likes lower a member's rank. Members read the best likes first, so the like of a viewer
 * the member would prefer waits behind fewer: q = 2σ(−1.6 · standing), where `standing` is A_i + C_ji, the log-odds by which the
 * viewer is liked more than average; q is 1 for an average viewer.
 */
export function inboxPenalty(pending: number, cap: number, standing = 0): number {
  return Math.log1p((betterShare(standingFactor(standing)) * pending) / cap);
}

/** e^(1.6 · standing). The factors of A_i and C_ji multiply, so that many members can share their exponentials. */
export function standingFactor(standing: number): number {
  return Math.exp(standingSlope * standing);
}

/** q, from the factor of a standing. */
export function betterShare(factor: number): number {
  return 2 / (1 + factor);
}

/** The capacity of a member who neither reads nor answers, which is the minimum. */
export const capacityFloor = readsFloor * replyFactor.least;

/** The largest factor for premium or a boost. */
export const boostMax = 1.25;
/** Log-odds of an event that has already happened: its probability is 1. */
export const certainty = Infinity;
/** The base log-odds of an unknown segment: one card in five is liked. */
export const unknownBase = Math.log(0.2 / 0.8);

/** The probability, 0…1, of these log-odds. */
export function sigmoid(logOdds: number): number {
  return 1 / (1 + Math.exp(-logOdds));
}

/** The natural logarithm of `sigmoid`, exact at both ends. */
export function logSigmoid(logOdds: number): number {
  return logOdds > 0 ? -Math.log1p(Math.exp(-logOdds)) : logOdds - Math.log1p(Math.exp(logOdds));
}

/** Log-odds that i likes j when shown: b + S_i + A_j + C_ij. */
export function likeLogOdds(base: number, selectivity: number, appeal: number, content: number): number {
  return base + selectivity + appeal + content;
}

/** p(i→j), the probability that i likes j when shown: σ(b + S_i + A_j + C_ij). */
export function chance(base: number, selectivity: number, appeal: number, content: number): number {
  return sigmoid(likeLogOdds(base, selectivity, appeal, content));
}

/** From this difference in appeal on, two people are less alike than usual. */
const usualDifference = 0.8;

/**
 * How alike two people are in appeal, from their values of A: 0 at the usual difference. Multiplied by the learned weight
 * (`alikeWeightOf`), it is added to the log-odds of a like both ways.
 */
export function alikeness(appeal: number, otherAppeal: number): number {
  return usualDifference - Math.abs(appeal - otherAppeal);
}

/** The weight of the inbox of a person who already likes the viewer: a match doesn't wait in it, only the first message does. */
const likersInbox = 0.25;

/**
 * R_ij, the order of a deck: ln p(i→j) + ln p(j→i) − ln(1 + q · pending_j / cap_j) + ln v_j, from the
 * log-odds both ways (`certainty` if the person already likes the viewer), `inboxPenalty` and `boostOf`.
 */
export function rankOf(logOddsThere: number, logOddsBack: number, inboxPenalty: number, boost: number): number {
  const there = logSigmoid(logOddsThere) + (boost === 1 ? 0 : Math.log(boost));
  return logOddsBack === certainty
    ? there - likersInbox * inboxPenalty
    : there + logSigmoid(logOddsBack) - inboxPenalty;
}

/**
 * How much T_j, learned from the outcomes of a person's matches, adds to R: ln σ(b + T_j) − ln σ(b), with the log-odds b that a match
 * becomes a conversation; 0 for people with nothing known about them.
 */
export function warmthTerm(base: number, warmth: number): number {
  return logSigmoid(base + warmth) - logSigmoid(base);
}

/** A member who hasn't visited for the first number of days is ranked lower; after the second number of days more, the term is −ln 2. */
const absence = { from: 7, scale: 7 };

/**
 * How much the days since a person's last visit add to R: nothing for a week, then −ln(1 + (days − 7) / 7), because fewer of them come back
 * to answer, up to the day on which they leave discovery. It doesn't apply to people who already like the viewer, because a like makes them
 * a match at once.
 */
export function absenceTerm(days: number): number {
  return -Math.log1p(Math.max(0, Math.min(days, silentDaysMax) - absence.from) / absence.scale);
}

/** Premium raises no one who has been away for this many days. */
const boostedDays = 14;

/** v_j: the given factor, limited to 1…`boostMax`; 1 without premium and for people who have been away. */
export function boostOf(isVip: boolean, factor: number, awayDays = 0): number {
  return isVip && awayDays < boostedDays ? Math.min(boostMax, Math.max(1, factor)) : 1;
}

/** The index of an age in `ageBuckets`. */
export function ageBand(age: number): number {
  return Math.max(
    0,
    ageBuckets.findLastIndex(({ from }) => from <= age),
  );
}

/** The segment of a decision: viewer gender × target gender × age band of the target. */
export function segmentOf(viewer: Gender, target: Gender, targetAge: number): string {
  return `${viewer}>${target}:${ageBuckets[ageBand(targetAge)]?.bucket}`;
}

/** The segment for learning how strongly people prefer others of similar appeal: viewer gender × target gender. */
export function alikeSegment(viewer: Gender, target: Gender): string {
  return `alike ${viewer}>${target}`;
}

/** The segment that counts outcomes of matches: `shown` is the number of matches, `liked` the number of those that became conversations. */
export const matchSegment = 'match';

/** Buckets are 0…63, so that an index on them stays small; higher comes first. */
export const bucketsCount = 64;
/** Scores outside this range go to the first or last bucket. */
const lowest = -8;
const highest = 0;

/** The viewer-independent part of a member's score. */
interface OwnPart {
  /** The base log-odds that viewers like members like this one, and the reverse. */
  baseThere: number;
  baseBack: number;
  appeal: number;
  selectivity: number;
  inboxPenalty: number;
  boost: number;
}

/** The bucket, 0…63, of the viewer-independent part of R: A_j, S_j, the inbox factor and v. */
export function bucketOf({ baseThere, baseBack, appeal, selectivity, inboxPenalty, boost }: OwnPart): number {
  const score = rankOf(baseThere + appeal, baseBack + selectivity, inboxPenalty, boost);
  const place = Math.floor(((score - lowest) / (highest - lowest)) * bucketsCount);
  return Math.min(bucketsCount - 1, Math.max(0, place));
}

const atTheMean = { appeal: 0, selectivity: 0 };

/** A part that can be left out of a score to measure its contribution. */
export type Taken = Feature | 'activity' | 'premium';

/** A card's rank and its parts. */
interface Score {
  /** R: higher comes first. */
  rank: number;
  /** p(viewer→candidate), 0…1. */
  chanceThere: number;
  /** p(candidate→viewer), 0…1; 1 if they already like the viewer. */
  chanceBack: number;
  terms: ContentTerms;
}

/** The parts of R for one viewer and one candidate. */
export interface Parts {
  candidate: Candidate;
  terms: ContentTerms;
  /** Log-odds of a like without C, both ways. */
  there: number;
  back: number;
  capacity: number;
  boost: number;
  /** How much T adds to R. */
  warmth: number;
  /** How much the days since the candidate's last visit add to R. */
  absence: number;
  /** A of the viewer. */
  appeal: number;
}

/** All parts of a score: stated facts, learned values, the candidate's inbox and premium. */
export function partsOf(viewer: Viewer, candidate: Candidate, market: MarketStats): Parts {
  const own = viewer.memberScore[candidate.gender] ?? atTheMean;
  const { memberScore } = candidate;
  const base = (from: Viewer | Candidate, to: Viewer | Candidate) =>
    market.base.get(segmentOf(from.gender, to.gender, to.age)) ?? unknownBase;
  const alike = alikeness(own.appeal, memberScore.appeal);
  const likes = (from: Viewer | Candidate, to: Viewer | Candidate) =>
    alike * (market.alike.get(alikeSegment(from.gender, to.gender)) ?? 0);
  return {
    candidate,
    terms: contentTerms(viewer, candidate, market.interestShares),
    there: likeLogOdds(base(viewer, candidate), own.selectivity, memberScore.appeal, likes(viewer, candidate)),
    back: likeLogOdds(base(candidate, viewer), memberScore.selectivity, own.appeal, likes(candidate, viewer)),
    capacity: capacity(candidate.readsWeekly, candidate.replyRate),
    boost: boostOf(candidate.isVip, market.premiumBoost, candidate.lastActiveDays),
    warmth: warmthTerm(market.base.get(matchSegment) ?? unknownBase, memberScore.warmth ?? 0),
    absence: candidate.likesViewer ? 0 : absenceTerm(candidate.lastActiveDays),
    appeal: own.appeal,
  };
}

/** R computed from these parts, optionally without one of them: a content feature, the candidate's activity, or premium. */
export function scoreFrom({ candidate, terms, ...parts }: Parts, without?: Taken): Score {
  const feature = without === 'activity' || without === 'premium' ? undefined : without;
  const content = contentOf(terms, feature);
  const there = parts.there + content;
  const back = candidate.likesViewer ? certainty : parts.back + content;
  const cap = without === 'activity' ? capacityFloor : parts.capacity;
  const boost = without === 'premium' ? 1 : parts.boost;
  const penalty = inboxPenalty(candidate.pendingLikes, cap, parts.appeal + content);
  return {
    rank: rankOf(there, back, penalty, boost) + parts.warmth + parts.absence,
    chanceThere: sigmoid(there),
    chanceBack: sigmoid(back),
    terms,
  };
}

/** R and its parts for one viewer and one candidate. */
export function scoreOf(viewer: Viewer, candidate: Candidate, market: MarketStats): Score {
  return scoreFrom(partsOf(viewer, candidate, market));
}
