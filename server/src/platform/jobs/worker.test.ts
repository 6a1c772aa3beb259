import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { run } from 'graphile-worker';
import { startApp, type TestApp } from '../../../test/harness.ts';
import { createLog } from '../process/log.ts';
import { addJob, drainJobs } from './jobs.ts';
import { renewLeases, startWorker, trackJobs } from './worker.ts';

describe('job leases', () => {
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

  it('a killed worker’s job runs in another worker half a minute later', async () => {
    await lockAll(31);
    await renewLeases(service.pool, []);
    await drain();
    expect(done).toEqual(['kept']);
  });

  it('a job stays with the process that has just taken it', async () => {
    await lockAll(10);
    await renewLeases(service.pool, []);
    await drain();
    expect(done).toEqual([]);
  });

  it('a killed worker’s job runs elsewhere even if it was taken while the clock was ahead', async () => {
    await lockAll(-3600);
    await renewLeases(service.pool, []);
    await drain();
    expect(done).toEqual([]);
    await service.pool.query(`update graphile_worker._private_jobs set locked_at = locked_at - interval '31 seconds'`);
    await renewLeases(service.pool, []);
    await drain();
    expect(done).toEqual(['kept']);
  });

  it('a long job does not run twice', async () => {
    const { events, running } = trackJobs();
    const { promise: finished, resolve: finish } = Promise.withResolvers<void>();
    const slowly = {
      note: async (payload: unknown) => {
        await tasks.note(payload);
        await finished;
      },
    };
    const runner = await run({ pgPool: service.pool, taskList: slowly, events, noHandleSignals: true });
    await vi.waitFor(() => expect(done).toEqual(['kept']), { timeout: 60_000, interval: 20 });
    await lockAll(31);
    await renewLeases(service.pool, [...running]);
    await drain();
    finish();
    await runner.stop();
    await drain();
    expect(done).toEqual(['kept']);
  });

  it('a job is marked as done even if no connection is free for a moment', async () => {
    const { pool } = service;
    const connect = pool.connect.bind(pool) as (...args: unknown[]) => unknown;
    const note = async (payload: unknown) => {
      await tasks.note(payload);
      let refusals = 3;
      vi.spyOn(pool, 'connect').mockImplementation((...args: unknown[]) =>
        args.length === 0 && refusals-- > 0
          ? Promise.reject(new Error('timeout exceeded when trying to connect'))
          : connect(...args),
      );
    };
    const options = { concurrency: 1, log: createLog('silent'), restarts: { inc: () => undefined } };
    const worker = await startWorker(pool, { note }, [], options);
    const left = async () => (await pool.query('select from graphile_worker._private_jobs')).rowCount;
    await vi.waitFor(async () => expect(await left()).toBe(0), { timeout: 60_000, interval: 100 });
    expect(done).toEqual(['kept']);
    await worker.stop();
    vi.restoreAllMocks();
  });
});

describe('long jobs', () => {
  let service: TestApp;
  beforeEach(async () => {
    service = await startApp();
  });
  afterEach(() => service.close());

  it('leave slots free for other jobs', async () => {
    const { promise: finished, resolve: finish } = Promise.withResolvers<void>();
    const { promise: noted, resolve: note } = Promise.withResolvers<void>();
    const tasks = { long: () => finished, note: () => note() };
    for (let n = 0; n < 4; n += 1) await addJob(service.db, 'long', {});
    await addJob(service.db, 'note', {});
    const options = { concurrency: 2, long: ['long'], log: createLog('silent'), restarts: { inc: () => undefined } };
    const worker = await startWorker(service.pool, tasks, [], options);
    await noted;
    finish();
    await worker.stop();
  });
});

