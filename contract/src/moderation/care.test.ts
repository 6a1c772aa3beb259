import { describe, expect, it } from 'vitest';
import { nextOffered } from './care.ts';

const hard = { types: ['Inappropriate Content', 'Other'], priority: 'high' };
const other = { types: ['Harassment'], priority: 'high' };
const later = { types: ['Harassment'], priority: 'medium' };

describe('the next case', () => {
  it.each([
    ['is the first one after any other case', [hard, other], ['Other'], false, hard],
    ['is of another kind after one that may be hard to look at', [hard, hard, other], hard.types, false, other],
    ['is the first one if no other kind follows soon', [hard, hard, hard, hard, hard, other], hard.types, false, hard],
    ['is not a less urgent one', [hard, later], hard.types, false, hard],
    ['is never one that may be hard to look at after the daily limit', [hard, hard, other], ['Other'], true, other],
    ['is none if only such ones are left then', [hard], ['Other'], true, undefined],
  ] as const)('%s', (_, following, before, isOver, offered) => {
    expect(nextOffered(following, before, isOver)).toBe(offered);
  });
});
