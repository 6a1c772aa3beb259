import { chmodSync, existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, statfsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import pg from 'pg';
import { startEmbeddedDatabase } from '../../launcher/embedded-database/embedded-database.ts';
import { stopLeftovers } from '../../launcher/embedded-database/server.ts';
import { createSandboxTables } from '../../demo/payments/tables.ts';
import { createDb } from '#platform/db/db.ts';
import { createPool } from '#platform/db/pool.ts';
import { migrateJobs } from '#platform/jobs/jobs.ts';
import { createLog } from '#platform/process/log.ts';
import { migrate } from '#platform/db/migrate.ts';

const prefix = 'heartwood-test-';
/**
 * Files are kept in memory: each test file creates and removes the thousand files of a database, which takes much
 * longer on a disk.
 */
const memory = '/dev/shm';
const enoughBytes = 4 * 1024 ** 3;
/** The test database doesn't need to survive a crash. */
const settings = {
  fsync: 'off',
  synchronous_commit: 'off',
  full_page_writes: 'off',
  shared_buffers: '128MB',
  max_connections: '200',
  autovacuum: 'off',
  wal_level: 'minimal',
  max_wal_size: '256MB',
};

/**
 * Starts a PostgreSQL server for this run of the tests, with the migrated database `heartwood_template` to clone. Tests
 * find it through `TEST_DATABASE_URL`, whose role may create databases and roles. Temporary files are in the same
 * folder, which is removed at the end or, if the run was killed, by the next one.
 */
export default async function startTestDatabase(): Promise<(() => Promise<void>) | undefined> {
  // Two projects share the server in one run.
  if (process.env['TEST_DATABASE_URL'] !== undefined) return undefined;
  await removeLeftovers();
  const folder = mkdtempSync(join(hasMemoryFolder() ? memory : tmpdir(), `${prefix}${process.pid}-`));
  chmodSync(folder, 0o755);
  const log = createLog('warn');
  const server = await startEmbeddedDatabase({ dataDir: folder, log, settings, outsideRoot: join(folder, 'outside') });
  await runSql(server.superuserUrl, 'alter role heartwood createdb createrole');
  // Each connection derives its key from the password, which takes milliseconds with the usual 4096 rounds, and each
  // test file opens a dozen connections.
  const { password } = new URL(server.url);
  await runSql(server.url, `set scram_iterations = 1; alter role heartwood password '${password}'`);
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

/** Whether there is a folder in memory with room for the databases of all workers. */
function hasMemoryFolder(): boolean {
  try {
    const { bavail, bsize } = statfsSync(memory);
    return bavail * bsize >= enoughBytes;
  } catch {
    return false;
  }
}

async function migrateTemplate(url: string): Promise<void> {
  await migrate(url);
  const pool = createPool(url);
  await migrateJobs(pool);
  // Otherwise each app of the tests would create them in its own database.
  await createSandboxTables(createDb(pool));
  await pool.end();
}

/** Removes what killed runs left behind. */
async function removeLeftovers(): Promise<void> {
  const places = [tmpdir(), memory].filter(existsSync);
  const folders = places.flatMap((place) => readdirSync(place).map((name) => join(place, name)));
  for (const folder of folders.filter((path) => basename(path).startsWith(prefix))) {
    if (isAlive(Number(basename(folder).slice(prefix.length).split('-')[0]))) continue;
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
