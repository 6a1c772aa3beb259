import type pg from 'pg';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { cloneDatabase, createTestPool, type TestDatabase } from '../server/test/harness.ts';
import { sweepPresence } from '#platform/session/activity.ts';
import { secondsAfter } from '#platform/process/clock.ts';
import { createDb, type Db, hasDemoData } from '#platform/db/db.ts';
import { demoActivityEverySeconds, keepDemoOnline } from './keep-online.ts';
import { seedDemo } from './seed.ts';

const begin = new Date('2026-06-15T12:00:00.000Z');
let database: TestDatabase;
let pool: pg.Pool;
let db: Db;
let now = begin;

let hadDemoData: boolean;
beforeAll(async () => {
  database = await cloneDatabase();
  pool = createTestPool(database.url);
  db = createDb(pool);
  hadDemoData = await hasDemoData(db);
  await seedDemo(pool, { members: 1000, now });
});
afterAll(async () => {
  await pool.end();
  await database.drop();
});

/** Runs the demo-only job and the presence sweep as often as they run in `seconds`. */
async function pass(seconds: number): Promise<void> {
  for (const end = secondsAfter(now, seconds); now < end;) {
    now = secondsAfter(now, demoActivityEverySeconds);
    await keepDemoOnline(db, now);
    await sweepPresence(db, now);
  }
}

async function onlineEmails(): Promise<string[]> {
  const { rows } = await pool.query<{ email: string }>(
    `select a.email from online_member o join account a on a.id = o.account_id join presence p using (account_id)
     where p.online order by 1`,
  );
  return rows.map(({ email }) => email);
}

async function keptOnline(): Promise<number> {
  const { rows } = await pool.query<{ n: number }>(
    `select sum(n)::int as n from (
       select value as n from statistic where kind = 'total' and key = 'online'
       union all select delta from statistic_delta where kind = 'total' and key = 'online'
     ) both_tables`,
  );
  return rows[0]?.n ?? NaN;
}

describe('the demo-only job', () => {
  test('is scheduled only for databases with demo data', async () => {
    expect([hadDemoData, await hasDemoData(db)]).toEqual([false, true]);
  });

  test('keeps about 6 % online every hour and the counter correct', async () => {
    for (let hour = 0; hour < 5; hour++) {
      await pass(3600);
      const online = await onlineEmails();
      expect(online.length).toBeGreaterThanOrEqual(50);
      expect(online.length).toBeLessThanOrEqual(72);
      expect(await keptOnline()).toBe(online.length);
    }
  });

  test('brings other members online as time passes', async () => {
    await pass(demoActivityEverySeconds);
    const before = await onlineEmails();
    await pass(300);
    const soon = await onlineEmails();
    expect(before.filter((email) => soon.includes(email)).length).toBeGreaterThan(before.length / 2);
    await pass(3600);
    const later = await onlineEmails();
    expect(later.filter((email) => before.includes(email))).toEqual([]);
  });

  test('brings members back online after a pause', async () => {
    now = secondsAfter(now, 7 * 3600);
    await sweepPresence(db, now);
    expect(await onlineEmails()).toEqual([]);
    await pass(demoActivityEverySeconds);
    expect((await onlineEmails()).length).toBeGreaterThanOrEqual(50);
  });

  test('never changes demo accounts, real accounts, or members who are deactivated, leaving or were never active', async () => {
    await pool.query(
      `with joined as (
         insert into account (id, email, created_at)
         select gen_random_uuid(), 'real' || n || '@example.test', $1 from generate_series(1, 300) n returning id
       ), seen as (
         insert into presence (account_id, last_active_at) select id, $1 from joined returning account_id
       )
       insert into profile (account_id) select account_id from seen`,
      [begin],
    );
    for (let hour = 0; hour < 24; hour++) {
      now = secondsAfter(now, 3600);
      await pass(demoActivityEverySeconds);
      const { rows } = await pool.query(
        `select a.email from presence p join account a on a.id = p.account_id
         where p.online and (a.password_hash is not null or not a.is_active or a.leaving_since is not null or a.email like 'real%')`,
      );
      expect(rows).toEqual([]);
    }
    const { rows } = await pool.query(
      `select from presence p join account a on a.id = p.account_id
      where p.last_active_at > $1 and (a.password_hash is not null or a.email like 'real%')`,
      [begin],
    );
    expect(rows).toEqual([]);
    const never = await pool.query<{ n: number }>(
      `select count(*)::int as n from presence where last_active_at = '-infinity'`,
    );
    expect(never.rows[0]?.n).toBeGreaterThan(10);
  });

  test('can run in two processes at the same time', async () => {
    now = secondsAfter(now, 3600);
    await Promise.all([keepDemoOnline(db, now), keepDemoOnline(db, now)]);
    expect(await keptOnline()).toBe((await onlineEmails()).length);
  });
});
