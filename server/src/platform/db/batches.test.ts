import { setTimeout as pause } from 'node:timers/promises';
import pg from 'pg';
import { describe, expect, it } from 'vitest';
import { inBatches } from './batches.ts';

/** Work that records its batches, takes a moment, and refuses a batch with a negative number. */
function doubling(error: () => Error = refusal) {
  const batches: number[][] = [];
  const work = async (numbers: number[]) => {
    batches.push(numbers);
    await pause(5);
    if (numbers.some((number) => number < 0)) throw error();
    return numbers.map((number) => number * 2);
  };
  return { batches, work };
}

function refusal(): Error {
  return Object.assign(new pg.DatabaseError('no such account', 0, 'error'), { code: '23503' });
}

describe('work in batches', () => {
  it('combines what is asked for at once, and then what waits', async () => {
    const { batches, work } = doubling();
    const double = inBatches(work, { atOnce: 2, most: 100 });
    const first = [1, 2].map(double);
    await pause(1);
    const second = double(3);
    await pause(1);
    const waiting = [4, 5].map(double);
    expect(await Promise.all([...first, second, ...waiting])).toEqual([2, 4, 6, 8, 10]);
    expect(batches).toEqual([[1, 2], [3], [4, 5]]);
  });

  it('uses all places for more items than fit into one batch', async () => {
    const { batches, work } = doubling();
    const double = inBatches(work, { atOnce: 2, most: 2 });
    const answers = Promise.all([1, 2, 3, 4, 5].map(double));
    await pause(1);
    expect(batches).toEqual([
      [1, 2],
      [3, 4],
    ]);
    expect(await answers).toEqual([2, 4, 6, 8, 10]);
  });

  it('respects the batch size and takes one item per key, in order', async () => {
    const { batches, work } = doubling();
    const double = inBatches(work, { atOnce: 1, most: 3, keyOf: (number) => String(number % 10) });
    expect(await Promise.all([1, 11, 21, 2, 3, 4].map(double))).toEqual([2, 22, 42, 4, 6, 8]);
    expect(batches).toEqual([[1, 2, 3], [11, 4], [21]]);
  });

  it('isolates failures of single items', async () => {
    const { batches, work } = doubling();
    const double = inBatches(work, { atOnce: 1, most: 100 });
    const answers = await Promise.allSettled([1, 2, -3, 4].map(double));
    expect(answers.map(({ status }) => status)).toEqual(['fulfilled', 'fulfilled', 'rejected', 'fulfilled']);
    expect(batches).toEqual([[1, 2, -3, 4], [1], [2], [-3], [4]]);
    expect(await double(5)).toBe(10);
  });

  it('does not retry items individually if the database is unreachable', async () => {
    const { batches, work } = doubling(() => new Error('Connection terminated'));
    const double = inBatches(work, { atOnce: 1, most: 100 });
    const answers = await Promise.allSettled([1, -2].map(double));
    expect(answers.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
    expect(batches).toEqual([[1, -2]]);
  });
});
