import fc from 'fast-check';
import { expect, test } from 'vitest';
import { keepBest, medianOf, offer, shortlist } from './best.ts';

test('a shortlist keeps the best items in order, and the first of equal ones', () => {
  fc.assert(
    fc.property(fc.array(fc.nat(20)), fc.nat(8), (values, limit) => {
      const list = shortlist(limit);
      for (const [index, value] of values.entries()) offer(list, index, value);
      const order = values.map((value, index) => ({ value, index })).sort((a, b) => b.value - a.value);
      expect(list.indexes).toEqual(order.slice(0, limit).map(({ index }) => index));
    }),
  );
});

test('a heap keeps the same items as a shortlist', () => {
  fc.assert(
    fc.property(fc.array(fc.nat(40), { maxLength: 200 }), fc.nat(60), (values, limit) => {
      const [list, heap] = [shortlist(limit), [] as number[]];
      for (const [index, value] of values.entries()) {
        offer(list, index, value);
        keepBest(heap, limit, values, index);
      }
      expect(heap.toSorted((a, b) => a - b)).toEqual(list.indexes.toSorted((a, b) => a - b));
    }),
  );
});

test('the median equals that of the sorted values, for few and for many values', () => {
  fc.assert(
    fc.property(fc.array(fc.integer({ max: 500 }), { minLength: 1, maxLength: 600 }), (values) => {
      const sorted = values.toSorted((a, b) => a - b);
      expect(medianOf(Float64Array.from(values), values.length)).toBe(sorted[values.length >> 1]);
    }),
  );
});
