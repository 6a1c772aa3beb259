import { sql } from 'kysely';
import {
  type Aggregation,
  type InsightGender,
  type InsightMeasure,
  type InsightPeriod,
  smallestGroup,
  type SeriesQuery,
} from '#contract/insights/series.ts';
import type { Db } from '../../platform/db/db.ts';
import { refuseFuture } from '../../platform/http/app-error.ts';
import { countryFrom } from '../profiles/public.ts';
import { dayOf, daysAfter } from './days.ts';
import { comparedPeriods, figureOf, lastCountedDay, periodsOf } from './periods.policy.ts';
import { readCounted } from './roll-up.ts';
import { hiddenGroups } from './suppress.policy.ts';
import type { DayColumn, GroupKey, InsightDay, InsightMoney } from './tables.ts';

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

/** How the roll-up writes a gender, and how answers do. */
export const genderKey = (gender: InsightGender) => (gender === 'not-specified' ? '' : gender);
export const genderOf = (key: string) => (key === '' ? 'not-specified' : key) as InsightGender;

const everyone: GroupKey = { gender: '*', age: '*', country: '*' };
const dimensions = ['gender', 'age', 'country'] as const;
const isEveryone = (group: GroupKey) => dimensions.every((name) => group[name] === '*');

/**
 * The members of a group and of its siblings along one dimension, on the newest counted day until `to`. Groups without
 * rows, which have too few members, are one.
 */
async function siblings(db: Db, group: GroupKey, along: keyof GroupKey, to: string): Promise<Map<string, number>> {
  const same = dimensions.filter((name) => name !== along).map((name) => sql`${sql.ref(name)} = ${group[name]}`);
  const { rows } = await sql<{ value: string; members: number }>`
    select ${sql.ref(along)} as value, members from insight_day
    where day = (select max(day) from insight_day where day <= ${to}::date)
      and ${sql.join(same, sql` and `)}`.execute(db);
  const people = new Map(rows.map(({ value, members }) => [value, members]));
  const all = people.get('*') ?? 0;
  people.delete('*');
  const rest = [...people.values()].reduce((left, members) => left - members, all);
  return rest > 0 ? people.set(withoutRows, rest) : people;
}

const withoutRows = 'rest';

/** Whether a group has too few members, or would reveal how many a group with too few has. */
async function isHiddenGroup(db: Db, group: GroupKey, to: string): Promise<boolean> {
  for (const along of dimensions) {
    if (group[along] === '*') continue;
    const people = await siblings(db, group, along, to);
    if ((people.get(group[along]) ?? 0) === 0 || hiddenGroups(people).has(group[along])) return true;
  }
  return false;
}

/** What the reads of one answer have in common. */
interface Plan<M extends InsightMeasure> {
  group: GroupKey;
  measures: Record<M, Aggregation>;
  hasMoney: boolean;
  /** Nothing is counted yet, or the group is hidden. */
  isEmpty: boolean;
}

const whereGroup = ({ gender, age, country }: GroupKey) =>
  sql`gender = ${gender} and age = ${age} and country = ${country}`;

/** The figures of periods by measure, each null in periods at whose end the group had too few members. */
async function rangeOf<M extends InsightMeasure>(db: Db, plan: Plan<M>, periods: InsightPeriod[]) {
  const { group, measures, isEmpty } = plan;
  const [first = '', last = ''] = [periods[0]?.from, periods.at(-1)?.to];
  const { rows } = isEmpty
    ? { rows: [] }
    : await sql<InsightDay>`select * from insight_day where ${whereGroup(group)}
        and day between ${daysAfter(first, -1)}::date and ${last}::date`.execute(db);
  const byDay = new Map(rows.map((row) => [row.day, row]));
  const isShown = (period: InsightPeriod) =>
    !isEmpty &&
    period.days > 0 &&
    (isEveryone(group) || (byDay.get(lastCountedDay(period))?.members ?? 0) >= smallestGroup);
  const valuesOf = (measure: M) =>
    periods.map((period) =>
      isShown(period)
        ? figureOf(period, measures[measure], (day) => Number(byDay.get(day)?.[columnOf[measure]] ?? 0))
        : null,
    );
  const names = Object.keys(measures) as M[];
  return {
    periods,
    values: Object.fromEntries(names.map((name) => [name, valuesOf(name)])) as Record<M, (number | null)[]>,
    ...(plan.hasMoney && { money: isEmpty ? [] : await moneyOf(db, group, periods, isShown) }),
  };
}

/** Payments and refunds of periods, by currency. */
async function moneyOf(db: Db, group: GroupKey, periods: InsightPeriod[], isShown: (period: InsightPeriod) => boolean) {
  const { rows } = await sql<InsightMoney>`
    select * from insight_money where ${whereGroup(group)}
      and day between ${periods[0]?.from}::date and ${periods.at(-1)?.to}::date order by currency`.execute(db);
  return [...Map.groupBy(rows, ({ currency }) => currency)].map(([currency, ofCurrency]) => {
    const byDay = new Map(ofCurrency.map((row) => [row.day, row]));
    const sums = (column: 'paid_minor' | 'refunded_minor' | 'payments') =>
      periods.map((period) =>
        isShown(period) ? figureOf(period, 'sum', (day) => Number(byDay.get(day)?.[column] ?? 0)) : null,
      );
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
  const members = await siblings(db, everyone, 'country', query.to);
  const names = new Map(
    [...members.keys()].filter((key) => key !== '' && key !== withoutRows).map((key) => [countryFrom(key), key]),
  );
  const rare = hiddenGroups(members);
  const group: GroupKey = {
    gender: query.gender === undefined ? '*' : genderKey(query.gender),
    age: query.ageBand ?? '*',
    country: query.country === undefined ? '*' : (names.get(query.country) ?? query.country),
  };
  const isHidden = await isHiddenGroup(db, group, query.to);
  const plan = { group, measures, hasMoney, isEmpty: isHidden || counted.countedAt === null };
  const periods = periodsOf(query, counted.countedAt === null ? query.to : dayOf(new Date(counted.countedAt)));
  const before = comparedPeriods(periods, query);
  return {
    by: query.by,
    ...(await rangeOf(db, plan, periods)),
    before: before === null ? null : await rangeOf(db, plan, before),
    isHidden,
    countries: [...names].flatMap(([name, key]) => (rare.has(key) ? [] : [name])).sort((a, b) => a.localeCompare(b)),
    ...counted,
  };
}
