import { sql } from 'kysely';
import fc from 'fast-check';
import { afterEach, describe, expect, test } from 'vitest';
import { ageBuckets } from '#contract/statistics.ts';
import { changeAdminUser } from '#contract/profiles/staff.ts';
import { getStatistics } from '#contract/statistics.ts';
import {
  deleteAccounts,
  makeAdministrator,
  makeMember,
  makeModerator,
  type MemberOptions,
  type TestMember,
} from '../../../test/factories.ts';
import { startAppForTests } from '../../../test/harness.ts';
import { ageOn } from '#platform/process/clock.ts';
import { lastMonths } from '#platform/process/clock.ts';
import { foldStatistics, growthPercent, percentOf } from './statistics.ts';
import { setEntitlement } from '../subscriptions/subscriptions.ts';

const app = startAppForTests();
afterEach(async () => {
  await app.db.deleteFrom('account').execute();
});

const figures = async (by: TestMember) => (await app.call(getStatistics, { token: by.token })).body.data;
/** An administrator outside all months of the chart and all age buckets. */
const makeReader = (options: MemberOptions = {}) =>
  makeAdministrator(app, { createdAt: new Date('2020-01-01T00:00:00Z'), birthDate: null, gender: null, ...options });

describe('GET /admin/statistics', () => {
  test('counts all listed accounts, including staff, by the dashboard’s definitions', async () => {
    const reader = await makeReader();
    await makeMember(app, { vip: true, online: true, gender: 'man', birthDate: '2001-01-01' });
    await makeMember(app, { deactivated: 'spam', vip: true, gender: 'man', birthDate: '1960-01-01' });
    await makeMember(app, { verified: false, city: null, gender: 'non-binary', birthDate: '1985-01-01' });
    await makeMember(app, {
      createdAt: new Date('2026-05-31T23:59:59.999Z'),
      gender: 'woman',
      birthDate: '1975-01-01',
    });
    await makeMember(app, { createdAt: new Date('2026-01-01T00:00:00.000Z'), vip: true, gender: null });
    await makeMember(app, { createdAt: new Date('2025-12-31T23:59:59.999Z'), gender: null, birthDate: null });
    await makeMember(app, { leaving: true, vip: true, online: true });
    expect(await figures(reader)).toMatchObject({
      totals: { users: 7, vip: 3, active: 6, online: 1, newThisMonth: 3, profileComplete: 3, emailVerified: 6 },
      vipRate: 43,
      engagementRate: 86,
      growthPercent: 200,
      sameDaysGrowthPercent: 'N/A',
      growth: [
        { month: '2026-01', users: 1, vip: 1 },
        { month: '2026-02', users: 0, vip: 0 },
        { month: '2026-03', users: 0, vip: 0 },
        { month: '2026-04', users: 0, vip: 0 },
        { month: '2026-05', users: 1, vip: 0 },
        { month: '2026-06', users: 3, vip: 2 },
      ],
      genders: [
        { gender: 'woman', count: 1 },
        { gender: 'man', count: 2 },
        { gender: 'non-binary', count: 1 },
        { gender: null, count: 3 },
      ],
      ages: [
        { bucket: '18-25', count: 1 },
        { bucket: '26-35', count: 0 },
        { bucket: '36-45', count: 2 },
        { bucket: '46-55', count: 1 },
        { bucket: '56+', count: 1 },
      ],
      asOf: '2026-06-15T12:00:00.000Z',
    });
  });

  test('shows every change immediately, before and after folding', async () => {
    const reader = await makeReader();
    const member = await makeMember(app, { vip: true, online: true });
    const steps: [() => Promise<unknown>, object][] = [
      [
        () =>
          app.call(changeAdminUser, {
            token: reader.token,
            params: { id: member.id },
            body: { isActive: false, birthDate: '1950-01-01', gender: 'man', reason: 'test' },
          }),
        { totals: { users: 2, vip: 1, active: 1, online: 0 } },
      ],
      [
        () => setEntitlement(app.db, member.id, null),
        { totals: { users: 2, vip: 0 }, growth: { 5: { users: 1, vip: 0 } } },
      ],
      [() => setAccount(member, { email_verified_at: null }), { totals: { emailVerified: 1 } }],
      [() => setAccount(member, { leaving_since: app.clock.now() }), { totals: { users: 1 } }],
      [
        () => setAccount(member, { leaving_since: null }),
        { totals: { users: 2, active: 1 }, ages: { 4: { count: 1 } } },
      ],
      [() => deleteAccounts(app, member.id), { totals: { users: 1, vip: 0 } }],
    ];
    for (const [step, shown] of steps) {
      await step();
      const unfolded = await figures(reader);
      expect({ ...unfolded, growth: { ...unfolded.growth }, ages: { ...unfolded.ages } }).toMatchObject(shown);
      await foldStatistics(app.db);
      expect(await figures(reader)).toEqual(unfolded);
    }
  });

  test('stays the same while a backlog of changes is folded in parts', async () => {
    const reader = await makeReader();
    await app.sql`insert into statistic_delta (kind, key, delta) select 'total', 'vip', 1 from generate_series(1, 60000)`;
    const left = async () => (await sql`select from statistic_delta`.execute(app.db)).rows.length;
    const { totals } = await figures(reader);
    await foldStatistics(app.db);
    expect(await left()).toBeGreaterThan(0);
    expect((await figures(reader)).totals).toEqual(totals);
    await foldStatistics(app.db);
    expect(await left()).toBe(0);
    expect((await figures(reader)).totals).toEqual(totals);
    await app.sql`insert into statistic_delta (kind, key, delta) values ('total', 'vip', -60000)`;
  });

  test('compares this month with the same days of last month, even a shorter one', async () => {
    const standing = app.clock.now();
    const joined = (...times: string[]) =>
      Promise.all(times.map((time) => makeMember(app, { createdAt: new Date(`${time}Z`) })));
    await joined('2026-05-01T00:00:00', '2026-05-15T23:59:59', '2026-05-16T00:00:00', '2026-04-30T23:59:59');
    await joined('2026-06-01T00:00:00', '2026-06-02T00:00:00', '2026-06-03T00:00:00');
    const at = async (moment: string) => {
      app.clock.set(new Date(moment));
      const shown = await figures(await makeReader());
      app.clock.set(standing);
      return [shown.growthPercent, shown.sameDaysGrowthPercent];
    };
    expect(await at('2026-06-15T00:00:00Z')).toEqual([0, 50]);
    expect(await at('2026-06-16T00:00:00Z')).toEqual([0, 0]);
    // April has no 31st.
    expect(await at('2026-05-31T12:00:00Z')).toEqual([200, 200]);
    await foldStatistics(app.db);
    expect(await at('2026-06-15T00:00:00Z')).toEqual([0, 50]);
  });

  test('is all zeros without other accounts', async () => {
    const reader = await makeReader();
    const { recentUsers, ...empty } = await figures(reader);
    expect(empty).toEqual({
      totals: { users: 1, vip: 0, active: 1, online: 0, newThisMonth: 0, profileComplete: 0, emailVerified: 1 },
      vipRate: 0,
      engagementRate: 100,
      growthPercent: 'N/A',
      sameDaysGrowthPercent: 'N/A',
      growth: ['2026-01', '2026-02', '2026-03', '2026-04', '2026-05', '2026-06'].map((month) => ({
        month,
        users: 0,
        vip: 0,
      })),
      genders: [{ gender: null, count: 1 }],
      ages: ageBuckets.map(({ bucket }) => ({ bucket, count: 0 })),
      asOf: '2026-06-15T12:00:00.000Z',
    });
    expect(recentUsers).toHaveLength(1);
  });

  test('puts members into buckets by exact age on the UTC day', async () => {
    const reader = await makeReader();
    const days = fc.sample(fc.date({ min: new Date('1905-01-01'), max: new Date('2008-06-30'), noInvalidDate: true }), {
      numRuns: 150,
      seed: 7,
    });
    const edges = ageBuckets.flatMap(({ from, to }) =>
      [from, to + 1].flatMap((years) => [14, 15, 16].map((day) => new Date(Date.UTC(2026 - years, 5, day)))),
    );
    const births = [...days, ...edges, new Date('2000-02-29'), new Date('1980-02-29'), new Date('2008-02-29')].map(
      (day) => day.toISOString().slice(0, 10),
    );
    await app.pool.query(
      `with made as (
        insert into account (email, created_at) select n || '@birth.test', now() from generate_subscripts($1::date[], 1) n returning id, email
      ) insert into profile (account_id, birth_date) select id, ($1::date[])[split_part(email, '@', 1)::int] from made`,
      [births],
    );
    for (const moment of [
      '2026-06-15T00:00:00Z',
      '2026-02-28T23:59:59Z',
      '2026-03-01T00:00:00Z',
      '2028-02-29T12:00:00Z',
    ]) {
      const standing = app.clock.now();
      app.clock.set(new Date(moment));
      const { token } = await makeReader();
      const { ages } = await figures({ ...reader, token });
      const now = app.clock.now();
      app.clock.set(standing);
      const truth = ageBuckets.map(({ bucket, from, to }) => ({
        bucket,
        count: births.filter((birth) => ageOn(birth, now) >= from && ageOn(birth, now) <= to).length,
      }));
      expect(ages).toEqual(truth);
    }
  });

  test('shows the five newest accounts, with addresses only for administrators', async () => {
    const reader = await makeReader({ email: 'reader@staff.test' });
    const moderator = await makeModerator(app, { createdAt: new Date('2020-01-02T00:00:00Z') });
    const made: string[] = [];
    for (let n = 0; n < 7; n++) {
      const createdAt = new Date(Date.UTC(2026, 4, 1, n));
      made.unshift((await makeMember(app, { createdAt, firstName: `New${n}`, lastName: null, vip: n % 2 === 0 })).id);
    }
    const { recentUsers } = await figures(reader);
    expect(recentUsers.map(({ _id }) => _id)).toEqual(made.slice(0, 5));
    expect(recentUsers[0]).toMatchObject({ name: 'New6', isActive: true, isVIP: true, isOnline: false });
    expect(recentUsers[0]?.email).toMatch(/^member\d+@example\.test$/);
    const masked = (await figures(moderator)).recentUsers;
    expect(masked.map(({ email }) => email)).toEqual(Array.from({ length: 5 }, () => 'm•••@e•••.test'));
  });
});

test('growth and rates are rounded to whole percentages', () => {
  expect(growthPercent(0, 0)).toBe('N/A');
  expect(growthPercent(5, 0)).toBe('N/A');
  expect(growthPercent(0, 5)).toBe(-100);
  expect(growthPercent(150, 100)).toBe(50);
  expect(growthPercent(1, 3)).toBe(-67);
  expect(percentOf(0, 0)).toBe(0);
  expect(percentOf(1, 3)).toBe(33);
  expect(percentOf(2, 3)).toBe(67);
});

test('the last six months end with the current one, in UTC', () => {
  expect(lastMonths(new Date('2026-01-31T23:59:59.999Z'), 6)).toEqual([
    '2025-08',
    '2025-09',
    '2025-10',
    '2025-11',
    '2025-12',
    '2026-01',
  ]);
  expect(lastMonths(new Date('2026-03-01T00:00:00.000Z'), 2)).toEqual(['2026-02', '2026-03']);
});

const setAccount = (member: TestMember, change: object) =>
  app.db.updateTable('account').set(change).where('id', '=', member.id).execute();
