import { expect, test, vi } from 'vitest';
import { withDeadline } from './mount.ts';

test('hands on what comes in time, good or bad', async () => {
  expect(await withDeadline(1000, Promise.resolve('done'))).toBe('done');
  await expect(withDeadline(1000, Promise.reject(new Error('refused')))).rejects.toThrow('refused');
});

test('answers 503 with a time to come back when nothing comes, and survives what comes too late', async () => {
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
