import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { run } from 'graphile-worker';
import { startApp, type TestApp } from '../../../test/harness.ts';
import { createLog } from '../process/log.ts';
import { addJob, drainJobs } from './jobs.ts';
import { renewLeases, startWorker, trackJobs } from './worker.ts';

let service: TestApp;
let done: string[];
const tasks = {
  note: async (payload: unknown) => {
    done.push((payload as { word: string }).word);
  },
};

beforeEach(async () => {
  service = await startApp();
  done = [];
  await addJob(service.db, 'note', { word: 'kept' });
});

afterEach(() => service.close());

const lockAll = (agoSeconds: number) =>
  service.pool.query(
    `update graphile_worker._private_jobs set locked_at = now() - make_interval(secs => $1), locked_by = 'a worker'`,
    [agoSeconds],
  );
const drain = () => drainJobs(service.pool, tasks, service.app.log);

test('a killed worker’s job runs in another worker half a minute later', async () => {
  await lockAll(31);
  await renewLeases(service.pool, []);
  await drain();
  expect(done).toEqual(['kept']);
});

test('a job stays with the process that has just taken it', async () => {
  await lockAll(10);
  await renewLeases(service.pool, []);
  await drain();
  expect(done).toEqual([]);
});

test('a killed worker’s job runs elsewhere even if it was taken while the clock was ahead', async () => {
  await lockAll(-3600);
  await renewLeases(service.pool, []);
  await drain();
  expect(done).toEqual([]);
  await service.pool.query(`update graphile_worker._private_jobs set locked_at = locked_at - interval '31 seconds'`);
  await renewLeases(service.pool, []);
  await drain();
  expect(done).toEqual(['kept']);
});

test('a long job does not run twice', async () => {
  const { events, running } = trackJobs();
  const { promise: finished, resolve: finish } = Promise.withResolvers<void>();
  const slowly = {
    note: async (payload: unknown) => {
      await tasks.note(payload);
      await finished;
    },
  };
  const runner = await run({ pgPool: service.pool, taskList: slowly, events, noHandleSignals: true });
  await vi.waitFor(() => expect(done).toEqual(['kept']), { timeout: 15_000, interval: 20 });
  await lockAll(31);
  await renewLeases(service.pool, [...running]);
  await drain();
  finish();
  await runner.stop();
  await drain();
  expect(done).toEqual(['kept']);
});

test('a job is marked as done even if no connection is free for a moment', async () => {
  const { pool } = service;
  const connect = pool.connect.bind(pool) as (...args: unknown[]) => unknown;
  const note = async (payload: unknown) => {
    await tasks.note(payload);
    const until = performance.now() + 200;
    vi.spyOn(pool, 'connect').mockImplementation((...args: unknown[]) =>
      args.length === 0 && performance.now() < until
        ? Promise.reject(new Error('timeout exceeded when trying to connect'))
        : connect(...args),
    );
  };
  const options = { concurrency: 1, log: createLog('silent'), restarts: { inc: () => undefined } };
  const worker = await startWorker(pool, { note }, [], options);
  const left = async () => (await pool.query('select from graphile_worker._private_jobs')).rowCount;
  await vi.waitFor(async () => expect(await left()).toBe(0), { timeout: 15_000, interval: 100 });
  expect(done).toEqual(['kept']);
  await worker.stop();
  vi.restoreAllMocks();
});
