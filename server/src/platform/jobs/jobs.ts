import type { FastifyBaseLogger } from 'fastify';
import { sql } from 'kysely';
import type pg from 'pg';
import {
  Logger as JobLogger,
  makeWorkerUtils,
  parseCronItems,
  run,
  runOnce,
  type TaskList,
  type WorkerEvents,
} from 'graphile-worker';
import type { Db } from '../db/db.ts';
import { EventEmitter } from 'node:events';
import { setTimeout as pause } from 'node:timers/promises';

/** Work that a process repeats. */
export interface Ticker {
  name: string;
  everyMs: number;
  run: () => Promise<void>;
}

/** Repeats `work` every `everyMs`, one run at a time; a failed run is logged and does not stop the next one. */
export function startTicker(
  name: string,
  everyMs: number,
  work: () => Promise<void>,
  log: FastifyBaseLogger,
): { stop(): Promise<void> } {
  let running: Promise<void> | null = null;
  const timer = setInterval(() => {
    running ??= work()
      .catch((error: unknown) => {
        log.warn({ err: error, ticker: name }, 'a periodic task failed');
      })
      .finally(() => {
        running = null;
      });
  }, everyMs);
  timer.unref();
  return {
    async stop() {
      clearInterval(timer);
      await running;
    },
  };
}

const renewEveryMs = 5000;

/** A scheduled job: a crontab schedule and the task's name. */
export interface Schedule {
  cron: string;
  task: string;
}

