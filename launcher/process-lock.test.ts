import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { lockHolder, takeLock } from './process-lock.ts';

test('has one holder at a time, which identifies itself', async () => {
  const key = randomUUID();
  expect(await lockHolder(key)).toBeNull();
  const first = await takeLock(key, 'http://localhost:3000');
  expect(first.heldBy).toBeNull();
  const second = await takeLock(key, 'another');
  expect(second.heldBy).toEqual({ pid: process.pid, name: 'http://localhost:3000' });
  first.release();
  expect(await lockHolder(key)).toBeNull();
  const third = await takeLock(key, 'another');
  expect(third.heldBy).toBeNull();
  third.release();
});

test('grants the lock to exactly one of many concurrent callers', async () => {
  const key = randomUUID();
  const locks = await Promise.all(Array.from({ length: 20 }, () => takeLock(key, 'one of many')));
  expect(locks.filter(({ heldBy }) => heldBy === null)).toHaveLength(1);
  for (const lock of locks) lock.release();
});

test('does not affect locks with other names', async () => {
  const one = await takeLock(randomUUID(), 'one');
  const other = await takeLock(randomUUID(), 'other');
  expect([one.heldBy, other.heldBy]).toEqual([null, null]);
  one.release();
  other.release();
});
