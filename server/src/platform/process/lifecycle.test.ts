import { expect, test } from 'vitest';
import { createLifecycle } from './lifecycle.ts';

test('stops the last step first, once, however often it is called', async () => {
  const lifecycle = createLifecycle(1000);
  const undone: string[] = [];
  for (const step of ['database', 'pool', 'listening']) lifecycle.onStop(async () => undone.push(step));
  expect(lifecycle.isStopping()).toBe(false);
  expect(await Promise.all([lifecycle.stop(), lifecycle.stop()])).toEqual([[], []]);
  expect(undone).toEqual(['listening', 'pool', 'database']);
  expect(lifecycle.isStopping()).toBe(true);
});

test('continues after a failing step and reports the failure', async () => {
  const lifecycle = createLifecycle(1000);
  const undone: string[] = [];
  lifecycle.onStop(async () => undone.push('database'));
  lifecycle.onStop(() => Promise.reject(new Error('the pool is stuck')));
  expect(await lifecycle.stop()).toEqual([new Error('the pool is stuck')]);
  expect(undone).toEqual(['database']);
});

test('does not wait for a step beyond its timeout', async () => {
  const lifecycle = createLifecycle(20);
  lifecycle.onStop(() => new Promise(() => undefined));
  expect(await lifecycle.stop()).toEqual([new Error('a shutdown step took too long')]);
});
