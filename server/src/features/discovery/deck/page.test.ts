import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { composePage, type Deck, type Place } from './page.ts';
import { keepBest, medianOf, offer, shortlist } from './best.ts';

interface Row {
  rank: number;
  likes?: boolean;
  decoy?: boolean;
  vip?: boolean;
  seen?: number;
  decisions?: number;
}

const deckOf = (rows: Row[]): Deck => ({
  count: rows.length,
  rank: rows.map(({ rank }) => rank),
  likesViewer: rows.map(({ likes }) => (likes === true ? 1 : 0)),
  isDecoy: rows.map(({ decoy }) => (decoy === true ? 1 : 0)),
  isVip: rows.map(({ vip }) => (vip === true ? 1 : 0)),
  impressionsInWeek: rows.map(({ seen }) => seen ?? 50),
  decisionsReceived: rows.map(({ decisions }) => decisions ?? 100),
});
const page = (rows: Row[], seed = 1) => composePage(deckOf(rows), seed);
const indexes = (places: Place[], slot: Place['slot']) =>
  places.filter((place) => place.slot === slot).map(({ index }) => index);
const range = (from: number, to: number) => Array.from({ length: to - from }, (_, place) => from + place);
/** This many known members, the best first. */
const crowd = (count: number, row: Partial<Row> = {}): Row[] =>
  Array.from({ length: count }, (_, place) => ({ rank: -1 - place / 100, ...row }));

describe('a page', () => {
  test('contains at most eight pending likers, the best ones, however low all of them rank', () => {
    const places = page([...crowd(12, { likes: true }), ...crowd(60).map(({ rank }) => ({ rank: rank - 5 }))]);
    expect(places).toHaveLength(20);
    expect(indexes(places, 'liker')).toEqual([0, 1, 2, 3, 4, 5, 6, 7]);
  });

  test('includes pending likers even if everyone else ranks higher', () => {
    const places = page([...crowd(60), { rank: -9, likes: true }]);
    expect(indexes(places, 'liker')).toEqual([60]);
  });

  test('gives decoys as many places as likers, without taking places from likers', () => {
    const decoys = crowd(12, { decoy: true }).map((row) => ({ ...row, rank: row.rank + 1 }));
    const places = page([
      ...crowd(12, { likes: true }),
      ...decoys,
      ...crowd(60).map(({ rank }) => ({ rank: rank + 2 })),
    ]);
    const [likers, deceiving] = [range(0, 8), range(12, 20)];
    expect(indexes(places, 'liker').sort((one, other) => one - other)).toEqual([...likers, ...deceiving]);
    expect(indexes(page([...crowd(60), { rank: -9, decoy: true }]), 'liker')).toEqual([60]);
  });

  test('is filled by rank except for two exploration slots', () => {
    const places = page(crowd(100));
    expect(indexes(places, 'ranked')).toEqual(Array.from({ length: 18 }, (_, place) => place));
    expect(indexes(places, 'exploration')).toHaveLength(2);
  });

  test('gives the exploration slots to the least shown members above the median', () => {
    const rows = crowd(100);
    rows[30] = { rank: rows[30]?.rank ?? 0, seen: 3 };
    rows[40] = { rank: rows[40]?.rank ?? 0, seen: 2 };
    rows[80] = { rank: rows[80]?.rank ?? 0, seen: 0 };
    expect(indexes(page(rows), 'exploration').sort()).toEqual([30, 40]);
  });

  test('gives the exploration slots to newcomers first, at any rank, until they have ten decisions', () => {
    const rows = crowd(100);
    rows[30] = { rank: rows[30]?.rank ?? 0, seen: 0 };
    rows[90] = { rank: rows[90]?.rank ?? 0, seen: 40, decisions: 9 };
    rows[91] = { rank: rows[91]?.rank ?? 0, seen: 40, decisions: 10 };
    expect(indexes(page(rows), 'exploration').sort()).toEqual([30, 90]);
  });

  test('derives only the positions of the exploration slots from the seed', () => {
    const rows = crowd(100);
    const orders = new Set(
      Array.from({ length: 30 }, (_, seed) => page(rows, seed).findIndex(({ slot }) => slot === 'exploration')),
    );
    expect(orders.size).toBeGreaterThan(5);
    const chosen = (seed: number) => page(rows, seed).map(({ index }) => index);
    expect(chosen(1)).toEqual(chosen(1));
    expect(chosen(1).sort()).toEqual(chosen(2).sort());
  });

  test('contains at most two boosted premium members, at any rank', () => {
    const likers = crowd(10, { vip: true, likes: true });
    const places = page([...likers, ...crowd(20, { vip: true }), ...crowd(60).map(({ rank }) => ({ rank: rank - 5 }))]);
    expect(places.filter(({ index }) => index < 30)).toHaveLength(2);
    expect(places).toHaveLength(20);
  });

  test('is as short as the deck, and empty for an empty deck', () => {
    expect(page([])).toEqual([]);
    expect(
      page(crowd(3))
        .map(({ index }) => index)
        .sort(),
    ).toEqual([0, 1, 2]);
    expect(page(crowd(19))).toHaveLength(19);
    expect(page(crowd(12, { likes: true }))).toHaveLength(8);
  });

  test('follows every rule for random decks', () => {
    const row = fc.record({
      rank: fc.double({ min: -12, max: 0, noNaN: true }),
      likes: fc.boolean(),
      vip: fc.boolean(),
      seen: fc.nat(200),
      decisions: fc.nat(30),
    });
    fc.assert(
      fc.property(fc.array(row, { maxLength: 80 }), fc.nat(), (rows, seed) => {
        const places = page(rows, seed);
        const count = (is: (row: Row) => boolean) =>
          places.filter(({ index }) => is(rows[index] ?? { rank: 0 })).length;
        expect(new Set(places.map(({ index }) => index)).size).toBe(places.length);
        expect(count(({ likes }) => likes === true)).toBeLessThanOrEqual(8);
        expect(count(({ vip }) => vip === true)).toBeLessThanOrEqual(2);
        expect(indexes(places, 'exploration').length).toBeLessThanOrEqual(2);
        const plain = rows.filter(({ vip, likes }) => !vip && !likes).length;
        expect(places.length).toBeGreaterThanOrEqual(Math.min(12, plain));
        expect(places.length).toBeLessThanOrEqual(20);
        const ranked = places.filter(({ slot }) => slot !== 'exploration').map(({ index }) => rows[index]?.rank ?? 0);
        expect(ranked).toEqual(ranked.toSorted((one, other) => other - one));
      }),
    );
  });
});

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
