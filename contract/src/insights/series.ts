import { msg } from '@lingui/core/runtime-macro';
import * as z from 'zod/mini';
import { placeNameMaxLength } from '../constants.ts';
import { ageBuckets } from '../statistics.ts';
import { answer, endpoint } from '../endpoint.ts';
import { genders } from '../profiles/profile-details.ts';
import { daySchema, skippedWhenEmpty, timeSchema, trimmedText } from '../text.ts';
import { said } from '../said.ts';

/** Groups with fewer people are not shown, nor figures from which theirs could be computed. */
export const smallestGroup = 10;
/**
 * A day that figures are computed for. Days are compared as text, and those of a comparison or the next period are computed from them: in
 * years far from these, they would have more than four digits or not exist.
 */
export const insightDaySchema = daySchema.check(
  z.refine((day) => day >= '2000' && day < '2200', said(msg`Choose a day between 2000 and 2199`)),
);
/** The most periods that one answer contains. */
export const periodsMax = 100;

export const insightGrains = ['day', 'week', 'month'] as const;
export type InsightGrain = (typeof insightGrains)[number];

/** What a range is compared with. `year` means 364 days earlier, so that weekdays match, or twelve months earlier for months. */
export const insightComparisons = ['previous', 'lastYear', 'none'] as const;
export type InsightComparison = (typeof insightComparisons)[number];

/** The genders that people are grouped by, with those who didn't state one. */
export const insightGenders = [...genders, 'not-specified'] as const;
export type InsightGender = (typeof insightGenders)[number];

/** Figures that are added up over the days of a period, and figures of its last counted day. */
export const growthMeasures = {
  signUps: 'sum',
  confirmed: 'sum',
  completed: 'sum',
  likes: 'sum',
  matches: 'sum',
  messages: 'sum',
  conversations: 'sum',
  /** Summed over the days; their average is this divided by the counted days. */
  dailyActive: 'sum',
  weeklyActive: 'last',
  monthlyActive: 'last',
  members: 'last',
} as const;
export const revenueMeasures = {
  premiumNew: 'sum',
  premiumLost: 'sum',
  premiumPaused: 'last',
  premiumPaying: 'last',
  /** The number of payers on the day before the period, which lost payers are compared with. */
  premiumPayingBefore: 'before',
} as const;
export const safetyMeasures = {
  reports: 'sum',
  actions: 'sum',
  repeatActions: 'sum',
  decisions: 'sum',
  decisionMs: 'sum',
  dailyActive: 'sum',
  weeklyActive: 'last',
  monthlyActive: 'last',
} as const;

export type GrowthMeasure = keyof typeof growthMeasures;
export type RevenueMeasure = keyof typeof revenueMeasures;
export type SafetyMeasure = keyof typeof safetyMeasures;
export type InsightMeasure = GrowthMeasure | RevenueMeasure | SafetyMeasure;
/** How the days of a period become one figure. */
export type Aggregation = 'sum' | 'last' | 'before';

const dayMs = 86_400_000;
/** The fewest days that a period can have. */
export const shortestDays = { day: 1, week: 7, month: 28 } as const;

type Range = { from: string; to: string; by: InsightGrain };
const isInOrder = ({ from, to }: Range) => from <= to;
const hasFewPeriods = ({ from, to, by }: Range) =>
  (Date.parse(to) - Date.parse(from)) / dayMs < periodsMax * shortestDays[by];

const seriesQuery = z
  .object({
    from: insightDaySchema,
    to: insightDaySchema,
    by: z.enum(insightGrains),
    compare: z.enum(insightComparisons),
    gender: skippedWhenEmpty(z.enum(insightGenders)),
    ageBand: skippedWhenEmpty(z.enum(ageBuckets.map(({ bucket }) => bucket))),
    country: skippedWhenEmpty(trimmedText(1, placeNameMaxLength)),
  })
  .check(
    z.refine(isInOrder, { ...said(msg`The last day is before the first`), path: ['to'] }),
    z.refine(hasFewPeriods, { ...said(msg`Choose fewer days, or count by week or month`), path: ['by'] }),
  );
export type SeriesQuery = z.output<typeof seriesQuery>;

/** A number for each period; null if it isn't counted yet, or about too few people. */
const valuesSchema = z.array(z.nullable(z.number()));

const periodSchema = z.object({
  /** Its first and last day, in UTC. */
  from: z.string(),
  to: z.string(),
  /** How many of its days are counted, the current day included. */
  days: z.int(),
  /** Whether all its days are over and counted. */
  isOver: z.boolean(),
});
export type InsightPeriod = z.output<typeof periodSchema>;

const valuesOf = <M extends string>(measures: Record<M, Aggregation>) =>
  z.object(
    Object.fromEntries(Object.keys(measures).map((measure) => [measure, valuesSchema])) as Record<
      M,
      typeof valuesSchema
    >,
  );

const moneySchema = z.array(
  z.object({ currency: z.string(), paidMinor: valuesSchema, refundedMinor: valuesSchema, payments: valuesSchema }),
);

/** How far the figures are counted. */
export const countedSchema = z.object({
  /** When the current day was last counted; null before the first count. */
  countedAt: z.nullable(timeSchema),
  /** While earlier days are being counted: how many of them are done. */
  progress: z.nullable(z.object({ done: z.int(), total: z.int() })),
  /** Before this day, activity is derived only from likes, messages and sign-ups. */
  visitsSince: z.nullable(z.string()),
});
export type InsightsCounted = z.output<typeof countedSchema>;

const seriesAnswer = <M extends string>(measures: Record<M, Aggregation>) => {
  const range = z.object({
    periods: z.array(periodSchema),
    values: valuesOf(measures),
    money: z.optional(moneySchema),
  });
  return answer({
    data: z.object({
      by: z.enum(insightGrains),
      ...range.shape,
      /** The same number of periods; null without a comparison. */
      before: z.nullable(range),
      /** The group has too few people, or its figures would reveal the size of a group with too few. */
      isHidden: z.boolean(),
      /** The countries with enough members. */
      countries: z.array(z.string()),
      ...countedSchema.shape,
    }),
  });
};

const series = <
  const P extends string,
  const A extends 'dashboard.view' | 'revenue.view' | 'safety.view',
  M extends string,
>(
  path: P,
  access: A,
  summary: string,
  measures: Record<M, Aggregation>,
) => endpoint({ method: 'GET', path, access, summary, query: seriesQuery, response: seriesAnswer(measures) });

export const getGrowth = series(
  '/admin/insights/series',
  'dashboard.view',
  'Sign-ups, activity, likes, matches and messages by day, week or month, from the nightly roll-up.',
  growthMeasures,
);

export const getRevenueSeries = series(
  '/admin/insights/revenue',
  'revenue.view',
  'New, lost and paused premium, payments and refunds by day, week or month, from the nightly roll-up.',
  revenueMeasures,
);

export const getSafetySeries = series(
  '/admin/insights/safety',
  'safety.view',
  'Reports, actions and decisions by day, week or month, beside the active members, from the nightly roll-up.',
  safetyMeasures,
);
