import { describe, expect, it } from 'vitest';
import type { StaffRole } from '#contract/staff-roles.ts';
import { daysLeft, type Given, movedForward, startOf } from './policy.ts';

const now = new Date('2026-06-15T12:00:00.000Z');
const inDays = (days: number) => new Date(now.getTime() + days * 86_400_000);
const gift = (from: number, days: number, revoked: number | null = null): Given => ({
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

describe('gifts that are left when one is revoked', () => {
  it.each<[string, Given[], [from: number, until: number][]]>([
    ['begin now after the current one', [gift(0, 6, 0), gift(6, 1)], [[0, 1]]],
    ['stay after one that still runs', [gift(-2, 6), gift(4, 3)], []],
    [
      'close the gap of one between them',
      [gift(-2, 6), gift(4, 3, 0), gift(7, 2), gift(9, 1)],
      [
        [4, 6],
        [6, 7],
      ],
    ],
    ['are none when the last one was revoked', [gift(-9, 3), gift(0, 5, 0)], []],
  ])('%s', (_, given, times) => {
    const moved = movedForward(given, now).map(({ starts_at, ends_at }) => [starts_at, ends_at]);
    expect(moved).toEqual(times.map((days) => days.map(inDays)));
  });
});

describe('the start of a gift', () => {
  it.each<[string, Given[], number]>([
    ['now without others', [], 0],
    ['now after those that are over', [gift(-10, 3)], 0],
    ['the end of the one that lasts longest', [gift(-1, 3), gift(2, 5)], 7],
    ['now after a revoked one', [gift(-1, 30, 0)], 0],
  ])('is %s', (_, given, days) => {
    expect(startOf(given, now)).toEqual(inDays(days));
  });
});
