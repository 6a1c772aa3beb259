import { describe, expect, it } from 'vitest';
import { likeOutcome } from './like.policy.ts';

describe('likeOutcome', () => {
  it.each([
    // The caller's decision, the other person's, what a like leads to.
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
  ] as const)('after own %s and back %s: %s', (own, back, outcome) => {
    expect(likeOutcome(own, back)).toBe(outcome);
  });
});
