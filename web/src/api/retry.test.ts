import { afterAll, afterEach, beforeEach, describe, expect, it, vi } from 'vitest';

vi.unmock('#contract/constants.ts');
vi.resetModules();
const { ApiError } = await import('./api-error.ts');
const { retry } = await import('./request.ts');
afterAll(() => {
  vi.resetModules();
});

const failure = (status: number | null) => new ApiError({ message: 'no', code: 'X', status });

describe('retry', () => {
  beforeEach(() => {
    vi.useFakeTimers();
  });
  afterEach(() => {
    vi.useRealTimers();
  });

  it.each([500, 503, null])('tries three times, waiting one and then two seconds, after %s', async (status) => {
    const times: number[] = [];
    const began = Date.now();
    const result = retry(() => {
      times.push(Date.now() - began);
      return Promise.reject(failure(status));
    }).catch((error: unknown) => error);
    await vi.runAllTimersAsync();
    expect(await result).toMatchObject({ status });
    expect(times).toEqual([0, 1000, 3000]);
  });

  it('stops after the first success', async () => {
    let tries = 0;
    const result = retry(async () => {
      tries += 1;
      if (tries < 2) throw failure(502);
      return 'there';
    });
    await vi.runAllTimersAsync();
    expect(await result).toBe('there');
    expect(tries).toBe(2);
  });

  it.each([400, 401, 403, 404, 409, 422, 429])('does not try again after a %i', async (status) => {
    let tries = 0;
    await expect(
      retry(async () => {
        tries += 1;
        throw failure(status);
      }),
    ).rejects.toMatchObject({ status });
    expect(tries).toBe(1);
  });

  it('stops waiting when the caller cancels', async () => {
    const leaving = new AbortController();
    const result = retry(() => Promise.reject(failure(500)), leaving.signal).catch((error: unknown) => error);
    await vi.advanceTimersByTimeAsync(10);
    leaving.abort();
    expect(await result).toMatchObject({ name: 'AbortError' });
  });
});
