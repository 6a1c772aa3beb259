import { describe, expect, it } from 'vitest';
import { isOwnLike, likeOutcome } from './like.policy.ts';

describe('likeOutcome', () => {
  it.each([
    // Each row: the caller's decision, the other person's decision, and the outcome of a like.
    [undefined, undefined, 'send'],
    [undefined, 'pass', 'send'],
    [undefined, 'like', 'match'],
    [undefined, 'unmatch', 'refuse'],
    ['pass', undefined, 'send'],
    ['pass', 'pass', 'send'],
    ['pass', 'like', 'match'],
    ['pass', 'unmatch', 'refuse'],
    ['like', undefined, 'repeat'],
    ['like', 'pass', 'repeat'],
    ['like', 'like', 'match'],
    ['like', 'unmatch', 'refuse'],
    ['unmatch', undefined, 'refuse'],
    ['unmatch', 'pass', 'refuse'],
    ['unmatch', 'like', 'refuse'],
    ['unmatch', 'unmatch', 'refuse'],
    ['held', undefined, 'repeat'],
    ['held', 'like', 'repeat'],
    ['dropped', 'pass', 'repeat'],
    ['dropped', 'like', 'repeat'],
  ] as const)('returns, for the caller’s %s and the other person’s %s, %s', (own, back, outcome) => {
    expect(likeOutcome(own, back)).toBe(outcome);
  });
});

describe('isOwnLike', () => {
  it.each([
    ['like', true],
    ['held', true],
    ['dropped', true],
    ['pass', false],
    ['unmatch', false],
    [undefined, false],
  ] as const)('returns, for %s, %s', (own, isLike) => {
    expect(isOwnLike(own)).toBe(isLike);
  });
});
