import {
  appendFileSync,
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { CompiledQuery } from 'kysely';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { createStaff } from '../../server/src/features/auth/staff.ts';
import { migrateDatabase } from '../../server/src/open-database.ts';
import { createDb } from '#platform/db/db.ts';
import { createPool } from '#platform/db/pool.ts';
import { createLog } from '#platform/process/log.ts';
import { createAccessTokens } from '#platform/session/access-tokens.ts';
import { openSession } from '#platform/session/sessions.ts';
import { verifyDatabase } from './verify.ts';
import { backUp } from './backup.ts';
import { type EmbeddedDatabase, startEmbeddedDatabase } from '../embedded-database/embedded-database.ts';
import { lockDataDir } from '../open-embedded.ts';
import { drill, restore } from './restore.ts';

const log = createLog('silent');
const now = new Date('2026-06-15T12:00:00.000Z');
const small = { fsync: 'off', shared_buffers: '16MB' };
let folder: string;
let dataDir: string;
let mediaDir: string;
let backup: string;
/** The last number that was acknowledged before the backup began, and the last one written while it ran. */
let before = 0;
let during = 0;

async function withClient<T>(url: string, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}

const start = (dir: string): Promise<EmbeddedDatabase> => startEmbeddedDatabase({ dataDir: dir, log, settings: small });
const rowsIn = (url: string) =>
  withClient(url, async (client) => {
    const { rows } = await client.query<{ count: number; last: number }>(
      'select count(*)::int as count, max(n) as last from written',
    );
    return rows[0];
  });

const sessionsIn = (url: string) =>
  withClient(
    url,
    async (client) => (await client.query<{ n: number }>('select count(*)::int as n from session')).rows[0]?.n,
  );

async function signIn(url: string): Promise<void> {
  const pool = createPool(url);
  const db = createDb(pool);
  await createStaff(
    db,
    { email: 'mo@heartwood.test', password: 'a password of 15 characters', role: 'moderator' },
    now,
  );
  const { id } = await db.selectFrom('account').select('id').executeTakeFirstOrThrow();
  const device = { name: 'Test', network: null };
  await db.executeQuery(CompiledQuery.raw(pictureRow));
  await openSession(db, { id, isStaff: true }, device, { tokens: createAccessTokens('x'.repeat(32)), now });
  await pool.end();
}

async function signInAgain(url: string): Promise<void> {
  await withClient(url, (client) =>
    client.query(
      `insert into session (account_id, created_at, last_used_at, idle_expires_at, expires_at, device)
        select id, now(), now(), now(), now(), 'Test' from account limit 1`,
    ),
  );
}

const pictureRow = `
  insert into picture (public_id, account_id, object_key, name, size, width, height, placeholder, sha256, dhash, state, place, uploaded_at)
    select 'p', id, 'never-stored', 'a.jpg', 1, 1, 1, '', '', 0, 'approved', 0, now() from account limit 1`;

/** A backup of a database that is written to all the time, with a picture and an entry of the ledger. */
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'heartwood-backup-'));
  chmodSync(folder, 0o755);
  dataDir = join(folder, 'data');
  mediaDir = join(dataDir, 'media');
  mkdirSync(join(folder, 'backups'));
  mkdirSync(join(mediaDir, 'ab'), { recursive: true });
  writeFileSync(join(mediaDir, 'ab/picture'), 'bytes');
  for (const name of ['ab/selfie-x.webp', 'unfinished-1']) writeFileSync(join(mediaDir, name), 'a face');
  writeFileSync(join(mediaDir, 'ledger'), 'at the backup');
  const lock = lockDataDir(dataDir, 'a test');
  const database = await start(dataDir);
  await migrateDatabase({ directUrl: database.url, ownerUrl: database.url });
  await signIn(database.url);
  let isDone = false;
  const writing = withClient(database.url, async (client) => {
    await client.query('create table written (n int primary key, filler text)');
    for (let n = 1; !isDone; n += 1) {
      // Many large rows would make a slow machine copy and restore gigabytes.
      await client.query("insert into written values ($1, repeat('x', $2))", [n, n > 200 ? 0 : 2000]);
      during = n;
      // Someone deletes the picture once the database is being copied.
      const copied = join(folder, 'backups', readdirSync(join(folder, 'backups'))[0] ?? '', 'database/base');
      if (existsSync(copied)) await client.query('delete from picture');
    }
  });
  await vi.waitFor(() => expect(during).toBeGreaterThan(200), { timeout: 60_000 });
  before = during;
  backup = await backUp({ dataDir, mediaDir, target: join(folder, 'backups'), now, log, sync: false });
  const copied = during;
  await vi.waitFor(() => expect(during).toBeGreaterThan(copied), { timeout: 60_000 });
  isDone = true;
  await writing;
  await database.stop();
  lock.release();
}, 180_000);

afterAll(() => rmSync(folder, { recursive: true }));

