import { describe, expect, it } from 'vitest';
import { numberOf, seqOf } from './numbering.ts';

describe('the message numbers on one side', () => {
  it.each([
    { held: 0, moved: [], seqs: [1, 2, 3] },
    { held: 2, moved: [], seqs: [1, 2, 3] },
    { held: 2, moved: [2, 3], seqs: [1, 4, 5] },
    { held: 3, moved: [1, 4], seqs: [2, 3, 5] },
  ])('have no gaps after $held held messages, of which $moved were delivered', ({ held, moved, seqs }) => {
    const numbers = seqs.map((seq) => numberOf({ held, moved }, seq));
    expect(numbers).toEqual(seqs.map((_, index) => held + 1 + index));
    expect(numbers.map((number) => seqOf({ held, moved }, number))).toEqual(seqs);
  });
});
