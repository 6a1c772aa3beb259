import type pg from 'pg';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { caseStages } from '#contract/moderation/cases.ts';
import { questionById } from '#contract/compatibility.ts';
import { cloneDatabase, createTestPool, type TestDatabase } from '../server/test/harness.ts';
import { verifyPassword } from '../server/src/features/auth/password/hashing.ts';
import type { KeptAnswer } from '#platform/db/json.ts';
import { StartError } from '#platform/process/lifecycle.ts';
import { demoAccounts } from './accounts.ts';
import { demoId } from './members/id.ts';
import { demoMember } from './members/member.ts';
import { importPlaces, readPlaces } from '../server/src/features/profiles/place/import-places.ts';
import { withoutIndexes } from './bulk-load.ts';
import { seedDemo } from './seed.ts';

const now = new Date('2026-06-15T12:00:00.000Z');
let database: TestDatabase;
let pool: pg.Pool;

async function open(): Promise<void> {
  database = await cloneDatabase();
  pool = createTestPool(database.url);
}

async function close(): Promise<void> {
  await pool.end();
  await database.drop();
}

function eachWithADatabase(): void {
  beforeEach(open);
  afterEach(close);
}

async function count(table: string): Promise<number> {
  const { rows } = await pool.query<{ n: number }>(`select count(*)::int as n from ${table}`);
  return rows[0]?.n ?? NaN;
}

