import { chmodSync, mkdirSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { startEmbeddedDatabase } from '../../launcher/embedded-database/embedded-database.ts';
import { stopLeftovers } from '../../launcher/embedded-database/server.ts';
import { createPool } from '../src/platform/db/db.ts';
import { migrateJobs } from '../src/platform/jobs/jobs.ts';
import { createLog } from '../src/platform/process/log.ts';
import { migrate } from '../src/platform/db/migrate.ts';

const prefix = 'heartwood-test-';
/** The test database doesn't need to survive a crash. */
const settings = {
  fsync: 'off',
  synchronous_commit: 'off',
  full_page_writes: 'off',
  shared_buffers: '128MB',
  max_connections: '200',
  autovacuum: 'off',
};

/**
 * Starts a PostgreSQL for this run of the tests, with the migrated database `heartwood_template` to clone. Tests find it by
 * `TEST_DATABASE_URL`, whose role may create databases and roles. Their temporary files are in the same folder, which is removed at the end
 * or, of a killed run, by the next one.
 */
export default async function startTestDatabase(): Promise<(() => Promise<void>) | undefined> {
  // Two projects share it in one run.
  if (process.env['TEST_DATABASE_URL'] !== undefined) return undefined;
  await removeLeftovers();
  const folder = mkdtempSync(join(tmpdir(), `${prefix}${process.pid}-`));
  chmodSync(folder, 0o755);
  const log = createLog('warn');
  const server = await startEmbeddedDatabase({ dataDir: folder, log, settings, outsideRoot: join(folder, 'outside') });
  await runSql(server.superuserUrl, 'alter role heartwood createdb createrole');
  await runSql(server.url, 'create database heartwood_template');
  await migrateTemplate(databaseUrl(server.url, 'heartwood_template'));
  process.env['TEST_DATABASE_URL'] = server.url;
  const temporary = join(folder, 'tmp');
  mkdirSync(temporary);
  chmodSync(temporary, 0o755);
  process.env['TMPDIR'] = temporary;
  return async () => {
    await server.stop();
    rmSync(folder, { recursive: true, maxRetries: 10, retryDelay: 100 });
  };
}

async function migrateTemplate(url: string): Promise<void> {
  await migrate(url);
  const pool = createPool(url);
  await migrateJobs(pool);
  await pool.end();
}

/** Removes what killed runs left behind. */
async function removeLeftovers(): Promise<void> {
  for (const name of readdirSync(tmpdir()).filter((entry) => entry.startsWith(prefix))) {
    if (isAlive(Number(name.slice(prefix.length).split('-')[0]))) continue;
    const folder = join(tmpdir(), name);
    await stopLeftovers(join(folder, 'postgres/data'));
    rmSync(folder, { recursive: true, force: true });
  }
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

function databaseUrl(url: string, database: string): string {
  const changed = new URL(url);
  changed.pathname = database;
  return changed.href;
}

async function runSql(url: string, sql: string): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  await client.query(sql);
  await client.end();
}
