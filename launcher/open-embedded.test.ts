import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type pg from 'pg';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createSandboxTables } from '../demo/payments/tables.ts';
import { seedDemo } from '../demo/seed.ts';
import { migrateDatabase, type OwnedDatabase } from '../server/src/open-database.ts';
import { createDb } from '#platform/db/db.ts';
import { createPool } from '#platform/db/pool.ts';
import { migrate } from '#platform/db/migrate.ts';
import { addJob, drainJobs, migrateJobs } from '#platform/jobs/jobs.ts';
import { createLog } from '#platform/process/log.ts';
import { startEmbeddedDatabase } from './embedded-database/embedded-database.ts';
import { openEmbedded, runningDatabase } from './open-embedded.ts';

const log = createLog('silent');
const settings = { fsync: 'off' };
const addEntry = `insert into audit_event (at, actor_name, actor_role, action, target_type) values (now(), 'Chief', 'admin', 'audit.read', 'audit')`;
let dataDir: string;
let open: OwnedDatabase | null;
beforeEach(() => {
  dataDir = mkdtempSync(join(tmpdir(), 'heartwood-open-'));
  // The database's own user must be able to reach it; otherwise the database is created elsewhere.
  chmodSync(dataDir, 0o755);
  open = null;
});
afterEach(async () => {
  await open?.close();
  rmSync(dataDir, { recursive: true });
});

async function withPool<T>(url: string, work: (pool: pg.Pool) => Promise<T>): Promise<T> {
  const pool = createPool(url);
  try {
    return await work(pool);
  } finally {
    await pool.end();
  }
}

/** Opens the folder as a start does. */
async function start(): Promise<string> {
  open = await openEmbedded(dataDir, 'a test', log, settings);
  await migrateDatabase(open);
  return open.url;
}

/** Checks what the serving role can do and what it must not be able to do. */
async function expectTwoRoles(url: string, jobsWaiting: number): Promise<void> {
  await withPool(url, async (pool) => {
    const refused = [
      'update audit_event set reason = null',
      'delete from audit_event',
      'alter table audit_event disable trigger user',
      'alter table account add column extra text',
      'create table public.extra ()',
      'drop function logic.drop_expired_audit()',
      'update schema_file set checksum = checksum',
      'set role heartwood',
    ];
    for (const statement of refused)
      await expect(pool.query(statement), statement).rejects.toMatchObject({ code: '42501' });
    await pool.query(addEntry);
    await pool.query('select logic.drop_expired_audit()');
    await createSandboxTables(createDb(pool));
    await pool.query('select from sandbox.invoice');
    await addJob(createDb(pool), 'note', {});
    let done = 0;
    await drainJobs(pool, { note: () => void (done += 1) }, log);
    expect(done).toBe(jobsWaiting + 1);
  });
}

describe('the embedded database', () => {
  it('is used with a role that can change neither tables nor audit rows, even by commands next to the server', async () => {
    await expectTwoRoles(await start(), 0);
    expect(runningDatabase(dataDir)).toEqual({ url: open?.url, ownerUrl: open?.ownerUrl });
    await withPool(open?.url ?? '', (serving) =>
      withPool(open?.ownerUrl ?? '', (pool) => seedDemo(pool, { members: 20, now: new Date(), serving })),
    );
    await open?.close();
    await expectTwoRoles(await start(), 0);
  });

  it('keeps data and waiting jobs when it comes from a release with one role', async () => {
    const old = await startEmbeddedDatabase({ dataDir, log, settings });
    await migrate(old.url);
    await withPool(old.url, async (pool) => {
      await migrateJobs(pool);
      await addJob(createDb(pool), 'note', {});
      await pool.query(addEntry);
      await pool.query(`insert into account (email) values ('ida@example.test')`);
    });
    await old.stop();
    const url = await start();
    await expectTwoRoles(url, 1);
    await withPool(url, async (pool) => {
      expect((await pool.query('select from audit_event')).rowCount).toBe(2);
      expect((await pool.query(`delete from account where email = 'ida@example.test'`)).rowCount).toBe(1);
    });
  });

  it('gets its owners back after a restore by the superuser', async () => {
    await start();
    await open?.close();
    const restored = await startEmbeddedDatabase({ dataDir, log, settings });
    await withPool(restored.superuserUrl, async (pool) => {
      const objects = [
        'table account',
        'view graphile_worker.jobs',
        'table graphile_worker._private_jobs',
        'schema logic',
      ];
      for (const object of objects) await pool.query(`alter ${object} owner to postgres`);
    });
    await restored.stop();
    await expectTwoRoles(await start(), 0);
    await withPool(open?.ownerUrl ?? '', async (pool) => {
      const { rows } = await pool.query(`select tableowner from pg_tables where tablename = 'account'`);
      expect(rows).toEqual([{ tableowner: 'heartwood' }]);
    });
  });
});