describe('demo data of 500 members', () => {
  beforeAll(async () => {
    await open();
    await seedDemo(pool, { members: 500, now });
  });
  afterAll(close);

  test('writes every generated member and records that it ran', async () => {
    const { rows } = await pool.query<Record<string, unknown>>(
      `select * from account a join profile p on p.account_id = a.id join presence r on r.account_id = a.id
         join consent c on c.account_id = a.id`,
    );
    expect(rows).toHaveLength(500);
    const byId = new Map(rows.map((row) => [row['id'], row]));
    const gifts = await pool.query<{ id: string }>(`select account_id as id from premium_grant`);
    const removed = await pool.query<{ id: string }>(
      `select account_id as id from sanction where kind = 'remove_content'`,
    );
    for (let number = 0; number < 500; number++) {
      const member = demoMember(number, now, []);
      expect(byId.get(member.id)).toMatchObject({
        email: member.email,
        created_at: member.createdAt,
        email_verified_at: member.emailVerifiedAt,
        is_vip: member.isVip || gifts.rows.some(({ id }) => id === member.id),
        is_active: member.deactivatedAt === null,
        first_name: member.firstName,
        last_name: member.lastName,
        birth_date: member.birthDate,
        bio: removed.rows.some(({ id }) => id === member.id) ? null : member.bio,
        seeking: member.seeking,
        latitude: member.place?.latitude ?? null,
        last_active_at: member.lastActiveAt ?? -Infinity,
        online: member.online,
      });
    }
    const noted = await pool.query(`select value from installation where name = 'demo'`);
    expect(noted.rows).toEqual([{ value: { members: 500, at: now.toISOString() } }]);
  });

  test('verifies photos only of people who have joined and uploaded them', async () => {
    const { rows } = await pool.query<{ verified: Date; latest: Date }>(
      `select p.photo_verified_at as verified, greatest(a.created_at, max(f.uploaded_at)) as latest
       from account a join profile p on p.account_id = a.id join picture f on f.id = any (p.photo_verified_ids)
       group by a.id, p.account_id`,
    );
    expect(rows.length).toBeGreaterThan(50);
    expect(rows.filter(({ verified, latest }) => verified < latest || verified > now)).toEqual([]);
  });

  test('leaves counters that match the directory and the reports', async () => {
    const { rows } = await pool.query<{ kind: string; key: string; kept: string; counted: string }>(
      `with kept as (
         select kind, key, sum(n) as n from (
           select kind, key, value as n from statistic union all select kind, key, delta from statistic_delta
         ) both_tables group by 1, 2 having sum(n) <> 0
       ), counted as (
         select k.kind, k.key, count(*) as n from directory d cross join lateral logic.statistic_keys(d) k group by 1, 2
         union all
         select case when is_vip then 'totalVip' else 'total' end, 'online', count(*) from (
           select false as is_vip from online_member union all select true from online_member where is_vip) o group by is_vip
         union all
         select k.kind, k.key, sum(k.amount) from report r cross join lateral logic.report_statistic_keys(r) k group by 1, 2
         union all
         select k.kind, k.key, sum(k.n) from subscription s cross join lateral logic.premium_keys(s) k group by 1, 2
       )
       select coalesce(kept.n, 0) as kept, coalesce(counted.n, 0) as counted, kind, key from kept full join counted using (kind, key)`,
    );
    expect(rows.length).toBeGreaterThan(400);
    expect(rows.filter(({ kept, counted }) => kept !== counted)).toEqual([]);
    expect(await count('directory')).toBe(await count('account where leaving_since is null'));
    expect(await count('statistic_delta')).toBe(0);
  });

  test('adds open cases at every stage, one of them an emergency', async () => {
    expect(await count(`moderation_case where stage <> 'decided'`)).toBeGreaterThanOrEqual(20);
    const { rows } = await pool.query<{ stage: string }>('select distinct stage from moderation_case order by 1');
    expect(rows.map(({ stage }) => stage)).toEqual([...caseStages].sort());
    expect(await count(`moderation_case where critical_because = 'raised' and stage = 'escalated'`)).toBe(1);
    expect(await count(`sanction where content ->> 'key' = 'bio'`)).toBe(1);
  });

  test('adds members who answered some, many or none of the questions, and staff who answered none', async () => {
    const { rows } = await pool.query<{ staff_role: string | null; answers: Record<string, KeptAnswer> | null }>(
      `select staff_role, answers from account a left join answer_sheet s on s.account_id = a.id`,
    );
    const counts = rows.map(({ answers }) => Object.keys(answers ?? {}).length);
    for (const [from, to] of [
      [0, 0],
      [1, 4],
      [5, 20],
      [21, 40],
    ] as const) {
      expect(counts.filter((count) => count >= from && count <= to).length).toBeGreaterThan(20);
    }
    for (const { staff_role, answers } of rows) {
      if (staff_role !== null) expect(answers).toBeNull();
      for (const [questionId, [answer, accepted, importance]] of Object.entries(answers ?? {})) {
        const ids = questionById(questionId)?.options.map(({ id }) => id);
        expect(ids).toEqual(expect.arrayContaining([answer, ...accepted]));
        expect(accepted.length > 0).toBe(importance !== 'irrelevant');
      }
    }
  });

  test('adds what staff did, to train with', async () => {
    const { rows: cases } = await pool.query(
      `select d.outcome, d.source, c.decided_at is null as "isOpen" from report r join moderation_case c on c.id = r.case_id
         left join case_decision d on d.case_id = c.id where r.source = 'own_initiative' order by r.opened_at`,
    );
    expect(cases).toEqual([
      { outcome: 'actioned', source: 'own_initiative', isOpen: false },
      { outcome: 'no_violation', source: 'own_initiative', isOpen: false },
      { outcome: null, source: null, isOpen: true },
    ]);
    const messages = await pool.query(`select is_listed from report where source = 'staff_message' order by opened_at`);
    expect(messages.rows).toEqual([{ is_listed: true }, { is_listed: false }]);
    expect(await count('user_tag where retired_at is null')).toBe(8);
    expect(await count('user_tag where retired_at is not null')).toBe(1);
    expect(await count('(select distinct account_id from account_tag) tagged')).toBeGreaterThan(30);
    expect(await count('(select distinct account_id from staff_note) noted')).toBeGreaterThan(20);
    expect(
      await count('premium_grant g join entitlement e on e.account_id = g.account_id and e.until = g.ends_at'),
    ).toBe(1);
    expect(await count(`mail where status = 'dead'`)).toBe(2);
    expect(await count('approval where verdict is null and used_at is null')).toBe(1);
  });
});

