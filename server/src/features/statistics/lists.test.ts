import { beforeAll, describe, expect, it } from 'vitest';
import { ageBuckets } from '#contract/statistics.ts';
import type { QueryInput } from '#contract/endpoint.ts';
import { listUsers } from '#contract/profiles/staff.ts';
import { listedSubscriptions } from '#contract/profiles/user-filters.ts';
import { getStatistics, type Statistics } from '#contract/statistics.ts';
import { getRevenue } from '#contract/subscriptions/subscriptions.ts';
import { makeAdministrator, makeMember, type TestMember } from '../../../test/factories.ts';
import { startAppForTests } from '../../../test/harness.ts';
import { ensurePremium } from '../../../test/premium.ts';
import { foldStatistics } from './statistics.ts';

const app = startAppForTests();
let reader: TestMember;
let figures: Statistics;

/** Every combination of the counted properties, including people without a birth date or gender, staff, and people who are leaving. */
beforeAll(async () => {
  reader = await makeAdministrator(app, { birthDate: null, gender: null });
  const joined = [
    '2025-12-31T23:59:59.999',
    '2026-01-01',
    '2026-04-30T23:59:59.999',
    '2026-05-01',
    '2026-06-01',
    '2026-06-15',
  ];
  const births = [
    '2008-06-15',
    '2008-06-16',
    '2000-06-15',
    '2000-06-16',
    '1980-02-29',
    '1970-06-15',
    '1905-07-01',
    null,
  ];
  const genders = ['woman', 'man', 'non-binary', null] as const;
  for (let n = 0; n < 48; n += 1)
    await makeMember(app, {
      createdAt: new Date(`${joined[n % joined.length]?.padEnd(23, n % 2 === 0 ? 'T00:00:00.000' : 'T11:59:59.000')}Z`),
      birthDate: births[n % births.length] ?? null,
      gender: genders[n % genders.length] ?? null,
      vip: n % 3 === 0,
      online: n % 5 === 0,
      verified: n % 7 !== 0,
      pictureless: n % 4 === 0,
      ...(n % 11 === 0 && { deactivated: 'spam' }),
      ...(n % 13 === 0 && { leaving: true }),
      ...(n % 17 === 0 && { staffRole: 'analyst' as const }),
    });
  for (let n = 0; n < 2; n += 1) await ensurePremium(app, await makeMember(app, { gender: 'man' }));
  figures = (await app.call(getStatistics, { token: reader.token })).body.data;
});

const total = async (query: QueryInput<typeof listUsers>) => {
  const { body } = await app.call(listUsers, { token: reader.token, query: { limit: '1000', ...query } });
  expect(body.data.users).toHaveLength(body.data.pagination.total);
  return body.data.pagination.total;
};
const lastDay = (month: string) =>
  new Date(Date.UTC(Number(month.slice(0, 4)), Number(month.slice(5)), 0)).toISOString().slice(0, 10);
const joinedIn = (month: string) => ({ joinedFrom: `${month}-01`, joinedTo: lastDay(month) });

describe('the list behind each figure of the dashboard', () => {
  it('has as many users as the cards and the overview show', async () => {
    const { totals } = figures;
    expect(await total({})).toBe(totals.users);
    expect(await total({ type: 'vip' })).toBe(totals.vip);
    expect(await total({ status: 'active' })).toBe(totals.active);
    expect(await total({ status: 'online' })).toBe(totals.online);
    expect(await total(joinedIn('2026-06'))).toBe(totals.newThisMonth);
    expect(await total({ complete: 'true' })).toBe(totals.profileComplete);
    expect(await total({ status: 'verified' })).toBe(totals.emailVerified);
    expect(Math.min(...Object.values(totals))).toBeGreaterThan(5);
  });

  it('has as many users as each bar of growth, by months in UTC', async () => {
    for (const { month, users, vip } of figures.growth) {
      expect(await total(joinedIn(month))).toBe(users);
      expect(await total({ ...joinedIn(month), type: 'vip' })).toBe(vip);
    }
    expect(figures.growth.map(({ users }) => users > 0)).toEqual([true, false, false, true, true, true]);
  });

  it('has as many users as each slice of gender, including users without one', async () => {
    for (const { gender, count } of figures.genders)
      expect(await total({ gender: (gender ?? 'none') as 'none' })).toBe(count);
    expect(figures.genders).toHaveLength(4);
  });

  it('has as many users as each bar of age, without users who have no birth date', async () => {
    let counted = 0;
    for (const [index, { from, to }] of ageBuckets.entries()) {
      const found = await total({ minAge: String(from), maxAge: String(to) });
      expect(found).toBe(figures.ages[index]?.count);
      counted += found;
    }
    expect(counted).toBeGreaterThan(20);
    expect(counted).toBeLessThan(figures.totals.users);
  });

  it('has as many users as the comparison shows for the same days of last month', async () => {
    const before = await total({ joinedFrom: '2026-05-01', joinedTo: '2026-05-15' });
    const { newThisMonth } = figures.totals;
    expect(figures.sameDaysGrowthPercent).toBe(Math.round(((newThisMonth - before) / before) * 100));
  });

  it('has as many users as have each kind of subscription', async () => {
    const revenue = (await app.call(getRevenue, { token: reader.token })).body.data;
    const kept = {
      active: revenue.active,
      trialing: revenue.trialing,
      past_due: revenue.pastDue,
      paused: revenue.paused,
    };
    for (const subscription of listedSubscriptions) expect(await total({ subscription })).toBe(kept[subscription] ?? 0);
    expect(revenue.active + revenue.trialing).toBe(2);
  });

  it('does not change when the counters are folded', async () => {
    await foldStatistics(app.db);
    const folded = (await app.call(getStatistics, { token: reader.token })).body.data;
    expect(folded).toEqual(figures);
  });
});
