import { execFileSync } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createStaff } from '../../server/src/features/auth/staff.ts';
import { migrateDatabase, prepareDatabase } from '../../server/src/open-database.ts';
import { withClient } from '#platform/db/connection.ts';
import { createDb } from '#platform/db/db.ts';
import { createPool } from '#platform/db/pool.ts';
import { createLog } from '#platform/process/log.ts';
import { openEmbedded } from '../open-embedded.ts';
import { databaseUser, giveTo } from '../embedded-database/user.ts';
import { backUp } from './backup.ts';
import { drill, restoreDump } from './restore.ts';
import { verifyDatabase } from './verify.ts';

const programs = '/usr/lib/postgresql/15/bin';
const log = createLog('silent');
const folder = mkdtempSync(join(tmpdir(), 'heartwood-own-'));
const [cluster, mediaDir] = [join(folder, 'cluster'), join(folder, 'media')];
const urlOf = (role: string, database = 'heartwood') =>
  `postgres://${role}:secret@localhost/${database}?host=${encodeURIComponent(cluster)}`;
const [superuser, ownUrl, servingUrl] = [urlOf('postgres'), urlOf('heartwood_owner'), urlOf('heartwood')];
const user = process.getuid?.() === 0 ? databaseUser([]) : null;
const asUser = { ...(user !== null && { uid: user.uid, gid: user.gid }), cwd: '/', stdio: 'ignore' as const };
const query = <Row extends object>(url: string, text: string) =>
  withClient(url, async (client) => (await client.query<Row>(text)).rows);
const databases = async () =>
  (await query<{ datname: string }>(superuser, 'select datname from pg_database order by 1')).map((row) => row.datname);

let backup: string;
beforeAll(async () => {
  chmodSync(folder, 0o755);
  mkdirSync(cluster);
  mkdirSync(join(mediaDir, 'ab'), { recursive: true });
  for (const name of ['picture', 'selfie-x.webp']) writeFileSync(join(mediaDir, 'ab', name), 'bytes');
  writeFileSync(join(folder, 'password'), 'secret');
  if (user !== null) giveTo(user, cluster);
  const init = ['-D', join(cluster, 'data'), '-U', 'postgres', '--auth=scram-sha-256', '--no-sync', '--encoding=UTF8'];
  execFileSync(join(programs, 'initdb'), [...init, `--pwfile=${join(folder, 'password')}`], asUser);
  const settings = `-c listen_addresses= -c unix_socket_directories=${cluster} -c fsync=off`;
  execFileSync(join(programs, 'pg_ctl'), ['-D', join(cluster, 'data'), '-w', '-o', settings, 'start'], asUser);
  const postgres = urlOf('postgres', 'postgres');
  for (const role of ['heartwood_owner createdb', 'heartwood'])
    await query(postgres, `create role ${role} login password 'secret'`);
  await query(postgres, 'create database heartwood owner heartwood_owner template template0');
  await migrateDatabase({ directUrl: servingUrl, ownerUrl: ownUrl });
  const pool = createPool(ownUrl);
  const staff = { email: 'mo@heartwood.test', password: 'a password of 15 characters', role: 'moderator' } as const;
  await createStaff(createDb(pool), staff, new Date());
  await pool.end();
  await query(
    ownUrl,
    `insert into session (account_id, created_at, last_used_at, idle_expires_at, expires_at, device)
       select id, now(), now(), now(), now(), 'Test' from account`,
  );
  backup = await backUp({ dataDir: folder, mediaDir, target: folder, now: new Date(0), log, ownUrl, sync: false });
}, 120_000);

afterAll(() => {
  execFileSync(join(programs, 'pg_ctl'), ['-D', join(cluster, 'data'), '-m', 'immediate', 'stop'], asUser);
  rmSync(folder, { recursive: true });
});

describe('a backup of a PostgreSQL server with two roles', () => {
  it('passes a drill on the server and in the embedded database, and cleans up both', async () => {
    const before = await databases();
    const found = { counts: { accounts: 1, messages: 0, matches: 0, pictures: 0 } };
    expect(await drill({ from: backup, log, verify: verifyDatabase, ownUrl })).toMatchObject(found);
    expect(await drill({ from: backup, log, verify: verifyDatabase })).toMatchObject(found);
    const verify = () => Promise.reject(new Error('unusable'));
    await expect(drill({ from: backup, log, verify, ownUrl })).rejects.toThrow('unusable');
    expect(await databases()).toEqual(before);
    const [noted] = await query(ownUrl, `select value from installation where name = 'lastBackup'`);
    expect(noted).toEqual({ value: new Date(0).toISOString() });
  });

  it('names the right that a drill needs', async () => {
    await query(superuser, 'alter role heartwood_owner nocreatedb');
    await expect(drill({ from: backup, log, verify: verifyDatabase, ownUrl })).rejects.toThrow(
      'as a superuser, run alter role "heartwood_owner" createdb',
    );
    await query(superuser, 'alter role heartwood_owner createdb');
  });

  it('is restored without sessions into an empty database, and into no other', async () => {
    const restored = { from: backup, url: urlOf('heartwood_owner', 'restored'), mediaDir: join(folder, 'pictures') };
    await query(superuser, 'create database restored owner heartwood_owner template template0');
    await restoreDump({ ...restored, sync: false });
    await migrateDatabase({ directUrl: urlOf('heartwood', 'restored'), ownerUrl: restored.url });
    await prepareDatabase({ directUrl: urlOf('heartwood', 'restored'), ownerUrl: null });
    const counts =
      'select (select count(*)::int from account) as accounts, (select count(*)::int from session) as sessions';
    expect(await query(urlOf('heartwood', 'restored'), counts)).toEqual([{ accounts: 1, sessions: 0 }]);
    expect(readdirSync(join(folder, 'pictures/ab'))).toEqual(['picture']);
    await expect(restoreDump(restored)).rejects.toThrow('The database restored is not empty');
  });

  it('is restored into a new embedded database', async () => {
    const dataDir = join(folder, 'embedded');
    const { ownerUrl, close } = await openEmbedded(dataDir, 'a test', log);
    await restoreDump({ from: backup, url: ownerUrl, mediaDir: null, sync: false });
    await close();
    const opened = await openEmbedded(dataDir, 'a test', log);
    await migrateDatabase(opened);
    expect(await query(opened.url, 'select count(*)::int as accounts from account')).toEqual([{ accounts: 1 }]);
    await opened.close();
  });

  it('works once the owner has the grants that release 0.2.0 withheld', async () => {
    await query(
      servingUrl,
      `revoke all on schema graphile_worker from heartwood_owner; alter table graphile_worker._private_jobs enable row level security`,
    );
    const again = { dataDir: folder, mediaDir: null, target: join(folder, 'again'), now: new Date(0), log, ownUrl };
    await expect(backUp(again)).rejects.toThrow('run grant heartwood to heartwood_owner');
    await query(superuser, 'grant heartwood to heartwood_owner');
    expect(existsSync(join(await backUp(again), 'database.dump'))).toBe(true);
  });
});
