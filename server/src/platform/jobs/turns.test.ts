import { randomUUID } from 'node:crypto';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { eachInTurn, eachPage, pagesOf } from './turns.ts';

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
  ])('processes all items once when %s', async (_, failing, message) => {
    const seen: number[] = [];
    const round = eachInTurn(numbers(), async (number) => {
      seen.push(number);
      if (failing.includes(number)) throw new Error(`number ${number}`);
    });
    await (message === null ? round : expect(round).rejects.toThrow(message));
    expect(seen).toEqual([1, 2, 3, 4, 5]);
  });

  it('reports earlier items’ failures together with an error while reading later ones', async () => {
    const broken = pagesOf<number>(async (after) => {
      if (after !== undefined) throw new Error('no more pages');
      return [1, 2];
    });
    const refuse = async (number: number) => Promise.reject(new Error(`number ${number}`));
    await expect(eachInTurn(broken, refuse)).rejects.toThrow(/^3 failed, the first with: Error: number 1$/);
  });

  it('runs every step, however long the failures before it take', async () => {
    vi.useFakeTimers({ toFake: ['performance'] });
    const seen: number[] = [];
    const steps = eachInTurn([1, 2, 3], async (step) => {
      seen.push(step);
      vi.advanceTimersByTime(61_000);
      throw new Error('no answer');
    });
    await expect(steps).rejects.toThrow(/^3 failed/);
    expect(seen).toEqual([1, 2, 3]);
  });
});

describe('repeated runs of eachInTurn', () => {
  /** Rows that remain until the work on them succeeds, and a run over them; each failure takes 12 s. */
  function roundsOf(count: number, fails: (row: number) => boolean) {
    vi.useFakeTimers({ toFake: ['performance'] });
    const left = new Set(Array.from({ length: count }, (_, index) => index + 1));
    const turn = { round: randomUUID(), keyOf: String };
    const round = async () => {
      const tried: number[] = [];
      const rows = pagesOf<number>(async (after = 0) => [...left].filter((row) => row > after).slice(0, 10));
      const work = async (row: number) => {
        tried.push(row);
        if (!fails(row)) return void left.delete(row);
        vi.advanceTimersByTime(12_000);
        throw new Error('no answer');
      };
      await eachInTurn(rows, work, turn).catch(() => undefined);
      return tried;
    };
    return { left, round };
  }

  it('stop once failures have taken a minute', async () => {
    const { round } = roundsOf(100, () => true);
    expect(await round()).toEqual([1, 2, 3, 4, 5]);
  });

  it('reach the rows behind five slow failures in the next run', async () => {
    const { left, round } = roundsOf(105, (row) => row <= 5);
    await round();
    await round();
    expect([...left]).toEqual([1, 2, 3, 4, 5]);
  });

  it('rotate through all rows while nothing succeeds, starting with those whose failure is longest ago', async () => {
    const { round } = roundsOf(12, () => true);
    const tried = [await round(), await round(), await round(), await round()];
    expect(tried.flat()).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 1, 2, 3, 4, 5, 6, 7, 8]);
  });

  it('process rows that failed before once they succeed', async () => {
    let isDown = true;
    const { left, round } = roundsOf(20, () => isDown);
    await round();
    isDown = false;
    await round();
    expect(left.size).toBe(0);
  });

  it('reach rows behind slow failures that remain due after they succeeded', async () => {
    vi.useFakeTimers({ toFake: ['performance'] });
    const turn = { round: randomUUID(), keyOf: String };
    const seen = new Set<number>();
    const round = () =>
      eachInTurn(
        Array.from({ length: 20 }, (_, row) => row),
        async (row) => {
          seen.add(row);
          if (row < 5 || row >= 10) return;
          vi.advanceTimersByTime(12_000);
          throw new Error('no answer');
        },
        turn,
      );
    await expect(round()).rejects.toThrow();
    await expect(round()).rejects.toThrow();
    expect(seen.size).toBe(20);
  });
});

describe('eachPage', () => {
  const pagesOfTwo = async (after = 0) => [after + 1, after + 2].filter((number) => number <= 5);
  const turn = { round: 'numbers', keyOf: String };

  it('processes whole pages, and retries a failing page row by row', async () => {
    const done: number[][] = [];
    const round = eachPage<number>(
      pagesOfTwo,
      async (rows) => {
        if (rows.includes(3)) throw new Error('refused');
        done.push(rows);
      },
      turn,
    );
    await expect(round).rejects.toThrow(/^refused$/);
    expect(done).toEqual([[1, 2], [4], [5]]);
  });
});
