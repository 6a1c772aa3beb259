import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { startApp, type TestApp } from '../../../test/harness.ts';
import { untilLocked } from '../../../test/until-locked.ts';
import { createLog } from '../process/log.ts';
import { addJob, cronItemOf } from './jobs.ts';
import { startWorker } from './worker.ts';

let service: TestApp;
let done: string[];
let atWork: () => Promise<void>;
let restarts: number;
let worker: { stop(): Promise<void> };
/** Further workers of a test. */
let others: { stop(): Promise<void> }[];

const patience = { timeout: 60_000, interval: 20 };

beforeEach(async () => {
  service = await startApp();
  [done, restarts, atWork, others] = [[], 0, async () => undefined, []];
  worker = await startNoting(500);
  await addNote('first');
  await vi.waitFor(() => expect(done).toEqual(['first']), patience);
});

afterEach(async () => {
  vi.restoreAllMocks();
  vi.useRealTimers();
  await Promise.all([worker, ...others].map((one) => one.stop()));
  await service.close();
});

/** Starts a worker that is replaced if it takes no job for this long. */
const startNoting = (stalledAfterMs: number) => {
  const note = async (payload: unknown) => {
    done.push((payload as { word: string }).word);
    await atWork();
  };
  return startWorker(service.pool, { note }, [], {
    concurrency: 2,
    log: createLog('silent'),
    restarts: { inc: () => (restarts += 1) },
    stalledAfterMs,
    checkEveryMs: 100,
  });
};

const addNote = (word: string) => addJob(service.db, 'note', { word });

/**
 * Gives this answer to the worker, which checks out whole connections; single queries and the test's own still work.
 */
function answerConnections(answer: () => Promise<never>): void {
  const { pool } = service;
  const connect = pool.connect.bind(pool) as (...args: unknown[]) => unknown;
  vi.spyOn(pool, 'connect').mockImplementation((...args: unknown[]) =>
    args.length === 0 ? answer() : connect(...args),
  );
}

test('a worker whose connections hang is replaced when jobs are not picked up', async () => {
  answerConnections(() => new Promise(() => undefined));
  // Each connection that was already checked out still takes a job.
  for (const word of ['second', 'third', 'fourth'])
    await service.pool.query(`select graphile_worker.add_job('note', json_build_object('word', $1::text))`, [word]);
  // On a busy machine, even the next worker may take longer than half a second.
  await vi.waitFor(() => expect(restarts).toBeGreaterThan(0), patience);
  vi.restoreAllMocks();
  await vi.waitFor(() => expect(done.toSorted()).toEqual(['first', 'fourth', 'second', 'third']), patience);
});

test('a worker is replaced even if the database is down at that moment', async () => {
  let hasRefused = false;
  answerConnections(() => {
    if (restarts === 0) return new Promise(() => undefined);
    hasRefused = true;
    return Promise.reject(new Error('connect ECONNREFUSED'));
  });
  for (const word of ['second', 'third', 'fourth'])
    await service.pool.query(`select graphile_worker.add_job('note', json_build_object('word', $1::text))`, [word]);
  await vi.waitFor(() => expect(hasRefused).toBe(true), patience);
  vi.restoreAllMocks();
  await vi.waitFor(() => expect(done.toSorted()).toEqual(['first', 'fourth', 'second', 'third']), patience);
});

test('a worker that has ended is replaced', async () => {
  // Pretends that another process has upgraded the library's tables to a version that this worker doesn't know.
  await service.pool.query(`select pg_notify('worker:migrate', '{"breaking": true, "migrationNumber": 99}')`);
  await vi.waitFor(() => expect(restarts).toBeGreaterThan(0), patience);
  process.exitCode = undefined;
  await addNote('second');
  await vi.waitFor(() => expect(done).toEqual(['first', 'second']), patience);
});

test('a worker that is busy with long jobs is not replaced', async () => {
  await worker.stop();
  restarts = 0;
  worker = await startNoting(600_000);
  const { promise: finished, resolve: finish } = Promise.withResolvers<void>();
  atWork = () => finished;
  for (const word of ['a', 'b', 'c']) await addNote(word);
  await vi.waitFor(() => expect(done).toHaveLength(3), patience);
  // Pretends that the job waiting for a slot has been due for long, and that the worker has taken none since.
  await service.pool.query(
    `update graphile_worker._private_jobs set run_at = run_at - interval '1 hour' where locked_at is null`,
  );
  const clock = vi.spyOn(performance, 'now').mockReturnValue(Number.MAX_SAFE_INTEGER);
  const checks = vi.spyOn(service.pool, 'query');
  const checked = () => checks.mock.calls.filter(([text]) => String(text).includes('job.run_at <')).length;
  await vi.waitFor(() => expect(checked()).toBeGreaterThan(2), patience);
  clock.mockRestore();
  expect(done).toHaveLength(3);
  expect(restarts).toBe(0);
  finish();
  await vi.waitFor(() => expect(done).toHaveLength(4), patience);
});

