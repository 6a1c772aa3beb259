import { cpSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import type pg from 'pg';
import { seedDemo } from '../../demo/seed.ts';
import { adminUrl, cloneDatabase, type TestDatabase } from '../test/harness.ts';
import { migrateDatabase } from './open-database.ts';
import { createDb, createPool } from './platform/db/db.ts';
import { migrate } from './platform/db/migrate.ts';
import { addJob, drainJobs } from './platform/jobs/jobs.ts';
import { createLog } from './platform/process/log.ts';

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
  const url = new URL(database.url);
  [url.username, url.password] = [role, 'serving'];
  servingUrl = url.href;
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
  ])('is refused: %s', async (statement) => {
    await expect(pool.query(statement)).rejects.toMatchObject({ code: '42501' });
  });

  it('adds to the audit trail and drops what has expired', async () => {
    await addEntry('735 days');
    await addEntry('1 day');
    await pool.query('select logic.drop_expired_audit()');
    expect((await pool.query(`select from audit_event`)).rowCount).toBe(1);
    const seal = 'select logic.seal_audit() as events';
    expect((await pool.query(seal)).rows).toEqual([{ events: 1 }]);
  });

  it('reads, writes and runs jobs', async () => {
    const { rows } = await pool.query<{ id: string }>(
      `insert into account (email) values ('ida@example.test') returning id`,
    );
    expect((await pool.query('delete from account where id = $1', [rows[0]?.id])).rowCount).toBe(1);
    await addJob(createDb(pool), 'note', {});
    let done = 0;
    await drainJobs(pool, { note: () => void (done += 1) }, createLog('silent'));
    expect(done).toBe(1);
  });

  it('gets the first jobs when the owner fills the database with demo data', async () => {
    const tables = createPool(database.url);
    await seedDemo(tables, { members: 60, now: new Date(), serving: pool });
    await tables.end();
    const queued = await pool.query(`select from graphile_worker.jobs where task_identifier = 'discovery.countWeeks'`);
    expect(queued.rowCount).toBe(1);
  });

  it('may use new tables as soon as functions of the next release write to them', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'next-release-'));
    onTestFinished(() => rmSync(folder, { recursive: true }));
    for (const part of ['schema', 'migrations', 'sql'])
      cpSync(join(import.meta.dirname, '..', part), join(folder, part), { recursive: true });
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
        await pool.query(written);
        writes += 1;
      }
    })();
    await migrate(database.url, folder, servingUrl);
    isReady = true;
    await lastRelease;
    expect((await pool.query('select from note')).rowCount).toBeLessThanOrEqual(writes);
    await pool.query(written);
    expect((await pool.query('select from note')).rowCount).toBeGreaterThan(0);
  });
});
