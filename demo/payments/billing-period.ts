import { monthsAfter } from '#contract/subscriptions/plan.ts';

/**
 * The end of a period of `months` that starts at `start`. Counted from `first`, the start of the very first period, so
 * that a subscription that started on the 31st returns to it after a shorter month.
 */
export function periodEndOf(first: Date, start: Date, months: number): Date {
  const passed = (start.getUTCFullYear() - first.getUTCFullYear()) * 12 + start.getUTCMonth() - first.getUTCMonth();
  return monthsAfter(first, passed + months);
}

/** The share of a period from `start` to `end` that lies after `at`: 1 for all of it, 0 for none. */
export function unusedShare(start: Date, end: Date, at: Date): number {
  const share = (end.getTime() - at.getTime()) / (end.getTime() - start.getTime());
  return Math.min(1, Math.max(0, share));
}