test('a worker that stops has removed its finished jobs', async () => {
  const { promise: finished, resolve: finish } = Promise.withResolvers<void>();
  atWork = () => finished;
  await addNote('second');
  await vi.waitFor(() => expect(done).toEqual(['first', 'second']), patience);
  const reader = await service.pool.connect();
  await reader.query('begin');
  await reader.query('select from graphile_worker._private_jobs for update');
  finish();
  let hasStopped = false;
  const stopped = worker.stop().then(() => (hasStopped = true));
  await untilLocked(service.pool);
  expect(hasStopped).toBe(false);
  await reader.query('commit');
  reader.release();
  await stopped;
  const { rowCount } = await service.pool.query('select from graphile_worker._private_jobs');
  expect(rowCount).toBe(0);
});

test('jobs that wait for external services don’t take the slots of other jobs', async () => {
  const { promise: answered, resolve: answer } = Promise.withResolvers<void>();
  const called: string[] = [];
  const call = async (payload: unknown) => {
    called.push((payload as { word: string }).word);
    await answered;
  };
  const tasks = { mail: call, push: call, own: async () => void called.push('own') };
  others.push(
    await startWorker(service.pool, tasks, [], {
      ...{
        concurrency: 4,
        outside: [['mail'], ['push']],
        log: createLog('silent'),
        restarts: { inc: () => undefined },
      },
    }),
  );
  for (const word of ['mail 1', 'mail 2', 'mail 3', 'mail 4']) await addJob(service.db, 'mail', { word });
  await vi.waitFor(() => expect(called).toHaveLength(2), patience);
  await addJob(service.db, 'push', { word: 'push' });
  await addJob(service.db, 'own', {});
  await vi.waitFor(() => expect(called.slice(2).toSorted()).toEqual(['own', 'push']), patience);
  answer();
  await vi.waitFor(() => expect(called).toHaveLength(6), patience);
});

test('an outage leaves one failed job per schedule, and the next run clears it', async () => {
  // A schedule of the real minute would run between the jobs that this test adds.
  vi.useFakeTimers({ toFake: ['Date'], now: new Date('2026-11-20T12:00:01Z') });
  let [runs, isDown] = [0, true];
  const minutely = async () => {
    runs += 1;
    if (isDown) throw new Error('down');
  };
  const schedule = { cron: '* * * * *', task: 'minutely' };
  const { jobKey = '', maxAttempts = 0 } = cronItemOf(schedule).options ?? {};
  const options = { concurrency: 1, log: createLog('silent'), restarts: { inc: () => undefined } };
  others.push(await startWorker(service.pool, { minutely }, [schedule], options));
  const left = async () => {
    const { rows } = await service.pool.query<{ failed: boolean }>(
      `select attempts = max_attempts and locked_at is null as failed from graphile_worker.jobs where task_identifier = 'minutely'`,
    );
    return rows.map(({ failed }) => failed);
  };
  for (let minute = 1; minute <= 5; minute += 1) {
    await addJob(service.db, 'minutely', {}, { jobKey, maxAttempts });
    await vi.waitFor(async () => expect([runs, await left()]).toEqual([minute, [true]]), patience);
  }
  isDown = false;
  await addJob(service.db, 'minutely', {}, { jobKey, maxAttempts });
  await vi.waitFor(async () => expect([runs, await left()]).toEqual([6, []]), patience);
});

test('a schedule that runs every minute takes one slot, however long a run takes', async () => {
  const { promise: finished, resolve: finish } = Promise.withResolvers<void>();
  let runs = 0;
  const sweep = async () => {
    runs += 1;
    await finished;
  };
  const tasks = { sweep, own: async () => void done.push('own') };
  const schedules = [{ cron: '* * * * *', task: 'sweep' }];
  const options = { concurrency: 2, log: createLog('silent'), restarts: { inc: () => undefined } };
  others.push(await startWorker(service.pool, tasks, schedules, options));
  for (let minute = 0; minute < 3; minute += 1) await addJob(service.db, 'sweep', {});
  await addJob(service.db, 'own', {});
  await vi.waitFor(() => expect(done).toContain('own'), patience);
  expect(runs).toBe(1);
  finish();
});
