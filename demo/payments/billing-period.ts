import { monthsAfter } from '#contract/subscriptions/plan.ts';

/**
 * The end of a period of `months` that starts at `start`. It has the day of the month of `first`, the start of the very first
 * period, so that a subscription that started on the 31st returns to it after a shorter month.
 */
export function periodEndOf(first: Date, start: Date, months: number): Date {
  return monthsAfter(start, months, first.getUTCDate());
}

/**
 * The start of the first period after a pause that ends at `at`: unchanged if `at` is on its day of the month or on the last
 * day of a shorter month, otherwise `at`.
 */
export function anchorFrom(first: Date, at: Date): Date {
  return monthsAfter(at, 0, first.getUTCDate()).getTime() === at.getTime() ? first : at;
}

/** The share of a period from `start` to `end` that lies after `at`: 1 for all of it, 0 for none. */
export function unusedShare(start: Date, end: Date, at: Date): number {
  const share = (end.getTime() - at.getTime()) / (end.getTime() - start.getTime());
  return Math.min(1, Math.max(0, share));
}
