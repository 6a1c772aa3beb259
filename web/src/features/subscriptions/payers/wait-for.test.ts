import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { waitFor } from './payer.ts';

beforeEach(() => vi.useFakeTimers());
afterEach(() => vi.useRealTimers());

function asked(answerFrom: number) {
  const startedAt = Date.now();
  const at: number[] = [];
  const outcome = waitFor(
    async () => {
      at.push(Date.now() - startedAt);
      return at.length === 1 ? undefined : at.length;
    },
    (answer) => answer >= answerFrom,
  );
  return { at, outcome };
}

describe('waitFor', () => {
  it('polls every two seconds until the answer is the expected one', async () => {
    const { at, outcome } = asked(3);
    await vi.runAllTimersAsync();
    expect(await outcome).toBe(3);
    expect(at).toEqual([0, 2000, 4000]);
  });

  it('gives up after twenty seconds', async () => {
    const { at, outcome } = asked(Infinity);
    await vi.runAllTimersAsync();
    expect(await outcome).toBeNull();
    expect(at.at(-1)).toBe(20_000);
    expect(at).toHaveLength(11);
  });
});
