import { execFileSync } from 'node:child_process';
import { chmodSync, mkdirSync } from 'node:fs';
import { totalmem } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { pino } from 'pino';
import { projectRoot, runCommand } from '../../launcher/command.ts';
import { type EmbeddedDatabase, startEmbeddedDatabase } from '../../launcher/embedded-database/embedded-database.ts';
import { rowsOf } from '../product.ts';
import { multiplyMembers } from './multiply.ts';

const folder = join(projectRoot, '.bench-data');
/** The number of members that the product itself fills in with pictures, answers, decisions and conversations; larger databases contain copies. */
const membersCopied = 10_000;
/** A quarter of the memory, as recommended for a dedicated database server (https://www.postgresql.org/docs/current/runtime-config-resource.html). */
const sharedBuffers = totalmem() / 4;
const settings = { shared_buffers: `${Math.floor(sharedBuffers / 2 ** 20)}MB` };
/** Settings while a database is filled; an interrupted run starts over, so data may be lost. */
const fillingSettings = {
  ...settings,
  fsync: 'off',
  full_page_writes: 'off',
  // With this level, tables that are emptied and filled in one transaction are not logged.
  wal_level: 'minimal',
  max_wal_size: '8GB',
  maintenance_work_mem: '1GB',
  autovacuum: 'off',
};

const say = (line: string) => process.stdout.write(`${line}\n`);

/** A database with that many members, rounded up to a multiple of 10,000 above that. */
export interface BenchData {
  /** Its address for the product and for the superuser. */
  url: string;
  superuserUrl: string;
  close(): Promise<void>;
}

/** Starts PostgreSQL in a separate folder with a database of this many members, which the first run fills. */
export async function openBenchData(members: number): Promise<BenchData> {
  mkdirSync(folder, { recursive: true });
  chmodSync(folder, 0o755);
  const start = (wanted: Record<string, string>) =>
    startEmbeddedDatabase({ dataDir: folder, log: pino({ level: 'warn' }), settings: wanted });
  const filling = await start(fillingSettings);
  let name: string;
  try {
    name = await filled(filling, members);
  } finally {
    await filling.stop();
  }
  // Otherwise the filled data would be written to the disk while something is measured.
  execFileSync('sync');
  const server = await start(settings);
  const data = { url: urlOf(server.url, name), superuserUrl: urlOf(server.superuserUrl, name) };
  await asSuperuser(data.superuserUrl, prewarm);
  return { ...data, close: () => server.stop() };
}

const urlOf = (base: string, name: string): string => Object.assign(new URL(base), { pathname: `/${name}` }).href;

/** Runs something as the superuser without a time limit. */
export async function asSuperuser<T>(url: string, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    await client.query('set statement_timeout = 0');
    return await work(client);
  } finally {
    await client.end();
  }
}

/** The name of the database with this many members, filled if it isn't yet. */
async function filled(server: EmbeddedDatabase, members: number): Promise<string> {
  const copies = Math.max(0, Math.ceil(members / membersCopied) - 1);
  const base = await withDemo(server, copies > 0 ? membersCopied : members);
  if (copies === 0) return base;
  const name = `bench_${(copies + 1) * membersCopied}`;
  await createDatabase(server, name, base);
  await migrated(server, name);
  await multiplyMembers(urlOf(server.superuserUrl, name), copies, say);
  return name;
}

async function createDatabase(server: EmbeddedDatabase, name: string, template: string): Promise<void> {
  await asSuperuser(server.superuserUrl, async (client) => {
    if ((await rowsOf(client, 'select from pg_database where datname = $1', [name])).length > 0) return;
    await client.query(`create database ${name} owner ${new URL(server.url).username} template ${template}`);
  });
}

/** A database that the product itself has filled with a demo of that size. */
async function withDemo(server: EmbeddedDatabase, members: number): Promise<string> {
  const name = `bench_demo_${members}`;
  await createDatabase(server, name, 'template1');
  say(`Filling in ${members.toLocaleString('en')} members, unless an earlier run did …`);
  await migrated(server, name, { SEED: 'demo', SEED_MEMBERS: String(members) });
  return name;
}

/** Brings a database, which an earlier version may have filled, to the current tables. */
async function migrated(server: EmbeddedDatabase, name: string, settings: Record<string, string> = {}): Promise<void> {
  const url = urlOf(server.url, name);
  const env = { DATABASE_URL: url, DATABASE_OWNER_URL: url, ...settings };
  const { code } = await runCommand(process.execPath, [join(projectRoot, 'launcher/operate.ts'), 'migrate'], { env });
  if (code !== 0) throw new Error(`${name} could not be migrated or filled`);
}

/**
 * Reads tables and indexes into the shared buffers, smallest first, as long as they fit, as on a server that has been running for a while.
 * Otherwise small databases would be measured with warm buffers, because a few calls read all of them, and large ones with cold buffers.
 */
async function prewarm(client: pg.Client): Promise<void> {
  await client.query('create extension if not exists pg_prewarm');
  await client.query(
    `select pg_prewarm(oid) from (
       select c.oid, sum(pg_relation_size(c.oid)) over (order by pg_relation_size(c.oid), c.oid) as filled
       from pg_class c where c.relkind in ('r', 'i') and c.relpersistence = 'p'
     ) relations where filled < $1`,
    [sharedBuffers * 0.9],
  );
}
