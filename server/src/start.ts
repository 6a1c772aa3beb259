import { type Config, readConfig, weaknessOfPictures } from '#platform/config/config.ts';
import { missingOnReceipts } from '#platform/config/payments.ts';
import type { FastifyBaseLogger } from 'fastify';
import type { Pool } from 'pg';
import { flushCompileCache } from 'node:module';
import { setTimeout as pause } from 'node:timers/promises';
import { buildApp } from './app.ts';
import { systemClock } from '#platform/process/clock.ts';
import { createDb } from '#platform/db/db.ts';
import { createPool } from '#platform/db/pool.ts';
import {
  checkAddress,
  createLifecycle,
  explainFailure,
  type Lifecycle,
  listen,
  prepareDrain,
} from '#platform/process/lifecycle.ts';
import { addJob, startTicker } from '#platform/jobs/jobs.ts';
import { createLog } from '#platform/process/log.ts';
import { openDatabase, prepareDatabase, weaknessOfRoles } from './open-database.ts';
import { type DemoAccount, type DemoData, fillWithDemoData } from './demo-data.ts';
import { importPlaces } from './features/profiles/place/import-places.ts';
import { placesJob } from './features/profiles/place/shipped-places.ts';
import type { Installation } from './run-command.ts';

/** Prints a line about the progress of the start. */
function say(line: string): void {
  process.stdout.write(`${line}\n`);
}

interface Greeting {
  /** The accounts that users can sign in with; empty without demo data. */
  demoAccounts: readonly DemoAccount[];
  /** The folder outside the data folder that the embedded database had to use, or null. */
  outside: string | null;
}

/** Prints the address of the service and the demo accounts. */
function greet(config: Config, { demoAccounts: accounts, outside }: Greeting): void {
  const address = `http://localhost:${config.port}`;
  say(`\nHeartwood is ready: ${address}`);
  if (config.publicUrl !== address) say(`Links in mails start with ${config.publicUrl}`);
  if (accounts.length > 0) {
    say('\nDemo accounts:');
    for (const account of accounts) {
      say(`  ${account.what.padEnd(16)} ${account.email.padEnd(28)} ${account.password}`);
    }
    say(`Staff sign in at ${address}/login, members at ${address}/app/sign-in`);
  }
  if (config.mail.outboxShown) say(`\nEvery mail is shown at ${address}/dev/outbox; none leaves this machine.`);
  if (outside !== null) {
    say(`\nPostgreSQL does not run as root, and its user cannot access this folder. The database is in ${outside}`);
  }
  say('');
}

/** Supervisors wait ten seconds. Requests are finished first; the database gets the rest, and at least its reserve. */
const stopWithinMs = 9700;
const drainWithinMs = 8000;
const connectionsEndWithinMs = 300;
const databaseReserveMs = 700;
/** How much later than the server the pool gives up on a statement. */
const statementReserveMs = 1000;

/** The values that each step of the start uses. Each registers with `lifecycle` how to undo it. */
interface Start {
  config: Config;
  installation: Installation;
  log: FastifyBaseLogger;
  lifecycle: Lifecycle;
}

async function start({ config, installation, log, lifecycle }: Start): Promise<void> {
  say(config.databaseUrl === null ? 'Starting the database …' : 'Connecting to the database …');
  const database = await openDatabase(config, `http://localhost:${config.port}`, log, installation.embedded);
  lifecycle.onStop((remainingMs) => database.close(Math.max(remainingMs - databaseReserveMs, databaseReserveMs)));
  await checkAddress(config);
  await prepareDatabase(database);
  for (const weakness of [weaknessOfRoles(config, database), weaknessOfPictures(config)])
    if (weakness !== null) log.warn(weakness);
  const missing = missingOnReceipts(config.payments);
  if (missing.length > 0) log.warn({ missing }, 'receipts are incomplete: not everything about the seller is set');
  const pool = createPool(database.url, {
    max: config.databasePool.size,
    giveUpMs: config.databasePool.statementTimeoutMs + statementReserveMs,
    statementTimeoutMs: config.databasePool.statementTimeoutMs,
    lockTimeoutMs: config.databasePool.lockTimeoutMs,
    preparedStatements: config.preparedStatements,
    onSlow: (statement, ms) => log.warn({ statement, ms }, 'a slow statement'),
    onError: (error) => {
      if (!lifecycle.isStopping()) log.warn({ err: error }, 'a database connection broke');
    },
  });
  // Does not wait for a connection that hangs.
  lifecycle.onStop(() => Promise.race([pool.end(), pause(connectionsEndWithinMs)]));
  await importPlaces(pool);
  if (config.places === 'all') await addJob(createDb(pool), placesJob.name, {}, { jobKey: placesJob.name });
  const isFilled = await fillWithDemoData(
    { ...config, prices: config.payments.prices },
    { pool, ownerUrl: database.ownerUrl, demo: installation.demo, say },
  );
  const demo = isFilled ? installation.demo : undefined;
  await serve(pool, demo, { config, installation, log, lifecycle });
  greet(config, { demoAccounts: (await demo?.accounts()) ?? [], outside: database.outside });
}