describe('filling the database with demo data', () => {
  eachWithADatabase();

  test('lets the demo accounts, and only them, sign in', async () => {
    await seedDemo(pool, { members: 60, now });
    const { rows } = await pool.query<{ email: string; password_hash: string; who: string }>(
      `select email, password_hash, concat_ws(' ', coalesce(staff_role, 'member'), case when is_vip then 'vip' end) as who
       from account a join profile p on p.account_id = a.id
       where password_hash is not null and email_verified_at is not null and p.complete order by email`,
    );
    expect(rows.map(({ email, who }) => `${email.split('@')[0]}: ${who}`)).toEqual([
      ...['ada: member', 'admin: admin', 'analyst: analyst', 'auditor: auditor', 'billing: billing'],
      ...['bo: member vip', 'moderator: moderator', 'owner: owner', 'senior: senior', 'support-agent: support'],
    ]);
    for (const { email, password } of demoAccounts) {
      expect(await verifyPassword(rows.find((row) => row.email === email)?.password_hash ?? null, password)).toBe(true);
    }
  });

  test('runs once, even when called again or concurrently', async () => {
    await Promise.all([seedDemo(pool, { members: 60, now }), seedDemo(pool, { members: 60, now })]);
    await seedDemo(pool, { members: 80, now });
    expect(await count('account')).toBe(60);
  });

  test('leaves nothing behind when interrupted and starts over', async () => {
    await pool.query(
      `create function refuse() returns trigger language plpgsql as $$ begin raise exception 'cut short'; end $$`,
    );
    await pool.query(
      `create trigger refuse before insert on consent for each row when (new.account_id = '${demoId(200)}') execute function refuse()`,
    );
    await expect(seedDemo(pool, { members: 300, now })).rejects.toThrow('cut short');
    expect(await count('account')).toBe(0);
    expect(await count('statistic_delta')).toBe(0);
    await pool.query('drop trigger refuse on consent');
    await seedDemo(pool, { members: 300, now });
    expect((await count('directory')) + (await count('account where leaving_since is not null'))).toBe(300);
  });

  test('refuses with an explanation if an account already has a demo address', async () => {
    await pool.query(`insert into account (email) values ('bo@heartwood.test')`);
    await expect(seedDemo(pool, { members: 60, now })).rejects.toThrow(StartError);
    expect(await count('account')).toBe(1);
  });

  test('adds a new, a late and an overturned appeal, and cases that are late or may involve a minor', async () => {
    await seedDemo(pool, { members: 600, now });
    const { rows } = await pool.query<{ state: string; is_late: boolean }>(
      `select state, due_at < $1 as is_late from appeal order by submitted_at desc`,
      [now],
    );
    expect(rows).toEqual([
      { state: 'submitted', is_late: false },
      { state: 'under_review', is_late: true },
      { state: 'overturned', is_late: true },
    ]);
    expect(await count('account_link')).toBe(2);
    expect(await count(`moderation_case where due_at < '${now.toISOString()}'`)).toBeGreaterThan(0);
    expect(
      await count(`case_time where at > '${now.toISOString()}'::timestamptz - interval '30 days'`),
    ).toBeGreaterThan(0);
    expect(await count(`moderation_case where critical_because = 'minor' and stage <> 'decided'`)).toBeGreaterThan(0);
  });

  test('works with fewer members than edge cases', async () => {
    await seedDemo(pool, { members: 3, now });
    expect(await count('account')).toBe(3);
  });
});

describe('withoutIndexes', () => {
  eachWithADatabase();

  const definitions = async () => {
    const { rows } = await pool.query<{ indexdef: string }>(
      `select indexdef from pg_indexes where tablename in ('presence', 'directory') order by 1`,
    );
    return rows;
  };

  test('rebuilds the same indexes after filling', async () => {
    const before = await definitions();
    const client = await pool.connect();
    await client.query('begin');
    await withoutIndexes(client, ['presence', 'directory'], async () => {
      const { rows } = await client.query(
        `select indexname from pg_indexes where tablename in ('presence', 'directory') order by 1`,
      );
      expect(rows).toEqual([{ indexname: 'directory_pkey' }, { indexname: 'presence_pkey' }]);
    });
    await client.query('commit');
    client.release();
    expect(await definitions()).toEqual(before);
  });
});

describe('importPlaces', () => {
  eachWithADatabase();

  test('imports the places once, even when called again or concurrently', async () => {
    await Promise.all([importPlaces(pool), importPlaces(pool)]);
    await importPlaces(pool);
    expect(await count('place')).toBe(readPlaces().length);
  });

  test('imports again when a place is missing', async () => {
    await importPlaces(pool);
    await pool.query(`delete from place where country = 'Iceland'`);
    await importPlaces(pool);
    expect(await count('place')).toBe(readPlaces().length);
  });
});
