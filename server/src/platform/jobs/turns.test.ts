import { afterEach, describe, expect, it, vi } from 'vitest';
import { sql } from 'kysely';
import { startApp } from '../../../test/harness.ts';
import { deleteWhere, eachInTurn, pagesOf } from './turns.ts';

/** Pages of two of the numbers from 1 to 5. */
const numbers = () =>
  pagesOf<number>((after = 0) => Promise.resolve([after + 1, after + 2].filter((number) => number <= 5)));

afterEach(() => vi.useRealTimers());

describe('eachInTurn', () => {
  it.each<[string, number[], RegExp | null]>([
    ['nothing fails', [], null],
    ['the first item fails', [1], /^number 1$/],
    ['a whole page fails', [1, 2], /^2 failed, the first with: Error: number 1$/],
    ['all items fail', [1, 2, 3, 4, 5], /^5 failed/],
  ])('works on all items once when %s', async (_, failing, message) => {
    const seen: number[] = [];
    const round = eachInTurn(numbers(), async (number) => {
      seen.push(number);
      if (failing.includes(number)) throw new Error(`number ${number}`);
    });
    await (message === null ? round : expect(round).rejects.toThrow(message));
    expect(seen).toEqual([1, 2, 3, 4, 5]);
  });

  it('ends the round once failures have taken a minute', async () => {
    vi.useFakeTimers({ toFake: ['performance'] });
    const seen: number[] = [];
    const round = eachInTurn(numbers(), async (number) => {
      seen.push(number);
      vi.advanceTimersByTime(31_000);
      if (number > 1) throw new Error('no answer');
    });
    await expect(round).rejects.toThrow(/^2 failed/);
    expect(seen).toEqual([1, 2, 3]);
  });
});

describe('deleteWhere', () => {
  it('deletes everything that is over, however much it is, and nothing else', async () => {
    const { db, close } = await startApp();
    await sql`insert into refused_address (address_hash, refused_until)
      select int4send(n), '2026-01-01'::timestamptz + make_interval(days => n % 2) from generate_series(1, 9000) n`.execute(
      db,
    );
    await deleteWhere(db, 'refused_address', sql`refused_until <= '2026-01-01'`);
    const { rows } = await sql`select refused_until = '2026-01-02' as "isLater", count(*)::int from refused_address
      group by 1`.execute(db);
    expect(rows).toEqual([{ isLater: true, count: 4500 }]);
    await close();
  });
});