async function serve(
  pool: Pool,
  demo: DemoData | undefined,
  { config, installation, log, lifecycle }: Start,
): Promise<void> {
  const app = await buildApp({ config, pool, clock: systemClock, log, providers: installation.providers });
  const drain = prepareDrain(app, () => app.endSockets());
  const tickers = [app.background.startTickers()];
  if (demo !== undefined) {
    const { name, everyMs, run } = await demo.ticker(createDb(pool), systemClock);
    tickers.push(startTicker(name, everyMs, run, log));
  }
  const tickersEnd = () => Promise.all(tickers.map((ticker) => ticker.stop()));
  lifecycle.onStop(() => Promise.race([tickersEnd(), pause(connectionsEndWithinMs)]));
  const worker = config.worker === 'inline' ? await app.background.startWorker() : null;
  lifecycle.onStop(() => Promise.all([drain(drainWithinMs), Promise.race([worker?.stop(), pause(drainWithinMs)])]));
  // Node itself stores compiled code only when a process exits, so after a kill the next one would compile everything again.
  flushCompileCache();
  await listen(app, config);
  // Not awaited, because a slow or missing mail server must not delay the start.
  if (worker !== null) void app.background.checkMail();
}

/** PostgreSQL was stopped (57P01 to 57P03), or its socket is closed or missing. */
const lostConnectionCodes = ['EPIPE', 'ECONNRESET', 'ECONNREFUSED', 'ENOENT', '57P01', '57P02', '57P03'];
/** node-postgres's messages, without a code, when it gives up on a connection or is told to. */
const lostConnectionWords = /^(timeout exceeded when trying to connect|Connection terminated)/;
const isLostConnection = (error: unknown) =>
  error instanceof Error &&
  (lostConnectionWords.test(error.message) || ('code' in error && lostConnectionCodes.includes(String(error.code))));

async function main(installation: Installation): Promise<void> {
  const config = readConfig();
  const log = createLog(config.logLevel);
  const lifecycle = createLifecycle(stopWithinMs);
  const end = (code: number) => {
    void lifecycle.stop().then((problems) => {
      for (const problem of problems) log.error({ err: problem }, 'stopping failed');
      process.exit(problems.length > 0 ? 1 : (process.exitCode ?? code));
    });
  };
  // The process may now be in any state: finish the requests and let the supervisor start a new one. Broken database
  // connections are an exception: libraries leave promises of their queries behind, and the pool replaces the
  // connection.
  for (const event of ['uncaughtException', 'unhandledRejection'] as const) {
    process.on(event, (error: unknown) => {
      if (isLostConnection(error)) {
        log.error({ err: error }, 'a database connection broke');
        return;
      }
      log.fatal({ err: error }, 'an unexpected error; stopping');
      process.exitCode = 1;
      end(1);
    });
  }
  for (const signal of ['SIGTERM', 'SIGINT'] as const) {
    process.on(signal, () => {
      end(0);
    });
  }
  // If another version of Node started this process, it ends with that one.
  process.on('disconnect', () => {
    end(0);
  });
  try {
    await start({ config, installation, log, lifecycle });
  } catch (error) {
    if (lifecycle.isStopping()) return;
    explainFailure(error);
    end(1);
  }
}

/** Runs the service in this process until it is stopped. */
export async function startService(installation: Installation): Promise<void> {
  try {
    await main(installation);
  } catch (error) {
    explainFailure(error);
    process.exit(1);
  }
}
