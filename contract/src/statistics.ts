import * as z from 'zod/mini';
import { answer, endpoint } from './endpoint.ts';
import { timeSchema } from './text.ts';

/** The age groups of the figures. */
export const ageBuckets = [
  { bucket: '18-25', from: 18, to: 25 },
  { bucket: '26-35', from: 26, to: 35 },
  { bucket: '36-45', from: 36, to: 45 },
  { bucket: '46-55', from: 46, to: 55 },
  { bucket: '56+', from: 56, to: 120 },
] as const;

export const recentUserSchema = z.object({
  _id: z.string(),
  firstName: z.nullable(z.string()),
  lastName: z.nullable(z.string()),
  name: z.nullable(z.string()),
  email: z.string(),
  createdAt: timeSchema,
  isActive: z.boolean(),
  isVIP: z.boolean(),
  isOnline: z.boolean(),
});

const statisticsSchema = z.object({
  totals: z.object({
    users: z.int(),
    vip: z.int(),
    active: z.int(),
    online: z.int(),
    newThisMonth: z.int(),
    profileComplete: z.int(),
    emailVerified: z.int(),
  }),
  /** In percent, rounded; 0 without users. */
  vipRate: z.int(),
  /** Active users as a percentage of all users, rounded; 0 without users. */
  engagementRate: z.int(),
  /** Change against last month in percent, rounded; 'N/A' if no one joined last month. */
  growthPercent: z.union([z.int(), z.literal('N/A')]),
  /** The same against last month up to today's day, in UTC. */
  sameDaysGrowthPercent: z.optional(z.union([z.int(), z.literal('N/A')])),
  /** The last six months, oldest first, `month` as YYYY-MM in UTC. */
  growth: z.array(z.object({ month: z.string(), users: z.int(), vip: z.int() })),
  /** `gender` is null if unspecified. */
  genders: z.array(z.object({ gender: z.nullable(z.string()), count: z.int() })),
  ages: z.array(z.object({ bucket: z.string(), count: z.int() })),
  recentUsers: z.array(recentUserSchema),
  asOf: timeSchema,
});

export type Statistics = z.output<typeof statisticsSchema>;

export const getStatistics = endpoint({
  method: 'GET',
  path: '/admin/statistics',
  summary: 'Dashboard statistics, from maintained counters.',
  access: 'dashboard.view',
  response: answer({ data: statisticsSchema }),
});
