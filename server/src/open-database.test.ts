import { spawn } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { once } from 'node:events';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import type pg from 'pg';
import { adminUrl, cloneDatabase, type TestDatabase } from '../test/harness.ts';
import { migrateDatabase, openDatabase, prepareDatabase, weaknessOfRoles } from './open-database.ts';
import { readConfig } from '#platform/config/config.ts';
import { createDb } from '#platform/db/db.ts';
import { createPool } from '#platform/db/pool.ts';
import { migrate } from '#platform/db/migrate.ts';
import { addJob, drainJobs } from '#platform/jobs/jobs.ts';
import { createLog } from '#platform/process/log.ts';

let database: TestDatabase;
let owner: pg.Pool;
let pool: pg.Pool;
let role: string;
let servingUrl: string;

beforeAll(async () => {
  database = await cloneDatabase('template0');
  role = `serving_${new URL(database.url).pathname.slice(-12)}`;
  owner = createPool(adminUrl());
  await owner.query(`create role ${role} login password 'serving'`);
  // The last connections may still be closing when the database is dropped.
  await owner.query(`grant ${role} to current_user`);
  servingUrl = servingUrlOf(database);
  await migrateDatabase({ directUrl: servingUrl, ownerUrl: database.url });
  await migrateDatabase({ directUrl: servingUrl, ownerUrl: database.url });
  pool = createPool(servingUrl);
});

afterAll(async () => {
  await pool.end();
  await database.drop();
  await owner.query(`drop role ${role}`);
  await owner.end();
});

/** The URL of a database for the serving role. */
function servingUrlOf({ url }: TestDatabase): string {
  const address = new URL(url);
  [address.username, address.password] = [role, 'serving'];
  return address.href;
}

/** The result of starting a process with these variables. */
const opened = (env: Record<string, string>) => openDatabase(readConfig(env), 'a test', createLog('silent'));

describe('a serving process without the owner’s database URL', () => {
  const release = `select string_agg(name || checksum, '' order by name) as files from schema_file`;
  const schemaOf = async (url: string) => {
    const client = createPool(url, { max: 1 });
    const { rows } = await client.query<{ files: string }>(release);
    await client.end();
    return rows[0]?.files;
  };

  it('starts on tables of its own release and changes nothing', async () => {
    const before = await schemaOf(database.url);
    const found = await opened({ DATABASE_URL: servingUrl });
    expect(found).toMatchObject({ url: servingUrl, ownerUrl: null });
    await prepareDatabase(found);
    expect(await schemaOf(database.url)).toBe(before);
  });

  it.each([
    [
      'an older function',
      `update schema_file set checksum = 'x' where name = 'sql/profiles.sql'`,
      /npm run migrate with DATABASE_OWNER_URL\.$/,
    ],
    [
      'a missing function',
      `insert into schema_file values ('sql/gone.sql', 'x')`,
      /npm run migrate with DATABASE_OWNER_URL\.$/,
    ],
    [
      'a newer migration',
      `insert into schema_file values ('migrations/9999-later.sql', 'x')`,
      /does not know: start the newer release/,
    ],
    ['another baseline', `delete from schema_file where name like 'schema/%'`, /server\/schema differ/],
  ])('refuses to start on tables with %s', async (_, change, words) => {
    const tables = createPool(database.url, { max: 1 });
    await tables.query(`create table kept as table schema_file; ${change}`);
    onTestFinished(async () => {
      await tables.query('delete from schema_file; insert into schema_file table kept; drop table kept');
      await tables.end();
    });
    await expect(prepareDatabase(await opened({ DATABASE_URL: servingUrl }))).rejects.toMatchObject({
      name: 'StartError',
      message: expect.stringMatching(words) as string,
    });
  });

  it('starts on an empty database only after the owner has migrated it', async () => {
    const empty = await cloneDatabase('template0');
    const serving = { DATABASE_URL: servingUrlOf(empty) };
    onTestFinished(() => empty.drop());
    const migration = async (env: Record<string, string>) => {
      const child = spawn(process.execPath, [join(import.meta.dirname, 'migrate.ts')], {
        env: { ...process.env, ...env },
      });
      const [complained] = await Promise.all([text(child.stderr), text(child.stdout), once(child, 'close')]);
      return { code: child.exitCode, complained };
    };
    await expect(prepareDatabase(await opened(serving))).rejects.toThrow(/npm run migrate with DATABASE_OWNER_URL\.$/);
    expect(await migration(serving)).toEqual({
      code: 1,
      complained: 'The role of DATABASE_URL does not own the tables, so DATABASE_OWNER_URL is needed.\n',
    });
    const owner = { ...serving, DATABASE_OWNER_URL: empty.url };
    expect(await migration(owner)).toEqual({ code: 0, complained: '' });
    expect(await migration({ ...owner, SEED: 'demo' })).toEqual({
      code: 1,
      complained: 'SEED=demo works only with npm start and npm run migrate: use them, or set SEED=none.\n',
    });
    await prepareDatabase(await opened(serving));
  });
});

