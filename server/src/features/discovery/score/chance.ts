import { ageBuckets } from '#contract/constants.ts';
import type { Gender } from '#contract/profiles/gender.ts';

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

/**
 * R_ij, the order of a deck: ln p(i→j) + ln p(j→i) − ln(1 + pending_j / cap_j) + ln v_j, from the
 * log-odds both ways (`certainty` if the person already likes the viewer), `inboxPenalty` and `boostOf`.
 */
export function rankOf(logOddsThere: number, logOddsBack: number, inboxPenalty: number, boost: number): number {
  const back = logOddsBack === certainty ? 0 : logSigmoid(logOddsBack);
  return logSigmoid(logOddsThere) + back - inboxPenalty + (boost === 1 ? 0 : Math.log(boost));
}

/** v_j: 1 without premium, else the given factor, limited to 1…`boostMax`. */
export function boostOf(isVip: boolean, factor: number): number {
  return isVip ? Math.min(boostMax, Math.max(1, factor)) : 1;
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
