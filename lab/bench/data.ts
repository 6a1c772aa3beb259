import { execFileSync } from 'node:child_process';
import { chmodSync, mkdirSync } from 'node:fs';
import { totalmem } from 'node:os';
import { resolve } from 'node:path';
import pg from 'pg';
import { createDb, hasDemoData } from '../../server/src/platform/db/db.ts';
import { createPool } from '../../server/src/platform/db/pool.ts';
import { type EmbeddedDatabase, startEmbeddedDatabase } from '../../launcher/embedded-database/embedded-database.ts';
import { migrateJobs } from '../../server/src/platform/jobs/jobs.ts';
import { createLog } from '../../server/src/platform/process/log.ts';
import { migrate } from '../../server/src/platform/db/migrate.ts';
import { importPlaces } from '../../server/src/features/profiles/place/import-places.ts';
import { fillContent } from './content.ts';
import { spreadScores } from './discovery-data.ts';
import { multiplyMembers } from './multiply.ts';
import { copyReports } from '../../demo/reports/tables.ts';
import { seedDemo } from '../../demo/seed.ts';

const benchReports = 200_000;
/** A demo with more members has no pictures, answers, likes and messages. */
export const smallMost = 10_000;
/** A block holds a lock until its transaction ends, and a server has room for only a few thousand. */
const reportsAtOnce = 5000;
const stopMs = 10_000;
/** Larger databases hold copies of this many members. */
const membersCopied = 50_000;
const folder = resolve(import.meta.dirname, '../../.bench-data');

/** As on a database server of its own, which has a quarter of the memory for this (https://www.postgresql.org/docs/current/runtime-config-resource.html). */
const sharedBuffers = totalmem() / 4;
const settings = { shared_buffers: `${Math.floor(sharedBuffers / 2 ** 20)}MB` };
/** While a database is filled, which an interrupted run starts over. */
const fillingSettings = {
  ...settings,
  fsync: 'off',
  full_page_writes: 'off',
  // Tables that are emptied and filled in one transaction are not logged.
  wal_level: 'minimal',
  max_wal_size: '8GB',
  maintenance_work_mem: '1GB',
  max_parallel_maintenance_workers: '2',
  autovacuum: 'off',
};

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
  const start = async (wanted: Record<string, string>) =>
    await startEmbeddedDatabase({ dataDir: folder, log: createLog('warn'), settings: wanted });
  const filling = await start(fillingSettings);
  try {
    await filled(filling, members, say);
  } finally {
    await filling.stop(stopMs);
  }
  // What was filled without waiting for the disk would be written while something is measured.
  execFileSync('sync');
  const server = await start(settings);
  try {
    const large = await filled(server, members, say);
    await prewarm(server, large);
    return {
      large,
      small: () => filled(server, smallMost, say),
      fileReports: () => fileReports(large, Math.min(members, membersCopied), say),
      empty: () => empty(server),
      close: () => server.stop(stopMs),
    };
  } catch (error) {
    await server.stop();
    throw error;
  }
}

async function empty(server: EmbeddedDatabase): Promise<string> {
  const name = 'bench_empty';
  await withSuperuser(server.superuserUrl, async (client) => {
    await client.query(`drop database if exists ${name} with (force)`);
  });
  return await migrated(server, name, () => Promise.resolve('template1'));
}

/** The address of a database with this many members, filled if it isn't yet; above 50,000 rounded up to a multiple of these. */
async function filled(server: EmbeddedDatabase, members: number, say: (line: string) => void): Promise<string> {
  const isCopied = members > membersCopied;
  const href = await migrated(server, `bench_${members}`, async () =>
    isCopied ? await filledBase(server, say) : 'template1',
  );
  if (isCopied)
    await multiplyMembers(urlOf(server.superuserUrl, `bench_${members}`), Math.ceil(members / membersCopied) - 1, say);
  else await fill(href, members, say);
  return href;
}

/** Fills the database whose members larger ones copy, and returns its name. */
async function filledBase(server: EmbeddedDatabase, say: (line: string) => void): Promise<string> {
  const name = 'bench_base';
  await fill(await migrated(server, name, () => Promise.resolve('template1')), membersCopied, say);
  return name;
}

async function fill(href: string, members: number, say: (line: string) => void): Promise<void> {
  const pool = createPool(href);
  try {
    await fillMembers(pool, members, say);
  } finally {
    await pool.end();
  }
  await spreadScores(href, say);
}

/** The address of the database `name`, with its tables, made from the one that `template` names if there is none. */
async function migrated(server: EmbeddedDatabase, name: string, template: () => Promise<string>): Promise<string> {
  const { href, username } = new URL(urlOf(server.url, name));
  await withSuperuser(server.superuserUrl, async (client) => {
    const { rowCount } = await client.query('select from pg_database where datname = $1', [name]);
    if (rowCount === 0) await client.query(`create database ${name} owner ${username} template ${await template()}`);
    // For `fillDecks`.
    await client.query(`grant pg_checkpoint to ${username}`);
  });
  await migrate(href);
  const pool = createPool(href);
  try {
    await migrateJobs(pool);
  } finally {
    await pool.end();
  }
  return href;
}

const urlOf = (base: string, name: string): string => Object.assign(new URL(base), { pathname: `/${name}` }).href;

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

/**
 * Reads tables and indexes into the shared buffers, smallest first, as long as they fit: the state of a server that has been running for a
 * while. Otherwise small databases would be measured with warm buffers, since few calls read all of them, and large ones with cold ones.
 */
async function prewarm(server: EmbeddedDatabase, href: string): Promise<void> {
  const name = new URL(href).pathname.slice(1);
  await withSuperuser(urlOf(server.superuserUrl, name), async (client) => {
    await client.query('create extension if not exists pg_prewarm');
    await client.query(
      `select pg_prewarm(oid) from (
         select c.oid, sum(pg_relation_size(c.oid)) over (order by pg_relation_size(c.oid), c.oid) as filled
         from pg_class c where c.relkind in ('r', 'i') and c.relpersistence = 'p'
       ) relations where filled < $1`,
      [sharedBuffers * 0.9],
    );
  });
}

async function withSuperuser(url: string, work: (client: pg.Client) => Promise<void>): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    await work(client);
  } finally {
    await client.end();
  }
}