describe('the database roles of a serving process', () => {
  const [serving, owner] = ['postgres://serving@db/h', 'postgres://owner@db/h'];
  const place = {
    production: true,
    dataDir: '',
    databaseUrl: serving,
    databaseOwnerUrl: null,
    databaseDirectUrl: null,
  };

  it.each([
    ['need no owner URL', place, null, null],
    ['may be those of the embedded database', { ...place, databaseUrl: null }, owner, null],
    ['draw a warning if the serving role owns the tables', place, serving, /could change the audit trail/],
    [
      'draw a warning if production knows the owner URL',
      { ...place, databaseOwnerUrl: owner },
      owner,
      /^DATABASE_OWNER_URL is set/,
    ],
    ['may both be known outside production', { ...place, production: false, databaseOwnerUrl: owner }, owner, null],
  ])('%s', (_, config, ownerUrl, words) => {
    const weakness = weaknessOfRoles(config, { directUrl: serving, ownerUrl });
    if (words === null) expect(weakness).toBeNull();
    else expect(weakness).toMatch(words);
  });

  it('are the same role if the serving role may create tables', async () => {
    expect((await opened({ DATABASE_URL: database.url })).ownerUrl).toBe(database.url);
    const empty = await cloneDatabase('template0');
    onTestFinished(() => empty.drop());
    expect((await opened({ DATABASE_URL: empty.url })).ownerUrl).toBe(empty.url);
  });
});

const addEntry = (age: string) =>
  pool.query(
    `insert into audit_event (at, actor_name, actor_role, action, target_type)
     values (now() - $1::interval, 'Chief', 'admin', 'audit.read', 'audit')`,
    [age],
  );

describe('a serving role that does not own the database', () => {
  it.each([
    'update audit_event set reason = null',
    'delete from audit_event',
    'truncate audit_event',
    'alter table audit_event disable trigger user',
    'drop trigger audit_event_append_only on audit_event',
    'drop table audit_event',
    'drop table audit.other',
    'truncate audit.other',
    'delete from audit.other',
    'alter table audit_event detach partition audit.other',
    'create or replace function logic.refuse_audit_change() returns trigger language plpgsql as $$ begin return new; end $$',
    'insert into audit_seal (batch, last_id, event_count, until, hash) values (1, 1, 1, now(), null)',
    'update audit_seal set hash = null',
    "insert into audit_event (id, at, actor_name, actor_role, action, target_type) overriding system value values (9, now(), '', '', '', '')",
    'delete from audit_seal',
    'delete from schema_file',
    'alter table account add column extra text',
  ])('may not run: %s', async (statement) => {
    await expect(pool.query(statement)).rejects.toMatchObject({ code: '42501' });
  });

  it('can append to the audit trail and drop expired months', async () => {
    await addEntry('735 days');
    await addEntry('1 day');
    await pool.query('select logic.drop_expired_audit()');
    expect((await pool.query(`select from audit_event`)).rowCount).toBe(1);
    const seal = 'select logic.seal_audit() as events';
    expect((await pool.query(seal)).rows).toEqual([{ events: 1 }]);
  });

  it('can read and write rows and run jobs', async () => {
    const { rows } = await pool.query<{ id: string }>(
      `insert into account (email) values ('ida@example.test') returning id`,
    );
    expect((await pool.query('delete from account where id = $1', [rows[0]?.id])).rowCount).toBe(1);
    await addJob(createDb(pool), 'note', {});
    let done = 0;
    await drainJobs(pool, { note: () => void (done += 1) }, createLog('silent'));
    expect(done).toBe(1);
  });

  it('can use new tables as soon as functions of the next release write to them', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'next-release-'));
    const updated = await cloneDatabase('template0');
    const directUrl = servingUrlOf(updated);
    await migrateDatabase({ directUrl, ownerUrl: updated.url });
    const serving = createPool(directUrl);
    onTestFinished(async () => {
      await serving.end();
      await updated.drop();
      rmSync(folder, { recursive: true });
    });
    for (const part of ['schema', 'migrations', 'sql'])
      cpSync(join(import.meta.dirname, '..', part), join(folder, part), { recursive: true });
    mkdirSync(join(folder, 'migrations/next'), { recursive: true });
    writeFileSync(join(folder, 'migrations/next/9999-note.sql'), 'create table note (text text);');
    writeFileSync(
      join(folder, 'sql/zz-note.sql'),
      `create function logic.note_account() returns trigger language plpgsql as $$
       begin insert into note values (new.email); return new; end $$;
       create trigger account_note before insert on account for each row execute function logic.note_account();`,
    );
    const written = `insert into account (email) values ('lin' || random() || '@example.test')`;
    let [isReady, writes] = [false, 0];
    const lastRelease = (async () => {
      while (!isReady) {
        await serving.query(written);
        writes += 1;
      }
    })();
    await migrate(updated.url, folder, directUrl);
    isReady = true;
    await lastRelease;
    expect((await serving.query('select from note')).rowCount).toBeLessThanOrEqual(writes);
    await serving.query(written);
    expect((await serving.query('select from note')).rowCount).toBeGreaterThan(0);
  });
});
