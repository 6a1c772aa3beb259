import { describe, expect, it } from 'vitest';
import { likeOutcome } from './like.policy.ts';

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
  ] as const)('returns, for the caller’s %s and the other person’s %s, %s', (own, back, outcome) => {
    expect(likeOutcome(own, back)).toBe(outcome);
  });
});
