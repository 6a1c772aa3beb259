import { describe, expect, it } from 'vitest';
import { nextOffered } from './care.ts';

const hard = { isSensitive: true, priority: 'high' };
const other = { isSensitive: false, priority: 'high' };
const later = { isSensitive: false, priority: 'medium' };

describe('the next case', () => {
  it('is the first one when the previous case was of any other kind', () => {
    expect(nextOffered([hard, other], false, false)).toBe(hard);
  });

  it('is of another kind after a case that may be hard to look at, if one with the same priority follows soon', () => {
    expect(nextOffered([hard, hard, other], true, false)).toBe(other);
    expect(nextOffered([hard, hard, hard, hard, hard, other], true, false)).toBe(hard);
    expect(nextOffered([hard, later], true, false)).toBe(hard);
  });

  it('skips cases that may be hard to look at once the daily limit is reached', () => {
    expect(nextOffered([hard, hard, other], false, true)).toBe(other);
    expect(nextOffered([hard], false, true)).toBeUndefined();
  });
});
