import { describe, expect, it } from 'vitest';
import type { StaffRole } from '#contract/staff-roles.ts';
import { daysLeft, type Given, placed, startOf } from './policy.ts';

const now = new Date('2026-06-15T12:00:00.000Z');
const inDays = (days: number) => new Date(now.getTime() + days * 86_400_000);
const gift = (from: number, days: number, revoked: number | null = null): Given => ({
  days,
  starts_at: inDays(from),
  ends_at: inDays(from + days),
  granted_at: inDays(from),
  revoked_at: revoked === null ? null : inDays(revoked),
});

describe('the days of premium that staff may give', () => {
  it.each<[string, StaffRole | null, Given[], number]>([
    ['all of the limit without earlier gifts', 'support', [], 7],
    ['the limit of billing', 'billing', [], 31],
    ['the limit of an administrator', 'admin', [], 366],
    ['none to a role without the right', 'moderator', [], 0],
    ['none to a member', null, [], 0],
    ['what earlier gifts left', 'support', [gift(-10, 3)], 4],
    ['nothing once they used the limit up', 'support', [gift(-10, 7)], 0],
    ['nothing after a larger gift of someone else', 'support', [gift(-10, 31)], 0],
    ['all again a year later', 'support', [gift(-366, 7)], 7],
    ['the days that a revoked gift lasted', 'support', [gift(-10, 7, -7.5)], 4],
    ['all after a gift that was revoked before it began', 'support', [gift(2, 7, 1)], 7],
    ['the sum of several', 'senior', [gift(-300, 10), gift(-20, 10), gift(-5, 10)], 1],
  ])('are %s', (_, role, given, days) => {
    expect(daysLeft(role, given, now)).toBe(days);
  });
});

describe('the start dates of gifts', () => {
  const day = (at: Date) => (at.getTime() - now.getTime()) / 86_400_000;
  it.each<[string, Given[], { until: number; paidSince?: number }, [from: number, until: number][]]>([
    [
      'stay without paid time',
      [gift(-2, 6), gift(4, 3)],
      { until: -9 },
      [
        [-2, 4],
        [4, 7],
      ],
    ],
    ['begin after paid time', [gift(0, 14)], { until: 30, paidSince: 0 }, [[30, 44]]],
    [
      'begin after a year of paid time, one after the other',
      [gift(0, 14), gift(14, 7)],
      { until: 365, paidSince: 0 },
      [
        [365, 379],
        [379, 386],
      ],
    ],
    ['begin after credit', [gift(0, 3)], { until: 5 }, [[5, 8]]],
    ['leave what was not used to the time after a purchase', [gift(-4, 14)], { until: 30, paidSince: 0 }, [[30, 40]]],
    ['move with a renewal', [gift(0, 14)], { until: 31, paidSince: 0 }, [[31, 45]]],
    ['return what was used before a late renewal', [gift(-3, 14)], { until: 27, paidSince: -3 }, [[27, 41]]],
    ['return one that was used up before a late renewal', [gift(-3, 1)], { until: 27, paidSince: -3 }, [[27, 28]]],
    ['begin now when paid time is lost', [gift(20, 14)], { until: -1 }, [[0, 14]]],
    [
      'close the gap of a revoked one',
      [gift(-2, 6), gift(7, 2), gift(9, 1)],
      { until: -9 },
      [
        [-2, 4],
        [4, 6],
        [6, 7],
      ],
    ],
    ['begin now after a revoked one', [gift(6, 1)], { until: -9 }, [[0, 1]]],
  ])('%s', (_, given, { until, paidSince }, times) => {
    const before = { until: inDays(until), paidSince: paidSince === undefined ? null : inDays(paidSince) };
    const moved = placed(given, before, now);
    expect(moved.map(({ starts_at, ends_at }) => [day(starts_at), day(ends_at)])).toEqual(times);
  });
});

describe('where the first gift starts', () => {
  it.each<[string, Given[], number]>([
    ['now without others', [], 0],
    ['now after those that are over', [gift(-10, 3)], 0],
    ['the end of the one that lasts longest', [gift(-1, 3), gift(2, 5)], 7],
    ['now after a revoked one', [gift(-1, 30, 0)], 0],
  ])('is %s', (_, given, days) => {
    expect(startOf(given, now)).toEqual(inDays(days));
  });
});
