import pg from 'pg';
import { expect, test } from 'vitest';
import { createLifecycle, StartError, whyFailed } from './lifecycle.ts';

test('stop runs the steps in reverse order, once, however often it is called', async () => {
  const lifecycle = createLifecycle(1000);
  const undone: string[] = [];
  for (const step of ['database', 'pool', 'listening']) lifecycle.onStop(async () => undone.push(step));
  expect(lifecycle.isStopping()).toBe(false);
  expect(await Promise.all([lifecycle.stop(), lifecycle.stop()])).toEqual([[], []]);
  expect(undone).toEqual(['listening', 'pool', 'database']);
  expect(lifecycle.isStopping()).toBe(true);
});

test('stop continues after a failing step and reports the failure', async () => {
  const lifecycle = createLifecycle(1000);
  const undone: string[] = [];
  lifecycle.onStop(async () => undone.push('database'));
  lifecycle.onStop(() => Promise.reject(new Error('the pool is stuck')));
  expect(await lifecycle.stop()).toEqual([new Error('the pool is stuck')]);
  expect(undone).toEqual(['database']);
});

test('stop does not wait for a step beyond its timeout', async () => {
  const lifecycle = createLifecycle(20);
  lifecycle.onStop(() => new Promise(() => undefined));
  expect(await lifecycle.stop()).toEqual([new Error('a shutdown step took too long')]);
});

const full = Object.assign(new pg.DatabaseError('could not extend file', 0, 'error'), { code: '53100' });
test.each([
  [new StartError('Port 1 is in use.'), /^Port 1 is in use\.$/],
  [full, /^The disk is full \(could not extend file\)\. Make room, then start again\.$/],
  [Object.assign(new Error('write'), { code: 'ENOSPC' }), /^The disk is full \(write\)\./],
  [new Error('unexpected'), /^Error: unexpected\n {4}at /],
])('explains the start error %o', (error, words) => {
  expect(whyFailed(error)).toMatch(words);
});