describe('a backup', () => {
  test('contains a consistent state of a database in use, and its interrupted restore can be repeated', async () => {
    const target = join(folder, 'restored');
    mkdirSync(join(target, 'postgres/data.restoring'), { recursive: true });
    await expect(start(target)).rejects.toThrow('did not finish');
    await restore({
      from: backup,
      dataDir: target,
      mediaDir: join(target, 'media'),
      replace: false,
      now,
      log,
      sync: false,
    });
    const database = await start(target);
    const [found, sessions] = [await rowsIn(database.url), await sessionsIn(database.url)];
    await database.stop();
    expect(found?.last).toBeGreaterThanOrEqual(before);
    expect(found?.last).toBeLessThan(during);
    expect(found?.count).toBe(found?.last);
    expect(sessions).toBe(0);
    expect(readFileSync(join(target, 'media/ab/picture'), 'utf8')).toBe('bytes');
    expect(readdirSync(join(backup, 'media/ab'))).toEqual(['picture']);
    expect(readdirSync(join(backup, 'media'))).not.toContain('unfinished-1');
  });

  test('restores no sessions, even if the restore is killed once the database is in place', async () => {
    const target = join(folder, 'killed');
    const into = { from: backup, dataDir: target, mediaDir: null, now, sync: false };
    const script = join(folder, 'killed.ts');
    // PostgreSQL starts only after the database is in place.
    writeFileSync(
      script,
      `import { syncBuiltinESMExports } from 'node:module';
     import processes from 'node:child_process';
     processes.spawn = () => process.kill(process.pid, 'SIGKILL');
     syncBuiltinESMExports();
     const { restore } = await import(${JSON.stringify(join(import.meta.dirname, 'restore.ts'))});
     const { createLog } = await import(${JSON.stringify(join(import.meta.dirname, '../../server/src/platform/process/log.ts'))});
     const into = ${JSON.stringify({ ...into, replace: false })};
     await restore({ ...into, now: new Date(into.now), log: createLog('silent') });`,
    );
    const killed = spawn(process.execPath, [script], { stdio: 'ignore' });
    expect(await once(killed, 'exit')).toEqual([null, 'SIGKILL']);
    expect(existsSync(join(target, 'postgres/data/PG_VERSION'))).toBe(true);
    for (const expected of [0, 1]) {
      const database = await start(target);
      expect(await sessionsIn(database.url)).toBe(expected);
      // Sessions created after the restore stay.
      if (expected === 0) await signInAgain(database.url);
      await database.stop();
    }
  });

  test('replaces an existing database only on request, and then keeps the old one', async () => {
    const options = { from: backup, dataDir, mediaDir, now, log, sync: false };
    writeFileSync(join(mediaDir, 'ledger'), 'newer than the backup');
    await expect(restore({ ...options, replace: false })).rejects.toThrow('--replace');
    const { movedTo } = await restore({ ...options, replace: true });
    expect(existsSync(join(movedTo ?? '', 'data/PG_VERSION'))).toBe(true);
    expect(readFileSync(join(mediaDir, 'ledger'), 'utf8')).toBe('newer than the backup');
    const database = await start(dataDir);
    expect((await rowsIn(database.url))?.last).toBeLessThan(during);
    await database.stop();
  });

  test('is refused while a server uses the data folder', async () => {
    const lock = lockDataDir(dataDir, 'a test');
    await expect(restore({ from: backup, dataDir, mediaDir, replace: true, now, log })).rejects.toThrow('already runs');
    lock.release();
  });

  test('passes a drill that reads it and signs in, and fails it when pictures are missing', async () => {
    const { counts } = await drill({
      from: backup,
      log,
      verify: async (url, pictures) => {
        await verifyDatabase(url, pictures);
        await withClient(url, (client) => client.query(pictureRow));
        await expect(verifyDatabase(url, pictures)).rejects.toThrow('1 of 1 pictures are missing');
        await verifyDatabase(url, null);
      },
    });
    expect(counts).toEqual({ accounts: 1, messages: 0, matches: 0, pictures: 0 });
  });

  test('is rejected if a file was changed or is missing, or the backup is incomplete', async () => {
    const target = join(folder, 'untouched');
    const damaged = join(folder, 'damaged');
    cpSync(backup, damaged, { recursive: true });
    const into = { from: damaged, dataDir: target, mediaDir: null, replace: false, now, log };
    appendFileSync(join(damaged, 'database/PG_VERSION'), ' ');
    await expect(restore(into)).rejects.toThrow('database/PG_VERSION is not as it was copied');
    rmSync(join(damaged, 'manifest.json'));
    await expect(restore(into)).rejects.toThrow('not a complete backup');
    expect(existsSync(join(target, 'postgres/data'))).toBe(false);
    expect(readdirSync(join(folder, 'backups'))).toHaveLength(1);
  });
});