// The library's messages quote payloads and errors, so only the first words of its warnings and errors are logged.
const jobLogger = (log: FastifyBaseLogger) =>
  new JobLogger(() => (level, message, meta) => {
    if (level !== 'error' && level !== 'warning') return;
    const { error, job } = meta as { error?: unknown; job?: { task_identifier?: string } };
    log.warn({ job: message.split(/[:(]/)[0]?.slice(0, 80), task: job?.task_identifier, err: error }, 'a job failed');
  });

/** Creates or upgrades the job queue's own tables. */
export async function migrateJobs(pool: pg.Pool): Promise<void> {
  const utils = await makeWorkerUtils({ pgPool: pool, logger: new JobLogger(() => () => undefined) });
  await utils.migrate();
  await utils.release();
}

/** Queues a job inside the running transaction, so that it exists only if the transaction commits. */
export async function addJob(
  tx: Db,
  task: string,
  payload: object,
  options: { jobKey?: string; maxAttempts?: number; delaySeconds?: number } = {},
): Promise<void> {
  await sql`select graphile_worker.add_job(
    ${task}, ${JSON.stringify(payload)}::json,
    job_key => ${options.jobKey ?? null}::text, max_attempts => ${options.maxAttempts ?? 8}::int,
    run_at => now() + make_interval(secs => ${options.delaySeconds ?? 0})
  )`.execute(tx);
}

interface WorkerOptions {
  concurrency: number;
  log: FastifyBaseLogger;
  /** Counts restarts of a worker that ended or stalled. */
  restarts: { inc(): void };
  /** A worker that takes no job for this long while jobs are due has stalled. */
  stalledAfterMs?: number;
  checkEveryMs?: number;
}

const stalledAfterMs = 60_000;
const checkEveryMs = 10_000;
const stopStalledWithinMs = 5000;

/**
 * Starts running jobs in this process; `stop` waits for those that are running. A worker is replaced if it ended, as
 * the library's does when a database answer is lost, or if it takes no due job for a minute although it could.
 */
export async function startWorker(
  pool: pg.Pool,
  tasks: TaskList,
  schedules: Schedule[],
  options: WorkerOptions,
): Promise<{ stop(): Promise<void> }> {
  const { log } = options;
  const overdueMs = options.stalledAfterMs ?? stalledAfterMs;
  let worker = await startRunner(pool, tasks, schedules, options);

  async function replaceIfStalled(): Promise<void> {
    const isDue = await hasOverdueJob(pool, Object.keys(tasks), overdueMs);
    if (!worker.hasEnded() && !(isDue && worker.isFree() && worker.idleMs() >= overdueMs)) return;
    log.error({ ended: worker.hasEnded() }, 'the job worker takes no jobs; starting another');
    options.restarts.inc();
    await Promise.race([worker.stop(), pause(stopStalledWithinMs, undefined, { ref: false })]);
    worker = await startRunner(pool, tasks, schedules, options);
  }

  const renewal = startTicker('job leases', renewEveryMs, () => worker.renewLeases(), log);
  const watchdog = startTicker('job watchdog', options.checkEveryMs ?? checkEveryMs, replaceIfStalled, log);
  return {
    async stop() {
      await watchdog.stop();
      await worker.stop();
      await renewal.stop();
    },
  };
}

const isConnectTimeout = (error: unknown): boolean =>
  error instanceof Error && error.message.startsWith('timeout exceeded when trying to connect');

async function connectPatiently(pool: pg.Pool): Promise<pg.PoolClient> {
  for (;;) {
    try {
      return await pool.connect();
    } catch (error) {
      if (!isConnectTimeout(error)) throw error;
    }
  }
}

/**
 * The pool for the library, which waits as long as it takes when no connection is free in time. Otherwise a job that
 * succeeded would not be removed, and would run again when its lease ends.
 */
function patientPool(pool: pg.Pool): pg.Pool {
  const connect = (callback?: Parameters<pg.Pool['connect']>[0]) =>
    callback === undefined ? connectPatiently(pool) : pool.connect(callback);
  return new Proxy(pool, {
    get(target, key) {
      const value: unknown = key === 'connect' ? connect : Reflect.get(target, key);
      return typeof value === 'function' ? (value.bind(target) as unknown) : value;
    },
  });
}

async function startRunner(pool: pg.Pool, tasks: TaskList, schedules: Schedule[], options: WorkerOptions) {
  const leases = createJobLeases(pool);
  const runner = await run({
    pgPool: patientPool(pool),
    // Without batches, the library does not wait for the statements that remove finished jobs when it stops.
    preset: { worker: { completeJobBatchDelay: 0, failJobBatchDelay: 0 } },
    taskList: tasks,
    parsedCronItems: parseCronItems(schedules.map(({ cron, task }) => ({ match: cron, task }))),
    concurrency: options.concurrency,
    noHandleSignals: true,
    // New jobs are announced; this is for those that become due later, and each idle worker asks.
    pollInterval: 5000,
    events: leases.events,
    logger: jobLogger(options.log),
  });
  let hasEnded = false;
  let tookAt = performance.now();
  leases.events.on('job:start', () => (tookAt = performance.now()));
  runner.promise
    .catch((error: unknown) => options.log.warn({ err: error }, 'the job worker ended'))
    .finally(() => (hasEnded = true));
  return {
    hasEnded: () => hasEnded,
    isFree: () => leases.count() < options.concurrency,
    idleMs: () => performance.now() - tookAt,
    renewLeases: leases.renew,
    stop: async () => {
      if (!hasEnded) await runner.stop();
    },
  };
}

/** Whether a job for one of these tasks that no one works on has been due for `overdueMs`. */
async function hasOverdueJob(pool: pg.Pool, tasks: string[], overdueMs: number): Promise<boolean> {
  const { rowCount } = await pool.query(
    `select from graphile_worker._private_jobs job join graphile_worker._private_tasks task on task.id = job.task_id
     where job.is_available and job.run_at < now() - make_interval(secs => $1) and task.identifier = any ($2) limit 1`,
    [overdueMs / 1000, tasks],
  );
  return rowCount === 1;
}

/** How many jobs are due or have failed for good, by task: what `/metrics` shows of the queue. */
export async function countJobs(pool: pg.Pool, which: 'due' | 'failed'): Promise<Map<string, number>> {
  const condition = which === 'due' ? 'job.is_available and job.run_at <= now()' : 'job.attempts >= job.max_attempts';
  const { rows } = await pool.query<{ task: string; count: number }>(
    `select task.identifier as task, count(*)::int as count from graphile_worker._private_jobs job
       join graphile_worker._private_tasks task on task.id = job.task_id where ${condition} group by 1`,
  );
  return new Map(rows.map(({ task, count }) => [task, count]));
}

/** For how many seconds the oldest due job has been waiting; 0 without one. */
export async function oldestDueJob(pool: pg.Pool): Promise<number> {
  const { rows } = await pool.query<{ seconds: number }>(
    `select coalesce(extract(epoch from now() - min(run_at)), 0)::float as seconds from graphile_worker._private_jobs
       where is_available and run_at <= now()`,
  );
  return rows[0]?.seconds ?? 0;
}

/** Runs every due job, then returns. */
export async function drainJobs(pool: pg.Pool, tasks: TaskList, log: FastifyBaseLogger): Promise<void> {
  await runOnce({
    pgPool: pool,
    taskList: tasks,
    noHandleSignals: true,
    logger: jobLogger(log),
    // The library waits for failures to be recorded only if it batches them.
    preset: { worker: { failJobBatchDelay: 0 } },
  });
}

const leaseSeconds = 30;

/** Which process works on which job, as leases that expire. */
interface JobLeases {
  /** The worker reports here which jobs it starts and completes. */
  events: WorkerEvents;
  /** How many jobs the worker is running. */
  count(): number;
  /** Renews the leases of this process's jobs and releases all expired ones; call every few seconds. */
  renew(): Promise<void>;
}

/**
 * Leases for the jobs of one worker. On its own, the library keeps a job locked for four hours when its process was
 * killed or the database's answer was lost.
 */
export function createJobLeases(pool: pg.Pool): JobLeases {
  const running = new Set<string>();
  const events = new EventEmitter() as WorkerEvents;
  events.on('job:start', ({ job }) => running.add(job.id));
  events.on('job:complete', ({ job }) => running.delete(job.id));
  return {
    events,
    count: () => running.size,
    async renew() {
      await pool.query(
        `with renewed as (
           update graphile_worker._private_jobs set locked_at = now() where id = any ($1::bigint[]) and locked_at is not null
         )
         update graphile_worker._private_jobs set locked_at = null, locked_by = null
         where locked_at < now() - make_interval(secs => $2) and id <> all ($1::bigint[])`,
        [[...running], leaseSeconds],
      );
    },
  };
}
