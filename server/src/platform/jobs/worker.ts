import { EventEmitter } from 'node:events';
import { setTimeout as pause } from 'node:timers/promises';
import type { FastifyBaseLogger } from 'fastify';
import { parseCronItems, run, type Task, type TaskList, type WorkerEvents } from 'graphile-worker';
import type pg from 'pg';
import { correctSchedules, watchSchedules } from './clock-changes.ts';
import { untilStopped } from './pieces.ts';
import { comesWithinTheHour, cronItemOf, jobLogger, type Schedule, startTicker } from './jobs.ts';
import { eachInTurn } from './turns.ts';

interface WorkerOptions {
  /** How many jobs run at the same time, apart from those of `outside`. */
  concurrency: number;
  /**
   * Jobs that wait for external services, in groups. Each group has its own slots, `concurrency` in total, so that a
   * service that doesn't answer delays only its own group.
   */
  outside?: readonly (readonly string[])[];
  /** Jobs that may take longer than a second, which have half as many slots of their own. */
  long?: readonly string[];
  log: FastifyBaseLogger;
  /** Counts how often a worker was replaced because it ended or stalled. */
  restarts: { inc(): void };
  /** A worker that takes no job for this long while jobs are due has stalled. */
  stalledAfterMs?: number;
  checkEveryMs?: number;
}

const stalledAfterMs = 60_000;
const checkEveryMs = 10_000;
const stopStalledWithinMs = 5000;
const renewEveryMs = 5000;
/** Each idle worker polls for jobs that become due later; new jobs are announced by a notification. */
const ownPollMs = 5000;
/** Jobs for external services are announced when they are due at once; only retries wait for a poll. */
const outsidePollMs = 10_000;

/** Jobs that share slots. */
interface Group {
  tasks: TaskList;
  schedules: Schedule[];
  places: number;
  pollMs: number;
}

function groupsOf(
  tasks: TaskList,
  schedules: Schedule[],
  { concurrency, outside = [], long = [] }: WorkerOptions,
): Group[] {
  const groupOf = (isIn: (task: string) => boolean, places: number, pollMs: number): Group => ({
    tasks: Object.fromEntries(Object.entries(tasks).filter(([task]) => isIn(task))),
    schedules: schedules.filter(({ task }) => isIn(task)),
    ...{ places, pollMs },
  });
  const each = Math.max(1, Math.floor(concurrency / outside.length));
  const apart = [...outside.flat(), ...long];
  return [
    groupOf((task) => !apart.includes(task), concurrency, ownPollMs),
    ...(long.length === 0
      ? []
      : [groupOf((task) => long.includes(task), Math.max(1, Math.floor(concurrency / 2)), outsidePollMs)]),
    ...outside.map((names) => groupOf((task) => names.includes(task), each, outsidePollMs)),
  ];
}

/**
 * Starts running jobs in this process; `stop` waits for running jobs, whose loops end. The worker of a group is replaced if it ended, as
 * the library's does when a database answer is lost; if it takes no due job for a minute although it could; or if its
 * schedules wait for a minute in the future because the clock was set back.
 */
export async function startWorker(
  pool: pg.Pool,
  tasks: TaskList,
  schedules: Schedule[],
  options: WorkerOptions,
): Promise<{ stop(): Promise<void> }> {
  const { log } = options;
  await correctSchedules(pool);
  const groups = await Promise.all(
    groupsOf(tasks, schedules, options).map((group) => superviseRunner(pool, group, options)),
  );
  const running = () => groups.flatMap((group) => group.running());
  const renew = () => renewLeases(pool, running());
  const checks = [() => correctSchedules(pool), ...groups.map((group) => group.replaceIfNeeded)];
  const check = () => eachInTurn(checks, (one) => one());
  const renewal = startTicker('job leases', renewEveryMs, renew, log);
  const watchdog = startTicker('job watchdog', options.checkEveryMs ?? checkEveryMs, check, log);
  return {
    async stop() {
      await watchdog.stop();
      await Promise.all(groups.map((group) => group.stop()));
      await renewal.stop();
    },
  };
}

type Runner = Awaited<ReturnType<typeof startRunner>>;

