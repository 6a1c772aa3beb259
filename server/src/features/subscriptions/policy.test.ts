import { describe, expect, test } from 'vitest';
import { subscriptionStatuses, type SubscriptionStatus } from '#contract/subscriptions/plan.ts';
import { entitledUntil, isCurrent, type SubscriptionState } from './policy.ts';

const now = new Date('2026-06-15T12:00:00Z');
const ahead = new Date('2026-07-01T00:00:00Z');
const behind = new Date('2026-06-01T00:00:00Z');
const state = (
  status: SubscriptionStatus,
  paidThrough: Date | null,
  more: Partial<SubscriptionState> = {},
): SubscriptionState => ({
  status,
  paidThrough,
  trialEnd: null,
  renewalOpenUntil: null,
  ...more,
});
const entitles = (one: SubscriptionState) => (entitledUntil(one)?.getTime() ?? 0) > now.getTime();

/** Each status with a current, a past and no paid period. */
const table: [SubscriptionStatus, paidAhead: boolean, paidBehind: boolean, unpaid: boolean][] = [
  ['incomplete', false, false, false],
  ['incomplete_expired', false, false, false],
  ['trialing', true, false, false],
  ['active', true, false, false],
  ['past_due', true, false, false],
  ['unpaid', true, false, false],
  ['canceled', true, false, false],
  ['paused', true, false, false],
];

describe('premium', () => {
  test('has a test case for every status', () => {
    expect(table.map(([status]) => status)).toEqual([...subscriptionStatuses]);
  });

  test.each(table)('of a %s subscription follows the paid period', (status, paidAhead, paidBehind, unpaid) => {
    expect(entitles(state(status, ahead))).toBe(paidAhead);
    expect(entitles(state(status, behind))).toBe(paidBehind);
    expect(entitles(state(status, null))).toBe(unpaid);
  });

  test('from a trial ends with the subscription, while paid time does not', () => {
    expect(entitles(state('trialing', ahead, { trialEnd: ahead }))).toBe(true);
    expect(entitles(state('canceled', ahead, { trialEnd: ahead }))).toBe(false);
    expect(entitles(state('canceled', ahead, { trialEnd: behind }))).toBe(true);
  });

  test('continues only while a renewal can still be retried', () => {
    const open = { renewalOpenUntil: new Date('2026-06-15T13:00:00Z') };
    expect(entitles(state('active', behind, open))).toBe(true);
    expect(entitles(state('active', null, open))).toBe(false);
    expect(entitles(state('past_due', behind, open))).toBe(false);
    expect(entitles(state('active', behind, { renewalOpenUntil: behind }))).toBe(false);
  });
});

describe('the current subscription', () => {
  test.each([
    ['incomplete', ahead, false],
    ['incomplete_expired', ahead, false],
    ['trialing', ahead, true],
    ['active', ahead, true],
    ['past_due', behind, true],
    ['unpaid', behind, true],
    ['paused', behind, true],
    ['canceled', ahead, true],
    ['canceled', behind, false],
    ['canceled', now, false],
    ['canceled', new Date(now.getTime() + 1), true],
    ['canceled', null, false],
  ] as const)('with status %s and paid through %s is: %s', (status, paidThrough, expected) => {
    expect(isCurrent(state(status, paidThrough), now)).toBe(expected);
  });
});
