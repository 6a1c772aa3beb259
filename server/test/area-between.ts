import { wilcoxonRankSum } from 'simple-statistics';

/**
 * The probability that a value of `cases` is higher than one of `others`, with ties counting half: the area under the
 * ROC curve. 0.5 means that the two don't differ. Throws if one of them is empty.
 */
export function areaBetween(cases: number[], others: number[]): number {
  // Mann and Whitney's U, computed from the rank sum, as a share of all pairs.
  return (wilcoxonRankSum(cases, others) - (cases.length * (cases.length + 1)) / 2) / (cases.length * others.length);
}
