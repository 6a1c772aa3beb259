import { type Selectable, sql } from 'kysely';
import {
  type Aggregation,
  type InsightGender,
  type InsightMeasure,
  type InsightPeriod,
  type SeriesQuery,
} from '#contract/insights/series.ts';
import type { Db } from '#platform/db/db.ts';
import type { Database } from '#platform/db/schema.ts';
import { refuseFuture } from '#platform/http/app-error.ts';
import { dayOf } from '#platform/process/clock.ts';
import { countryFrom } from '../profiles/public.ts';
import { daysAfter } from './days.ts';
import { comparedPeriods, daysIn, periodsOf } from './periods.policy.ts';
import { readCounted } from './roll-up.ts';
import { type DayColumn, dimensionsOf, type GroupKey } from './groups.ts';

const columnOf: Record<InsightMeasure, DayColumn> = {
  signUps: 'sign_ups',
  confirmed: 'confirmed',
  completed: 'completed',
  likes: 'likes',
  matches: 'matches',
  messages: 'messages',
  conversations: 'conversations',
  dailyActive: 'daily_active',
  weeklyActive: 'weekly_active',
  monthlyActive: 'monthly_active',
  members: 'members',
  premiumNew: 'premium_new',
  premiumLost: 'premium_lost',
  premiumPaused: 'premium_paused',
  premiumPaying: 'premium_paying',
  premiumPayingBefore: 'premium_paying',
  reports: 'reports',
  actions: 'actions',
  repeatActions: 'repeat_actions',
  decisions: 'decisions',
  decisionMs: 'decision_ms',
};

/** The gender in the roll-up's rows, and in answers. */
export const genderKey = (gender: InsightGender) => (gender === 'not-specified' ? '' : gender);

/** The countries that are shown on the newest counted day until `to`, by their names. */
async function countriesOn(db: Db, to: string): Promise<Map<string, string>> {
  const { rows } = await sql<{ country: string }>`
    select country from insight_day where day = (select max(day) from insight_day where day <= ${to}::date)
      and gender = '*' and age = '*' and country not in ('*', '')`.execute(db);
  return new Map(rows.map(({ country }) => [countryFrom(country), country]));
}

/** What all reads for one answer share. */
interface Plan<M extends InsightMeasure> {
  group: GroupKey;
  measures: Record<M, Aggregation>;
  hasMoney: boolean;
}

const whereGroup = ({ gender, age, country }: GroupKey) =>
  sql`gender = ${gender} and age = ${age} and country = ${country}`;

/** Computes the figure of a period from those of its days; null without counted days, or if the group is hidden on one of them. */
type FigureOf = (
  period: InsightPeriod,
  by: Aggregation,
  on: (day: string) => number | string | undefined,
) => number | null;

/** The figures of periods by measure. */
async function rangeOf<M extends InsightMeasure>(
  db: Db,
  { group, measures, hasMoney }: Plan<M>,
  periods: InsightPeriod[],
) {
  const [first = '', last = ''] = [periods[0]?.from, periods.at(-1)?.to];
  const { rows } = await sql<Selectable<Database['insight_day']>>`select * from insight_day where ${whereGroup(group)}
    and day between ${daysAfter(first, -1)}::date and ${last}::date`.execute(db);
  const byDay = new Map(rows.map((row) => [row.day, row]));
  // Everyone is never hidden: on a day without a row, nothing happened.
  const isHidden = (day: string) => !byDay.has(day) && dimensionsOf(group).length > 0;
  const figureOf: FigureOf = (period, by, on) => {
    const days = daysIn(period, by);
    if (days.length === 0 || days.some(isHidden)) return null;
    return days.reduce((sum, day) => sum + Number(on(day) ?? 0), 0);
  };
  const valuesOf = (measure: M) =>
    periods.map((period) => figureOf(period, measures[measure], (day) => byDay.get(day)?.[columnOf[measure]]));
  const names = Object.keys(measures) as M[];
  return {
    periods,
    values: Object.fromEntries(names.map((name) => [name, valuesOf(name)])) as Record<M, (number | null)[]>,
    ...(hasMoney && { money: await moneyOf(db, group, periods, figureOf) }),
  };
}

/** Payments and refunds of periods, by currency. */
async function moneyOf(db: Db, group: GroupKey, periods: InsightPeriod[], figureOf: FigureOf) {
  const { rows } = await sql<Selectable<Database['insight_money']>>`
    select * from insight_money where ${whereGroup(group)}
      and day between ${periods[0]?.from}::date and ${periods.at(-1)?.to}::date order by currency`.execute(db);
  return [...Map.groupBy(rows, ({ currency }) => currency)].map(([currency, ofCurrency]) => {
    const byDay = new Map(ofCurrency.map((row) => [row.day, row]));
    const sums = (column: 'paid_minor' | 'refunded_minor' | 'payments') =>
      periods.map((period) => figureOf(period, 'sum', (day) => byDay.get(day)?.[column]));
    const [paidMinor, refundedMinor] = [sums('paid_minor'), sums('refunded_minor')];
    return { currency, paidMinor, refundedMinor, payments: sums('payments') };
  });
}

/** Figures over time, and those that they are compared with. Reads only rows of the roll-up. 400 if they start in the future. */
export async function readSeries<M extends InsightMeasure>(
  db: Db,
  query: SeriesQuery,
  measures: Record<M, Aggregation>,
  { now, hasMoney = false }: { now: Date; hasMoney?: boolean },
) {
  refuseFuture('from', query.from, now);
  const counted = await readCounted(db);
  const countries = await countriesOn(db, query.to);
  const group: GroupKey = {
    gender: query.gender === undefined ? '*' : genderKey(query.gender),
    age: query.ageBand ?? '*',
    country: query.country === undefined ? '*' : (countries.get(query.country) ?? query.country),
  };
  const plan = { group, measures, hasMoney };
  const periods = periodsOf(query, dayOf(new Date(counted.countedAt ?? 0)));
  const before = comparedPeriods(periods, query);
  const range = await rangeOf(db, plan, periods);
  const hasNothing = Object.values<(number | null)[]>(range.values).every((values) =>
    values.every((value) => value === null),
  );
  return {
    by: query.by,
    ...range,
    before: before === null ? null : await rangeOf(db, plan, before),
    isHidden: hasNothing && periods.some(({ days }) => days > 0),
    countries: [...countries.keys()].sort((a, b) => a.localeCompare(b)),
    ...counted,
  };
}
