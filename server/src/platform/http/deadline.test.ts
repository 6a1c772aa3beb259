import { expect, test, vi } from 'vitest';
import { withDeadline } from './mount.ts';

test('withDeadline passes on results and errors that arrive in time', async () => {
  expect(await withDeadline(1000, Promise.resolve('done'))).toBe('done');
  await expect(withDeadline(1000, Promise.reject(new Error('refused')))).rejects.toThrow('refused');
});

test('withDeadline returns 503 with Retry-After on timeout, and ignores late results', async () => {
  vi.useFakeTimers();
  const { promise, reject } = Promise.withResolvers<string>();
  const answer = expect(withDeadline(9000, promise)).rejects.toMatchObject({
    status: 503,
    details: { retryAfterSeconds: 2 },
  });
  await vi.advanceTimersByTimeAsync(9000);
  await answer;
  reject(new Error('too late'));
  vi.useRealTimers();
});