/** Runs the runner of a group, and replaces it if needed. */
async function superviseRunner(pool: pg.Pool, group: Group, options: WorkerOptions) {
  const overdueMs = options.stalledAfterMs ?? stalledAfterMs;
  let runner: Runner | null = await startRunner(pool, group, options.log);
  const isStalled = async (one: Runner) =>
    one.hasEnded() ||
    ((await hasOverdueJob(pool, Object.keys(group.tasks), overdueMs)) && one.isFree() && one.idleMs() >= overdueMs);
  /** Replaced runners that are finishing their jobs. */
  const finishing = new Map<Runner, Promise<void>>();
  const finish = async (one: Runner) => {
    const stopped = one.stop();
    finishing.set(one, stopped);
    await stopped.finally(() => finishing.delete(one));
  };
  return {
    running: () => [...finishing.keys(), ...(runner === null ? [] : [runner])].flatMap((one) => one.running()),
    async replaceIfNeeded() {
      if (runner !== null) {
        const isAhead = runner.isAhead();
        if (!isAhead && !(await isStalled(runner))) return;
        options.log.error({ ended: runner.hasEnded(), isAhead }, 'the job worker takes no jobs; starting another');
        options.restarts.inc();
        // A stalled runner may never stop, and would keep its jobs from others.
        const stopped = isAhead ? finish(runner) : runner.stop();
        // Without a database, neither stopping nor starting may succeed; the next check then only starts one.
        runner = null;
        await Promise.race([stopped, pause(stopStalledWithinMs, undefined, { ref: false })]);
      }
      runner = await startRunner(pool, group, options.log);
    },
    stop: async () => void (await Promise.all([runner?.stop(), ...finishing.values()])),
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
 * A pool for the library that keeps waiting if no connection is free in time. Otherwise a successful job might not be
 * removed, and would run again when its lease expires.
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

/**
 * The same tasks, but a run of a schedule replaces its earlier failed runs, so that an outage leaves one failure of each. If a schedule
 * that runs again within the hour is due while its previous run is still working, that one runs once more afterwards; otherwise a long run
 * would take one slot after another, and the rest of the work that a run queues could be lost.
 */
function scheduledTasks(pool: pg.Pool, tasks: TaskList, schedules: readonly Schedule[]): TaskList {
  const working = new Set<string>();
  const dueAgain = new Set<string>();
  const wrapped = schedules.map((schedule): [string, Task] => {
    const name = schedule.task;
    const run: Task = async (payload, helpers) => {
      if (working.has(name) && comesWithinTheHour(schedule)) {
        dueAgain.add(name);
        return;
      }
      working.add(name);
      try {
        do {
          dueAgain.delete(name);
          await forgetFailed(pool, name);
          await tasks[name]?.(payload, helpers);
        } while (dueAgain.has(name));
      } finally {
        working.delete(name);
      }
    };
    return [name, run];
  });
  return { ...tasks, ...Object.fromEntries(wrapped) };
}

/** The same tasks, whose loops end once the signal is aborted. */
const stoppable = (tasks: TaskList, signal: AbortSignal): TaskList =>
  Object.fromEntries(
    Object.entries(tasks).map(([name, run]): [string, Task] => [
      name,
      (payload, helpers) => untilStopped(signal, () => run?.(payload, helpers)),
    ]),
  );

async function forgetFailed(pool: pg.Pool, task: string): Promise<void> {
  await pool.query(
    `delete from graphile_worker._private_jobs where attempts >= max_attempts and locked_at is null
       and task_id = (select id from graphile_worker._private_tasks where identifier = $1)`,
    [task],
  );
}

async function startRunner(pool: pg.Pool, { tasks, schedules, places, pollMs }: Group, log: FastifyBaseLogger) {
  const { events, running } = trackJobs();
  const isAhead = watchSchedules(events);
  const stopping = new AbortController();
  const runner = await run({
    pgPool: patientPool(pool),
    // Without batches, the library doesn't wait for the statements that remove finished jobs when it stops.
    preset: { worker: { completeJobBatchDelay: 0, failJobBatchDelay: 0 } },
    taskList: stoppable(scheduledTasks(pool, tasks, schedules), stopping.signal),
    parsedCronItems: parseCronItems(schedules.map(cronItemOf)),
    concurrency: places,
    noHandleSignals: true,
    pollInterval: pollMs,
    events,
    logger: jobLogger(log),
  });
  let hasEnded = false;
  let tookAt = performance.now();
  events.on('job:start', () => (tookAt = performance.now()));
  runner.promise
    .catch((error: unknown) => log.warn({ err: error }, 'the job worker ended'))
    .finally(() => (hasEnded = true));
  return {
    hasEnded: () => hasEnded,
    isAhead,
    isFree: () => running.size < places,
    idleMs: () => performance.now() - tookAt,
    running: () => [...running],
    stop: async () => {
      stopping.abort();
      if (!hasEnded) await runner.stop();
    },
  };
}

/** Whether an unlocked job for one of these tasks has been due for `overdueMs`. */
async function hasOverdueJob(pool: pg.Pool, tasks: string[], overdueMs: number): Promise<boolean> {
  const { rowCount } = await pool.query(
    `select from graphile_worker._private_jobs job join graphile_worker._private_tasks task on task.id = job.task_id
     where job.is_available and job.run_at < now() - make_interval(secs => $1) and task.identifier = any ($2) limit 1`,
    [overdueMs / 1000, tasks],
  );
  return rowCount === 1;
}

const leaseSeconds = 30;

/** The jobs that a worker with these events is running. */
export function trackJobs(): { events: WorkerEvents; running: ReadonlySet<string> } {
  const running = new Set<string>();
  const events = new EventEmitter() as WorkerEvents;
  events.on('job:start', ({ job }) => running.add(job.id));
  events.on('job:complete', ({ job }) => running.delete(job.id));
  return { events, running };
}

/**
 * Renews the leases of this process's jobs and releases all expired ones; call it every few seconds. By itself, the
 * library keeps a job locked for four hours if its process was killed or the database's answer was lost. A lease from
 * the future, written when the clock was ahead, counts from now.
 */
export async function renewLeases(pool: pg.Pool, running: readonly string[]): Promise<void> {
  await pool.query(
    `with renewed as (
       update graphile_worker._private_jobs set locked_at = now()
       where locked_at is not null and (id = any ($1::bigint[]) or locked_at > now() + interval '1 minute')
     )
     update graphile_worker._private_jobs set locked_at = null, locked_by = null
     where locked_at < now() - make_interval(secs => $2) and id <> all ($1::bigint[])`,
    [running, leaseSeconds],
  );
}
