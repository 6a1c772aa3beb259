import { chmodSync, mkdirSync } from 'node:fs';
import { totalmem } from 'node:os';
import { resolve } from 'node:path';
import pg from 'pg';
import { createDb, createPool, hasDemoData } from '../../server/src/platform/db/db.ts';
import { startEmbeddedDatabase } from '../../launcher/embedded-database/embedded-database.ts';
import { migrateJobs } from '../../server/src/platform/jobs/jobs.ts';
import { createLog } from '../../server/src/platform/process/log.ts';
import { migrate } from '../../server/src/platform/db/migrate.ts';
import { importPlaces } from '../../server/src/features/profiles/place/import-places.ts';
import { fillContent } from './content.ts';
import { copyReports } from '../../demo/reports/tables.ts';
import { seedDemo } from '../../demo/seed.ts';

const benchReports = 200_000;
/** A demo with more members has no pictures, answers, likes and messages. */
export const smallMost = 10_000;
/** A block holds a lock until its transaction ends, and a server has room for only a few thousand. */
const reportsAtOnce = 5000;
const folder = resolve(import.meta.dirname, '../../.bench-data');

/** As on a database server of its own, which has a quarter of the memory for this (https://www.postgresql.org/docs/current/runtime-config-resource.html). */
const settings = { shared_buffers: `${Math.floor(totalmem() / 4 / 2 ** 20)}MB` };

export interface BenchData {
  /** A database with as many members as asked for, with pictures, answers, decisions and conversations. */
  large: string;
  /** One with 10,000. */
  small(): Promise<string>;
  /** Files 200,000 reports in the large one, unless an earlier run did. */
  fileReports(): Promise<void>;
  /** A migrated database without rows, new at each call. */
  empty(): Promise<string>;
  close(): Promise<void>;
}

/** Starts PostgreSQL in a separate folder and fills a database with `members`, unless an earlier run did. */
export async function openBenchData(members: number, say: (line: string) => void): Promise<BenchData> {
  mkdirSync(folder, { recursive: true });
  chmodSync(folder, 0o755);
  const server = await startEmbeddedDatabase({ dataDir: folder, log: createLog('warn'), settings });
  try {
    const fill = (count: number) => filled(server.superuserUrl, server.url, count, say);
    const large = await fill(members);
    return {
      large,
      small: () => fill(10_000),
      fileReports: () => fileReports(large, members, say),
      empty: () => empty(server.superuserUrl, server.url),
      close: () => server.stop(10_000),
    };
  } catch (error) {
    await server.stop();
    throw error;
  }
}

async function empty(superuserUrl: string, roleUrl: string): Promise<string> {
  const url = new URL(roleUrl);
  url.pathname = '/bench_empty';
  await withSuperuser(superuserUrl, async (client) => {
    await client.query('drop database if exists bench_empty with (force)');
    await client.query(`create database bench_empty owner ${url.username}`);
  });
  await migrate(url.href);
  return url.href;
}

async function filled(
  superuserUrl: string,
  roleUrl: string,
  members: number,
  say: (line: string) => void,
): Promise<string> {
  const name = `bench_${members}`;
  const url = new URL(roleUrl);
  url.pathname = `/${name}`;
  await createDatabase(superuserUrl, name, url.username);
  await migrate(url.href);
  const pool = createPool(url.href);
  try {
    await migrateJobs(pool);
    await fillMembers(pool, members, say);
  } finally {
    await pool.end();
  }
  return url.href;
}

/**
 * Fills a migrated database with `members` as the owner of its tables, unless that has happened before. `serving`: the role that owns the
 * job queue, if it is another.
 */
export async function fillMembers(
  owner: pg.Pool,
  members: number,
  say: (line: string) => void,
  serving: pg.Pool = owner,
): Promise<void> {
  await importPlaces(serving);
  if (!(await hasDemoData(createDb(owner)))) {
    say(`Filling a database with ${members.toLocaleString('en')} members …`);
    const started = performance.now();
    await seedDemo(owner, { members, now: new Date(), log: say, serving });
    say(`  took ${Math.round((performance.now() - started) / 1000)} s`);
  }
  // Small demos have content of their own.
  if (members > smallMost) await fillContent(owner.options.connectionString ?? '', say);
}

/** Files reports until there are 200,000. */
async function fileReports(url: string, members: number, say: (line: string) => void): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  const { rows } = await client.query<{ n: number }>('select count(*)::int as n from report');
  const [{ n } = { n: 0 }] = rows;
  if (n < benchReports) {
    say(`Filing ${benchReports.toLocaleString('en')} reports …`);
    for (let from = n; from < benchReports; from += reportsAtOnce) {
      await client.query('begin');
      const size = { members, hasPictures: false, now: new Date() };
      await copyReports(client, [from, Math.min(from + reportsAtOnce, benchReports)], size);
      await client.query('select logic.statistic_fold()');
      await client.query('commit');
    }
    await client.query(
      'vacuum (analyze) report, report_reply, report_event, report_evidence, block, statistic, statistic_delta',
    );
  }
  await client.end();
}

async function createDatabase(superuserUrl: string, name: string, owner: string): Promise<void> {
  await withSuperuser(superuserUrl, async (client) => {
    const { rowCount } = await client.query('select from pg_database where datname = $1', [name]);
    if (rowCount === 0) await client.query(`create database ${name} owner ${owner}`);
  });
}

async function withSuperuser(url: string, work: (client: pg.Client) => Promise<void>): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  await work(client).finally(() => client.end());
}