describe('a scheduled job that queues the rest of its work', () => {
  it('continues, even if the rest is taken before the job has ended', async () => {
    const service = await startApp();
    const { promise: over, resolve: end } = Promise.withResolvers<void>();
    let runs = 0;
    const waiting = async () =>
      (await service.pool.query('select from graphile_worker._private_jobs where locked_at is null')).rowCount;
    const tasks = {
      sweep: async () => {
        runs += 1;
        if (runs === 3) return end();
        await addJob(service.db, 'sweep', {}, { jobKey: 'sweep' });
        await vi.waitFor(async () => expect(await waiting()).toBe(0), { timeout: 60_000, interval: 20 });
      },
    };
    const options = { concurrency: 2, log: createLog('silent'), restarts: { inc: () => undefined } };
    await addJob(service.db, 'sweep', {}, { jobKey: 'sweep' });
    const worker = await startWorker(service.pool, tasks, [{ cron: '17 * * * *', task: 'sweep' }], options);
    await over;
    await worker.stop();
    expect(runs).toBe(3);
    await service.close();
  });
});

describe('job schedules', () => {
  /** Half a second before the next minute starts. */
  const present = new Date('2026-11-20T11:59:59.500Z').getTime();
  const hourMs = 3_600_000;
  const patience = { timeout: 60_000, interval: 20 };

  let service: TestApp;
  let runs: number;
  let worker: { stop(): Promise<void> };
  beforeEach(async () => {
    service = await startApp();
    runs = 0;
    vi.useFakeTimers({ toFake: ['Date'], now: present });
  });
  afterEach(async () => {
    vi.useRealTimers();
    await worker.stop();
    await service.close();
  });

  const start = async (cron = '* * * * *') => {
    const tasks = { sweep: async () => void (runs += 1) };
    const restarts = { inc: () => undefined };
    const options = { concurrency: 1, log: createLog('silent'), restarts, checkEveryMs: 50 };
    worker = await startWorker(service.pool, tasks, [{ cron, task: 'sweep' }], options);
  };

  /** Advances minutes until the schedule has run. Waiting advances the clock, too. */
  const runsAgain = async () => {
    const before = runs;
    for (let minute = 0; minute < 5 && runs === before; minute += 1) {
      vi.setSystemTime(Date.now() + 60_000);
      await vi
        .waitFor(() => expect(runs).toBeGreaterThan(before), { timeout: 3000, interval: 20 })
        .catch(() => undefined);
    }
    expect(runs).toBeGreaterThan(before);
  };

  const lastExecution = async () => {
    const { rows } = await service.pool.query<{ last_execution: Date | null }>(
      'select last_execution from graphile_worker._private_known_crontabs',
    );
    return rows[0]?.last_execution?.getTime() ?? 0;
  };

  const placeLast = (at: Date) =>
    service.pool.query(
      `insert into graphile_worker._private_known_crontabs (identifier, known_since, last_execution) values ('sweep', $1, $1)`,
      [at],
    );

  it.each([
    ['an hour', '17 * * * *', '2026-11-20T10:17:00Z'],
    ['several nights', '17 3 * * *', '2026-11-16T03:17:00Z'],
    ['the Monday', '11 6 * * 1', '2026-11-09T06:11:00Z'],
  ])('run once after a start if the server was stopped at their time, for %s', async (_, cron, last) => {
    await placeLast(new Date(last));
    await start(cron);
    await vi.waitFor(() => expect(runs).toBe(1), patience);
    await worker.stop();
    await start(cron);
    await worker.stop();
    await drainJobs(service.pool, { sweep: () => void (runs += 1) }, createLog('silent'));
    expect(runs).toBe(1);
  });

  it('run after a start even if their last run lies in the future', async () => {
    await placeLast(new Date(present + hourMs));
    await start();
    await runsAgain();
  });

  it('run again once a clock that was ahead is set back', async () => {
    vi.setSystemTime(present + hourMs);
    await start();
    await runsAgain();
    expect(await lastExecution()).toBeGreaterThan(present + hourMs);
    vi.setSystemTime(present);
    await vi.waitFor(async () => expect(await lastExecution()).toBeLessThan(present + 60_000), patience);
    await runsAgain();
    expect(await lastExecution()).toBeLessThan(present + hourMs);
  });
});
