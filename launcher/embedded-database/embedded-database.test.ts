import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import pg from 'pg';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { prepareCluster } from './cluster.ts';
import { startEmbeddedDatabase, type EmbeddedDatabase } from './embedded-database.ts';
import { prepareRoles, servingUrlOf } from './roles.ts';
import { createLog } from '#platform/process/log.ts';

const log = createLog('silent');
let prepared: string;
let folder: string;
let started: EmbeddedDatabase[];

beforeAll(async () => {
  prepared = newFolder();
  const database = await startIn(join(prepared, '.data'), { fsync: 'off' });
  await database.stop();
});

afterAll(() => rmSync(prepared, { recursive: true }));

beforeEach(() => {
  folder = newFolder();
  started = [];
});

afterEach(async () => {
  for (const database of started) await database.stop();
  rmSync(folder, { recursive: true });
});

const dataDir = () => join(folder, '.data');
const cluster = () => join(dataDir(), 'postgres/data');
const postmaster = () => Number(readFileSync(join(cluster(), 'postmaster.pid'), 'utf8').split('\n')[0]);

/** A folder that the database's system user can reach. */
function newFolder(): string {
  const path = mkdtempSync(join(tmpdir(), 'heart wood-'));
  chmodSync(path, 0o755);
  return path;
}

const startIn = (dir: string, settings: Record<string, string> = {}, outsideRoot = join(dir, '../outside')) =>
  startEmbeddedDatabase({
    dataDir: dir,
    log,
    settings: { fsync: 'off', shared_buffers: '16MB', ...settings },
    outsideRoot,
  });

async function start(dir = dataDir(), settings: Record<string, string> = {}): Promise<EmbeddedDatabase> {
  const database = await startIn(dir, settings);
  started.push(database);
  return database;
}

/** Copies an unused, stopped cluster, which takes a tenth of the time of creating one. */
const copyPrepared = () => execFileSync('cp', ['-a', join(prepared, '.data'), folder]);

async function startCopy(settings: Record<string, string> = {}): Promise<EmbeddedDatabase> {
  copyPrepared();
  return await start(dataDir(), settings);
}

async function query(url: string, sql: string): Promise<unknown[]> {
  const client = new pg.Client({ connectionString: url });
  client.on('error', () => undefined);
  await client.connect();
  try {
    return (await client.query<Record<string, unknown>>(sql)).rows.map((row) => Object.values(row)[0]);
  } finally {
    await client.end();
  }
}

const remember = (url: string) => query(url, "create table kept as select 'acknowledged' as word");
const recall = (url: string) => query(url, 'select word from kept');

