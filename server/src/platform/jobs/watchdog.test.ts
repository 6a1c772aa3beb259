import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { startApp, type TestApp } from '../../../test/harness.ts';
import { createLog } from '../process/log.ts';
import { addJob, startWorker } from './jobs.ts';

let service: TestApp;
let done: string[];
let atWork: () => Promise<void>;
let restarts: number;
let worker: { stop(): Promise<void> };

beforeEach(async () => {
  service = await startApp();
  [done, restarts, atWork] = [[], 0, async () => undefined];
  const note = async (payload: unknown) => {
    done.push((payload as { word: string }).word);
    await atWork();
  };
  worker = await startWorker(service.pool, { note }, [], {
    concurrency: 2,
    log: createLog('silent'),
    restarts: { inc: () => (restarts += 1) },
    stalledAfterMs: 500,
    checkEveryMs: 100,
  });
  await addNote('first');
  await vi.waitFor(() => expect(done).toEqual(['first']));
});

afterEach(async () => {
  vi.restoreAllMocks();
  await worker.stop();
  await service.close();
});

const addNote = (word: string) => addJob(service.db, 'note', { word });

/**
 * Gives this answer to the worker, which checks out whole connections; single queries and the test's own go through.
 */
function answerConnections(answer: () => Promise<never>): void {
  const { pool } = service;
  const connect = pool.connect.bind(pool) as (...args: unknown[]) => unknown;
  vi.spyOn(pool, 'connect').mockImplementation((...args: unknown[]) =>
    args.length === 0 ? answer() : connect(...args),
  );
}

const patience = { timeout: 15_000, interval: 20 };

test('a worker whose connections hang is replaced when jobs stay untouched', { timeout: 30_000 }, async () => {
  answerConnections(() => new Promise(() => undefined));
  // Connections that were checked out before still take a job each.
  for (const word of ['second', 'third', 'fourth'])
    await service.pool.query(`select graphile_worker.add_job('note', json_build_object('word', $1::text))`, [word]);
  await vi.waitFor(() => expect(restarts).toBe(1), patience);
  vi.restoreAllMocks();
  await vi.waitFor(() => expect(done.toSorted()).toEqual(['first', 'fourth', 'second', 'third']), patience);
  expect(restarts).toBe(1);
});

test('a worker that ended is replaced', { timeout: 30_000 }, async () => {
  // As if another process had upgraded the library's tables to a version that this worker doesn't know.
  await service.pool.query(`select pg_notify('worker:migrate', '{"breaking": true, "migrationNumber": 99}')`);
  await vi.waitFor(() => expect(restarts).toBe(1), patience);
  process.exitCode = undefined;
  await addNote('second');
  await vi.waitFor(() => expect(done).toEqual(['first', 'second']), patience);
});

test('a worker that is busy with long jobs is left alone', async () => {
  const { promise: finished, resolve: finish } = Promise.withResolvers<void>();
  atWork = () => finished;
  for (const word of ['a', 'b', 'c']) await addNote(word);
  await new Promise((resolve) => setTimeout(resolve, 1500));
  expect(done).toHaveLength(3);
  expect(restarts).toBe(0);
  finish();
  await vi.waitFor(() => expect(done).toHaveLength(4), patience);
});

test('a worker that stops has removed the jobs that are done', async () => {
  const { promise: finished, resolve: finish } = Promise.withResolvers<void>();
  atWork = () => finished;
  await addNote('second');
  await vi.waitFor(() => expect(done).toEqual(['first', 'second']), patience);
  const reader = await service.pool.connect();
  await reader.query('begin');
  await reader.query('select from graphile_worker._private_jobs for update');
  finish();
  const stopped = worker.stop().then(() => 'stopped');
  const waited = new Promise((resolve) => setTimeout(() => resolve('still waiting'), 300));
  expect(await Promise.race([stopped, waited])).toBe('still waiting');
  await reader.query('commit');
  reader.release();
  await stopped;
  const { rowCount } = await service.pool.query('select from graphile_worker._private_jobs');
  expect(rowCount).toBe(0);
});
