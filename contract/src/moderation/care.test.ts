import { describe, expect, it } from 'vitest';
import { nextOffered } from './care.ts';

const hard = { types: ['Inappropriate Content', 'Other'], priority: 'high' };
const other = { types: ['Harassment'], priority: 'high' };
const later = { types: ['Harassment'], priority: 'medium' };

describe('the next case', () => {
  it('is the first one after any other case', () => {
    expect(nextOffered([hard, other], ['Other'], false)).toBe(hard);
  });

  it('is of another kind after one that may be hard to look at, if one of its priority follows soon', () => {
    expect(nextOffered([hard, hard, other], hard.types, false)).toBe(other);
    expect(nextOffered([hard, hard, hard, hard, hard, other], hard.types, false)).toBe(hard);
    expect(nextOffered([hard, later], hard.types, false)).toBe(hard);
  });

  it('is none that may be hard to look at after the daily limit', () => {
    expect(nextOffered([hard, hard, other], ['Other'], true)).toBe(other);
    expect(nextOffered([hard], ['Other'], true)).toBeUndefined();
  });
});