describe('the embedded PostgreSQL', () => {
  test('keeps its data across restarts', async () => {
    const first = await start();
    await remember(first.url);
    await first.stop();
    const second = await start();
    expect(await recall(second.url)).toEqual(['acknowledged']);
    expect(second.url).toBe(first.url);
  });

  test('waits for the disk before it acknowledges, unless configured otherwise', async () => {
    const { url } = await startCopy({ fsync: 'on' });
    expect(await query(url, 'show fsync')).toEqual(['on']);
    expect(await query(url, 'show synchronous_commit')).toEqual(['on']);
    expect(await query(url, 'show full_page_writes')).toEqual(['on']);
  });

  test('handles upper and lower case of every script', async () => {
    const { url } = await startCopy();
    await query(url, 'create extension pg_trgm');
    expect(await query(url, "select cardinality(show_trgm('Ольга')) > 3 and lower('ŁÖЖ') = 'łöж'")).toEqual([true]);
  });

  test('requires the password and lets the product connect as an ordinary role', async () => {
    const { url } = await startCopy();
    await expect(query(url.replace(/:[^:@]+@/, ':guess@'), 'select 1')).rejects.toMatchObject({ code: '28P01' });
    expect(await query(url, 'select rolsuper from pg_roles where rolname = current_user')).toEqual([false]);
    expect(await query(url, 'show listen_addresses')).toEqual(['']);
  });

  test('restarts automatically when killed, with everything it acknowledged', async () => {
    const { url } = await startCopy();
    await remember(url);
    const killed = postmaster();
    process.kill(killed, 'SIGKILL');
    await vi.waitFor(async () => expect(await recall(url)).toEqual(['acknowledged']), {
      timeout: 60_000,
      interval: 50,
    });
    expect(postmaster()).not.toBe(killed);
  });

  test('stops the server that a killed start left running and starts over', async () => {
    copyPrepared();
    const holder = spawn(process.execPath, [resolve(import.meta.dirname, '../test/hold-database.ts'), dataDir()], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    await once(holder.stdout, 'data');
    const orphan = postmaster();
    holder.kill('SIGKILL');
    await once(holder, 'exit');
    expect(process.kill(orphan, 0)).toBe(true);
    const { url } = await start();
    expect(postmaster()).not.toBe(orphan);
    expect(await query(url, 'select 1')).toEqual([1]);
  });

  test('ignores a pid file whose number now belongs to another program', async () => {
    const first = await startCopy();
    await remember(first.url);
    await first.stop();
    writeFileSync(join(cluster(), 'postmaster.pid'), `${process.pid}\n${cluster()}\n`);
    const second = await start();
    expect(await recall(second.url)).toEqual(['acknowledged']);
  });

  test('ignores a socket lock whose number now belongs to another program of the same user', async () => {
    const first = await startCopy();
    await remember(first.url);
    await first.stop();
    const { uid, gid } = statSync(cluster());
    const other = spawn('sleep', ['60'], process.getuid?.() === 0 ? { uid, gid } : {});
    const socket = new URL(first.url).searchParams.get('host') ?? '';
    writeFileSync(join(socket, '.s.PGSQL.5432.lock'), `${other.pid}\n${cluster()}\n`);
    try {
      const second = await start();
      expect(await recall(second.url)).toEqual(['acknowledged']);
    } finally {
      other.kill();
    }
  });

  test('starts over when the first start was killed half-way', async () => {
    mkdirSync(join(dataDir(), 'postgres/data.half/base'), { recursive: true });
    writeFileSync(join(dataDir(), 'postgres/data.half/PG_VERSION'), '18\n');
    const { url } = await start();
    expect(await query(url, 'select 1')).toEqual([1]);
  });

  test('reports a full disk as the reason, not the cleanup that follows', async () => {
    const binaries = join(folder, 'binaries');
    mkdirSync(join(binaries, 'bin'), { recursive: true });
    const said = ['FATAL:  could not write: No space left on device', `initdb: removing data directory "x"`];
    writeFileSync(join(binaries, 'bin/initdb'), `#!/bin/sh\nprintf '${said.join('\\n')}' >&2; exit 1`, { mode: 0o755 });
    const place = { home: folder, binaries, user: null, outside: null };
    await expect(prepareCluster(place, { sync: false })).rejects.toThrow('The disk is full.');
  });

  test('explains what to do with a database of another major version and leaves it unchanged', async () => {
    mkdirSync(cluster(), { recursive: true });
    writeFileSync(join(cluster(), 'PG_VERSION'), '16\n');
    await expect(start()).rejects.toThrow(/created by PostgreSQL 16.*docs\/operating\.md/);
    expect(readFileSync(join(cluster(), 'PG_VERSION'), 'utf8')).toBe('16\n');
  });

  /** Characters with a special meaning in a shell, a list of folders, an address or a settings file. */
  const marks = [
    '"',
    '""',
    "'",
    '\\',
    '%',
    '%20',
    '%zz',
    '+',
    '?',
    '#',
    '&',
    ',',
    ';',
    '$HOME',
    '`id`',
    '*',
    ' ',
    '@',
    ':',
    'Łódź 心 🔥',
  ];

  test.each(marks)('runs in a folder with %j in its name', async (mark) => {
    const odd = join(folder, `a${mark}b`);
    mkdirSync(odd, { mode: 0o755 });
    execFileSync('cp', ['-a', join(prepared, '.data'), odd]);
    const database = await start(join(odd, '.data'));
    await prepareRoles(database);
    expect(await query(servingUrlOf(database.url), 'select current_user')).toEqual(['heartwood_app']);
    expect(database.outside).toBeNull();
    expect(existsSync(join(odd, '.data/postgres/data/postmaster.pid'))).toBe(true);
  });

  test('creates its cluster in a folder with all of these in its name', async () => {
    const odd = join(folder, marks.join('-'));
    const { url } = await start(odd);
    expect(await query(url, 'select current_user')).toEqual(['heartwood']);
  });

  test('runs in a folder whose path is too long for a socket', async () => {
    const deep = join(folder, 'a'.repeat(120), '.data');
    const { url } = await start(deep);
    expect(await query(url, 'select 1')).toEqual([1]);
  });

  if (process.getuid?.() === 0) {
    test('uses a folder that its user can reach when it runs as root, and moves existing data there', async () => {
      const before = await startCopy();
      await remember(before.url);
      expect(before.outside).toBeNull();
      await before.stop();
      chmodSync(folder, 0o711);
      chmodSync(dataDir(), 0o700);
      const outsideRoot = mkdtempSync(join(tmpdir(), 'heartwood-outside-'));
      const after = await startIn(dataDir(), {}, outsideRoot);
      started.push(after);
      expect(after.outside).toMatch(outsideRoot);
      expect(await recall(after.url)).toEqual(['acknowledged']);
      expect(existsSync(cluster())).toBe(false);
      await after.stop();
      rmSync(outsideRoot, { recursive: true });
    });
  }
});
