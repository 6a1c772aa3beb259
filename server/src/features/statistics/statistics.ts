import type { FastifyInstance } from 'fastify';
import { sql } from 'kysely';
import { growthMonths, recentUsersCount } from '#contract/constants.ts';
import { ageBuckets } from '#contract/statistics.ts';
import { genders } from '#contract/profiles/profile-details.ts';
import { getStatistics } from '#contract/statistics.ts';
import { may } from '#contract/roles.ts';
import type { Deps } from '../../deps.ts';
import type { Db } from '#platform/db/db.ts';
import { mount } from '#platform/http/mount.ts';
import { dayOf, lastMonths, latestBirthDate } from '#platform/process/clock.ts';
import { newestUsers, type Reader } from '../profiles/public.ts';

/** Mounts the dashboard figures. */
export function mountStatistics(app: FastifyInstance, deps: Deps): void {
  mount(app, deps, getStatistics).to(async ({ caller, read, now }) => ({
    data: await read((db) => readStatistics({ db, caller, now, pictures: deps.pictures })),
  }));
}

/** The dashboard figures at `now`, in UTC: maintained counters, and one short index scan for the newest users. */
async function readStatistics(reader: Reader) {
  const { db, caller, now } = reader;
  const months = lastMonths(now, growthMonths);
  const [counted, newest] = await Promise.all([
    readFigures(db, months, now),
    may(caller.staffRole, 'users.list') ? newestUsers(reader, recentUsersCount) : [],
  ]);
  const total = (key: string) => counted('total', key);
  const [lastMonth = '', thisMonth = ''] = months.slice(-2);
  return {
    totals: {
      users: total('users'),
      vip: total('vip'),
      active: total('active'),
      online: total('online'),
      newThisMonth: counted('joined', thisMonth),
      profileComplete: total('complete'),
      emailVerified: total('verified'),
    },
    vipRate: percentOf(total('vip'), total('users')),
    engagementRate: percentOf(total('active'), total('users')),
    growthPercent: growthPercent(counted('joined', thisMonth), counted('joined', lastMonth)),
    sameDaysGrowthPercent: growthPercent(counted('joined', thisMonth), counted('joinedOn', '')),
    growth: months.map((month) => ({ month, users: counted('joined', month), vip: counted('joinedVip', month) })),
    genders: [...genders, null]
      .map((gender) => ({ gender, count: counted('gender', gender ?? '') }))
      .filter(({ count }) => count > 0),
    ages: ageBuckets.map(({ bucket }) => ({ bucket, count: counted('age', bucket) })),
    recentUsers: newest.map(({ _id, firstName, lastName, name, email, createdAt, isActive, isVIP, isOnline }) => ({
      ...{ _id, firstName, lastName, name, email, createdAt, isActive, isVIP, isOnline },
    })),
    asOf: now,
  };
}

/**
 * All figures in one query, by kind and key; `joinedOn` has last month up to today's day. An age bucket counts births between two days: whole months in between, and single days only
 * for the two months at its edges.
 */
async function readFigures(db: Db, months: string[], now: Date): Promise<(kind: string, key: string) => number> {
  const isPlain = sql`(kind in ('total', 'gender') or kind in ('joined', 'joinedVip') and key >= ${months[0] ?? ''}::text)`;
  const lastMonth = months.at(-2) ?? '';
  const isOnSameDay = sql`(kind = 'joinedOn' and key >= ${`${lastMonth}-01`}::text
    and key <= ${lastMonth + dayOf(now).slice(7)}::text)`;
  // People born after the first day and until the second.
  const buckets = ageBuckets.map(
    ({ bucket, from, to }) =>
      sql`(${bucket}::text, ${latestBirthDate(to + 1, now)}::text, ${latestBirthDate(from, now)}::text)`,
  );
  const { rows } = await sql<{ kind: string; key: string; value: string }>`
    with unfolded as materialized (select kind, key, delta as value from statistic_delta)
    select kind, key, sum(value) as value from (
      select kind, key, value from statistic where ${isPlain}
      union all
      select kind, key, value from unfolded where ${isPlain}
      union all
      select kind, '', value from statistic where ${isOnSameDay}
      union all
      select kind, '', value from unfolded where ${isOnSameDay}
      union all
      select 'age', b.bucket, born.value
      from (values ${sql.join(buckets)}) as b (bucket, after, until)
        cross join lateral (
          select value from statistic where kind = 'bornMonth' and key > left(b.after, 7) and key < left(b.until, 7)
          union all
          select value from statistic where kind = 'bornDay' and key > b.after and key < left(b.after, 7) || '-99'
          union all
          select value from statistic where kind = 'bornDay' and key > left(b.until, 7) and key <= b.until
          union all
          select value from unfolded where kind = 'bornDay' and key > b.after and key <= b.until
        ) born
    ) found group by kind, key`.execute(db);
  const values = new Map(rows.map(({ kind, key, value }) => [`${kind} ${key}`, Number(value)]));
  return (kind, key) => values.get(`${kind} ${key}`) ?? 0;
}

/** `part` of `whole` in percent, rounded; 0 if `whole` is 0. */
export function percentOf(part: number, whole: number): number {
  return whole === 0 ? 0 : Math.round((part / whole) * 100);
}

/** Growth against last month in percent, rounded; 'N/A' if no one joined then. */
export function growthPercent(thisMonth: number, lastMonth: number): number | 'N/A' {
  return lastMonth === 0 ? 'N/A' : Math.round(((thisMonth - lastMonth) / lastMonth) * 100);
}

/** Folds the changes appended since the last fold into the counters. */
export async function foldStatistics(db: Db): Promise<void> {
  await sql`select logic.statistic_fold()`.execute(db);
}
