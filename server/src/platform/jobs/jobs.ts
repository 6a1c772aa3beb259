import type { FastifyBaseLogger } from 'fastify';
import { sql } from 'kysely';
import type pg from 'pg';
import { type CronItem, Logger as JobLogger, makeWorkerUtils, runOnce, type TaskList } from 'graphile-worker';
import type { Db } from '../db/db.ts';

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

/** A scheduled job: a crontab schedule and the task's name. */
export interface Schedule {
  cron: string;
  task: string;
}

/** Whether a schedule runs again within the hour. */
export const comesWithinTheHour = ({ cron }: Pick<Schedule, 'cron'>) => cron.split(' ')[1] === '*';

const hourMs = 3_600_000;

/**
 * How late a run missed during a stop is made up for: until the next one is due, at most a month. A schedule that runs several times an
 * hour needs none.
 */
function backfillMs({ cron }: Schedule): number {
  const [minute = '', hour, , month, weekday] = cron.split(' ');
  if (hour === '*') return /^\d+$/.test(minute) ? hourMs : 0;
  if (month !== '*') return 31 * 24 * hourMs;
  return (weekday === '*' ? 1 : 7) * 24 * hourMs;
}

/**
 * A schedule in the library's form. While no job can run, at most one job of each schedule waits, because jobs with the
 * same key replace each other. A job that runs again within the hour isn't retried before.
 */
export const cronItemOf = (schedule: Schedule): CronItem => ({
  match: schedule.cron,
  task: schedule.task,
  options: {
    jobKey: schedule.task,
    jobKeyMode: 'replace',
    maxAttempts: comesWithinTheHour(schedule) ? 1 : 3,
    backfillPeriod: backfillMs(schedule),
  },
});

/** The library's messages quote payloads and errors, so only the first words of its warnings and errors are logged. */
export const jobLogger = (log: FastifyBaseLogger) =>
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

/** Queues a job in the running transaction, so that it exists only if the transaction commits. */
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

/** How many jobs are due or have failed permanently, by task; `/metrics` shows this. */
export async function countJobs(pool: pg.Pool, which: 'due' | 'failed'): Promise<Map<string, number>> {
  const condition =
    which === 'due'
      ? 'job.is_available and job.run_at <= now()'
      : 'job.attempts >= job.max_attempts and job.locked_at is null';
  const { rows } = await pool.query<{ task: string; count: number }>(
    `select task.identifier as task, count(*)::int as count from graphile_worker._private_jobs job
       join graphile_worker._private_tasks task on task.id = job.task_id where ${condition} group by 1`,
  );
  return new Map(rows.map(({ task, count }) => [task, count]));
}

/** How many seconds the oldest due job has been waiting; 0 if none is due. */
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
    // The library waits until outcomes are recorded only if it batches them.
    preset: { worker: { completeJobBatchDelay: 0, failJobBatchDelay: 0 } },
  });
}
