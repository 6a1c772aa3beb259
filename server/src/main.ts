import type { FastifyBaseLogger } from 'fastify';
import { setTimeout as pause } from 'node:timers/promises';
import { buildApp } from './app.ts';
import { greet } from './greeting.ts';
import { systemClock } from './platform/clock.ts';
import { readConfig, type Config } from './platform/config.ts';
import { createPool } from './platform/db.ts';
import { prepareDrain } from './platform/drain.ts';
import { migrateJobs, startWorker } from './platform/jobs.ts';
import { createLifecycle, type Lifecycle } from './platform/lifecycle.ts';
import { checkAddress, listen } from './platform/listen.ts';
import { createLog } from './platform/log.ts';
import { migrate } from './platform/migrate.ts';
import { openDatabase } from './platform/open-database.ts';
import { explainFailure } from './platform/start-error.ts';

/** Supervisors wait ten seconds. Requests come first; what they leave is the database's, and at least its reserve. */
const stopWithinMs = 9700;
const drainWithinMs = 8000;
const connectionsEndWithinMs = 300;
const databaseReserveMs = 700;
const poolSize = 20;

/** Brings the service up step by step, and tells `lifecycle` how each step is undone. */
async function start(config: Config, log: FastifyBaseLogger, lifecycle: Lifecycle): Promise<void> {
  const database = await openDatabase(config, `http://localhost:${config.port}`, log);
  lifecycle.onStop((remainingMs) => database.close(Math.max(remainingMs - databaseReserveMs, databaseReserveMs)));
  await checkAddress(config);
  await migrate(database.url);
  const pool = createPool(database.url, {
    max: poolSize,
    onError: (error) => {
      if (!lifecycle.isStopping()) log.warn({ err: error }, 'a database connection broke');
    },
  });
  // A connection that hangs is left to the end of the process.
  lifecycle.onStop(() => Promise.race([pool.end(), pause(connectionsEndWithinMs)]));
  await migrateJobs(pool);

  const app = await buildApp({ config, pool, clock: systemClock, log });
  const drain = prepareDrain(app);
  const tickers = app.background.startTickers();
  lifecycle.onStop(() => Promise.race([tickers.stop(), pause(connectionsEndWithinMs)]));
  const { tasks, schedules } = app.background;
  const worker =
    config.worker === 'inline'
      ? await startWorker(pool, tasks, schedules, { concurrency: config.workerConcurrency, log })
      : null;
  lifecycle.onStop(() => Promise.all([drain(drainWithinMs), Promise.race([worker?.stop(), pause(drainWithinMs)])]));
  await listen(app, config);
  greet(config, database.outside);
}

/** What nobody caught is logged and survived: each request stands alone, and what counts is in the database. */
function surviveTheUnexpected(log: FastifyBaseLogger): void {
  process.on('uncaughtException', (error) => {
    log.error({ err: error }, 'an unexpected error');
  });
  process.on('unhandledRejection', (reason) => {
    log.error({ err: reason }, 'an unexpected error');
  });
}

async function main(): Promise<void> {
  const config = readConfig();
  const log = createLog(config.logLevel);
  surviveTheUnexpected(log);
  const lifecycle = createLifecycle(stopWithinMs);
  const end = (code: number) => {
    void lifecycle.stop().then((problems) => {
      for (const problem of problems) log.error({ err: problem }, 'the stop went wrong');
      process.exit(problems.length > 0 ? 1 : code);
    });
  };
  for (const signal of ['SIGTERM', 'SIGINT'] as const) {
    process.on(signal, () => {
      end(0);
    });
  }
  // Started by a process of another version of Node, this one ends with it.
  process.on('disconnect', () => {
    end(0);
  });
  try {
    await start(config, log, lifecycle);
  } catch (error) {
    if (lifecycle.isStopping()) return;
    explainFailure(error);
    end(1);
  }
}

await main().catch((error: unknown) => {
  explainFailure(error);
  process.exit(1);
});
