import { sql } from 'kysely';
import { ageBuckets, growthMonths, recentUsersCount } from '#contract/constants.ts';
import type { Statistics } from '#contract/statistics.ts';
import { genders } from '#contract/profiles/gender.ts';
import { type ListedUser } from '#contract/profiles/user.ts';
import { latestBirthDate } from '../../platform/process/clock.ts';
import type { Caller } from '../../platform/session/caller.ts';
import type { Db } from '../../platform/db/db.ts';
import type { PictureViews } from '../../platform/session/pictures.ts';
import { newestUsers } from '../profiles/public.ts';
import { growthPercent, lastMonths, percentOf } from './policy.ts';

/** The dashboard figures at `now`, in UTC: maintained counters, and one short index scan for the newest users. */
export async function readStatistics(db: Db, caller: Caller, now: Date, views: PictureViews): Promise<Statistics> {
  const months = lastMonths(now, growthMonths);
  const [counted, newest] = await Promise.all([
    readFigures(db, months, now),
    newestUsers(db, caller, recentUsersCount, now, views),
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
    growth: months.map((month) => ({ month, users: counted('joined', month), vip: counted('joinedVip', month) })),
    genders: [...genders, null]
      .map((gender) => ({ gender, count: counted('gender', gender ?? '') }))
      .filter(({ count }) => count > 0),
    ages: ageBuckets.map(({ bucket }) => ({ bucket, count: counted('age', bucket) })),
    recentUsers: newest.map(toRecentUser),
    asOf: now.toISOString(),
  };
}

type RecentUser = Statistics['recentUsers'][number];

function toRecentUser(user: ListedUser): RecentUser {
  const { _id, firstName, lastName, name, email, createdAt, isActive, isVIP, isOnline } = user;
  return { _id, firstName, lastName, name, email, createdAt, isActive, isVIP, isOnline };
}

/**
 * All figures in one query, by kind and key. An age bucket counts births between two days: whole months in between, and single days only
 * for the two months at its edges.
 */
async function readFigures(db: Db, months: string[], now: Date): Promise<(kind: string, key: string) => number> {
  const [firstMonth = ''] = months;
  const buckets = ageBuckets.map(({ bucket }) => bucket);
  const bornAfter = ageBuckets.map(({ to }) => latestBirthDate(to + 1, now));
  const bornUntil = ageBuckets.map(({ from }) => latestBirthDate(from, now));
  const isPlain = sql`(kind in ('total', 'gender') or kind in ('joined', 'joinedVip') and key >= ${firstMonth})`;
  const { rows } = await sql<{ kind: string; key: string; value: string }>`
    with unfolded as materialized (select kind, key, delta as value from statistic_delta)
    select kind, key, sum(value) as value from (
      select kind, key, value from statistic where ${isPlain}
      union all
      select kind, key, value from unfolded where ${isPlain}
      union all
      select 'age', b.bucket, born.value
      from unnest(${buckets}::text[], ${bornAfter}::text[], ${bornUntil}::text[]) as b (bucket, after, until)
        cross join lateral (
          select value from statistic where kind = 'bornMonth' and key > left(b.after, 7) and key < left(b.until, 7)
          union all
          select value from statistic where kind = 'bornDay' and key > b.after and key < left(b.after, 7) || '-99'
          union all
          select value from statistic where kind = 'bornDay' and key > left(b.until, 7) and key <= b.until
          union all
          select value from unfolded where kind = 'bornDay' and key > b.after and key <= b.until
        ) born
    ) figures group by kind, key`.execute(db);
  const values = new Map(rows.map(({ kind, key, value }) => [`${kind} ${key}`, Number(value)]));
  return (kind, key) => values.get(`${kind} ${key}`) ?? 0;
}
