import { sql } from 'kysely';
import type pg from 'pg';
import { Logger as JobLogger, makeWorkerUtils, parseCronItems, run, runOnce, type TaskList } from 'graphile-worker';
import type { FastifyBaseLogger } from 'fastify';
import type { Db } from '../db/db.ts';
import { createJobLeases } from './job-leases.ts';
import { startTicker } from './ticker.ts';

const renewEveryMs = 5000;

/** What runs by the clock: a crontab line's schedule and the task's name. */
export interface Schedule {
  cron: string;
  task: string;
}

// The library's own messages quote payloads and errors; only the first words of its warnings and errors are kept.
const jobLogger = (log: FastifyBaseLogger) =>
  new JobLogger(() => (level, message, meta) => {
    if (level !== 'error' && level !== 'warning') return;
    const { error, job } = meta as { error?: unknown; job?: { task_identifier?: string } };
    log.warn({ job: message.split(/[:(]/)[0]?.slice(0, 80), task: job?.task_identifier, err: error }, 'job trouble');
  });

/** Creates or upgrades the job queue's own tables. */
export async function migrateJobs(pool: pg.Pool): Promise<void> {
  const utils = await makeWorkerUtils({ pgPool: pool, logger: new JobLogger(() => () => undefined) });
  await utils.migrate();
  await utils.release();
}

/** Enqueues a job inside the running transaction: it exists exactly if the transaction commits. `delaySeconds` is how long it waits. */
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

/** Starts working off jobs in this process; `stop` lets running ones finish. */
export async function startWorker(
  pool: pg.Pool,
  tasks: TaskList,
  schedules: Schedule[],
  options: { concurrency: number; log: FastifyBaseLogger },
): Promise<{ stop(): Promise<void> }> {
  const leases = createJobLeases(pool);
  const runner = await run({
    pgPool: pool,
    taskList: tasks,
    parsedCronItems: parseCronItems(schedules.map(({ cron, task }) => ({ match: cron, task }))),
    concurrency: options.concurrency,
    noHandleSignals: true,
    pollInterval: 2000,
    events: leases.events,
    logger: jobLogger(options.log),
  });
  const ticker = startTicker('job leases', renewEveryMs, leases.renew, options.log);
  return {
    async stop() {
      await runner.stop();
      await ticker.stop();
    },
  };
}

/** Works off every job that is due, then returns. */
export async function drainJobs(pool: pg.Pool, tasks: TaskList, log: FastifyBaseLogger): Promise<void> {
  await runOnce({ pgPool: pool, taskList: tasks, noHandleSignals: true, logger: jobLogger(log) });
}
