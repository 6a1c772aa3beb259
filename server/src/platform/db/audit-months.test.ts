import type pg from 'pg';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { cloneDatabase, createTestPool, type TestDatabase } from '../../../test/harness.ts';
import { createAuditMonths } from './migrate.ts';

let database: TestDatabase;
let pool: pg.Pool;

async function open(template?: string): Promise<void> {
  database = await cloneDatabase(template);
  pool = createTestPool(database.url);
}
afterEach(async () => {
  await pool.end();
  await database.drop();
});

const list = async (sql: string, values: unknown[] = []) =>
  (await pool.query<{ name: string }>(sql, values)).rows.map(({ name }) => name);
const partitions = () =>
  list(`select inhrelid::regclass::text as name from pg_inherits where inhparent = 'audit_event'::regclass order by 1`);
const add = (at: string, reason: string) =>
  pool.query(
    `insert into audit_event (at, actor_name, actor_role, action, target_type, reason)
     values (${at}, 'Chief', 'admin', 'audit.read', 'audit', $1)`,
    [reason],
  );
const placeOf = (reason: string) =>
  list('select tableoid::regclass::text as name from audit_event where reason = $1', [reason]);
/** Creates the partition for the month `months` from now and returns its name. */
async function addMonth(months: number): Promise<string> {
  const [name = ''] = await list(
    `select 'm' || to_char(now() at time zone 'UTC' + $1 * interval '1 month', 'YYYY_MM') as name`,
    [months],
  );
  const start = `${name.slice(1).replace('_', '-')}-01 00:00:00+00`;
  await pool.query(`create table audit.${name} partition of audit_event for values from ('${start}')
    to ('${start}'::timestamptz + interval '1 month')`);
  return `audit.${name}`;
}

describe('the monthly partitions of the audit trail', () => {
  beforeEach(() => open());

  it('are created three months ahead, once', async () => {
    const names = await list(`select 'audit.m' || to_char(now() at time zone 'UTC' + n * interval '1 month', 'YYYY_MM')
      as name from generate_series(0, 3) n`);
    expect(await partitions()).toEqual([...names, 'audit.other'].sort());
    await pool.query(`drop table ${names[3] ?? ''}`);
    await createAuditMonths(database.url);
    await createAuditMonths(database.url);
    expect(await partitions()).toEqual([...names, 'audit.other'].sort());
    await add('now()', 'today');
    expect(await placeOf('today')).toEqual([names[0]]);
  });

  it('accept every entry; one for a month without a partition stays in the default partition', async () => {
    const [next = ''] = (await partitions()).slice(1, 2);
    await pool.query(`drop table ${next}`);
    await add(`date_trunc('month', now() at time zone 'UTC') at time zone 'UTC' + interval '40 days'`, 'unforeseen');
    expect(await placeOf('unforeseen')).toEqual(['audit.other']);
    await createAuditMonths(database.url);
    expect(await partitions()).not.toContain(next);
    expect(await placeOf('unforeseen')).toEqual(['audit.other']);
  });

  it('are dropped as a whole two years after they end, and not earlier', async () => {
    const [over, lasting] = [await addMonth(-25), await addMonth(-24)];
    await add(`now() - interval '25 months'`, 'over');
    await add(`now() - interval '24 months'`, 'lasting');
    await add(`now() - interval '40 months'`, 'other, over');
    await add(`now() - interval '23 months'`, 'other, lasting');
    expect([await placeOf('over'), await placeOf('other, over')]).toEqual([[over], ['audit.other']]);
    const before = await partitions();
    await pool.query('select logic.drop_expired_audit()');
    expect(await partitions()).toEqual(before.filter((name) => name !== over));
    expect(await list('select reason as name from audit_event order by 1')).toEqual(['lasting', 'other, lasting']);
    expect(await placeOf('lasting')).toEqual([lasting]);
  });

  it('refuse updates, deletes and truncation, both directly and through the parent table', async () => {
    await add('now()', 'kept');
    await add(`now() + interval '2 years'`, 'kept elsewhere');
    for (const table of ['audit_event', ...(await partitions())]) {
      await expect(pool.query(`truncate ${table}`), table).rejects.toThrow('append-only');
    }
    for (const table of ['audit_event', ...(await placeOf('kept')), ...(await placeOf('kept elsewhere'))]) {
      await expect(pool.query(`update ${table} set reason = 'other'`), table).rejects.toThrow('append-only');
      await expect(pool.query(`delete from ${table}`), table).rejects.toThrow('append-only');
    }
  });

  it('are read newest first using each partition’s index', async () => {
    await pool.query(`insert into audit_event (at, actor_name, actor_role, action, target_type)
      select now() + n * interval '2 minutes', 'Chief', 'admin', 'audit.read', 'audit' from generate_series(1, 40000) n`);
    await pool.query('analyze audit_event');
    const { rows } = await pool.query<Record<string, string>>(`explain (analyze, costs off, timing off, summary off)
      select * from audit_event where id < 39000 order by id desc limit 21`);
    const text = rows.map((row) => row['QUERY PLAN']).join('\n');
    expect(text).toMatch(/Merge Append/);
    expect(text).not.toMatch(/Seq Scan|Sort Method/);
  });
});
