import { sql } from 'kysely';
import { ageBuckets, growthMonths, recentUsersCount } from '#contract/constants.ts';
import type { Statistics } from '#contract/statistics.ts';
import { latestBirthDate } from '../../platform/age.ts';
import type { Caller } from '../../platform/caller.ts';
import type { Db } from '../../platform/db.ts';
import { listPage } from '../profiles/profiles.public.ts';
import { growthPercent, monthsBack, percentOf } from './statistics.policy.ts';

/** The figures of the dashboard at `now`, in UTC; all from kept counters and one short walk for the newest users. */
export async function readStatistics(db: Db, caller: Caller, now: Date): Promise<Statistics> {
  const [figures, newest] = await Promise.all([
    readFigures(db, now),
    listPage(db, caller, { limit: recentUsersCount }, now),
  ]);
  const { counted, bornUntil } = figures;
  const total = (key: string) => counted('total', key);
  const months = monthsBack(now, growthMonths);
  const [thisMonth = 0, lastMonth = 0] = [...months].reverse().map((month) => counted('joined', month));
  return {
    totals: {
      users: total('users'),
      vip: total('vip'),
      active: total('active'),
      online: total('online'),
      newThisMonth: thisMonth,
      profileComplete: total('complete'),
      emailVerified: total('verified'),
    },
    vipRate: percentOf(total('vip'), total('users')),
    engagementRate: percentOf(total('active'), total('users')),
    growthPercent: growthPercent(thisMonth, lastMonth),
    growth: months.map((month) => ({ month, users: counted('joined', month), vip: counted('joinedVip', month) })),
    genders: figures.genders,
    ages: ageBuckets.map(({ bucket, from, to }) => ({ bucket, count: bornUntil(from) - bornUntil(to + 1) })),
    recentUsers: newest.users,
    asOf: now.toISOString(),
  };
}
