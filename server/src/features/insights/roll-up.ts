import { sql } from 'kysely';
import { type InsightsCounted, smallestGroup } from '#contract/insights/series.ts';
import type { Deps } from '../../deps.ts';
import { type Db, inTransaction } from '#platform/db/db.ts';
import { groupsShown } from '#platform/db/small-groups.policy.ts';
import { addJob } from '#platform/jobs/jobs.ts';
import { startPiece } from '#platform/jobs/pieces.ts';
import { deleteOver } from '#platform/people/forget.ts';
import { dayOf } from '#platform/process/clock.ts';
import { countDecisions } from '../moderation/public.ts';
import { daysAfter, daysBetween, monthsAfterMonth } from './days.ts';
import { type Cell, factsOf, type MoneyMeasure, moneyOf, openDay } from './facts.ts';
import { cohortsOf, noteMilestones, noteVisits, recountFunnel } from './milestones.ts';
import {
  type DayColumn,
  dayColumns,
  dimensionsOf,
  everyone,
  type GroupKey,
  groupings,
  type InsightDay,
  type InsightMoney,
} from './groups.ts';

/** Active days of members are kept for the current month and this many months before it. */
const visitMonthsKept = 2;
const insertedAtOnce = 1000;

/** How far the roll-up has come, as a fact about the installation. */
interface Position {
  /** The first day, and the first one that isn't final yet. */
  from: string;
  next: string;
  /** The first day with recorded visits. */
  visitsSince: string;
  countedAt: string | null;
  /** Whether each step of the funnel counts a subset of the one before; false until an earlier release's funnel was recounted. */
  isNested?: boolean;
}

const name = 'insights';

/** How far the roll-up has come; undefined before the first one. */
async function readPosition(db: Db): Promise<Position | undefined> {
  const row = await db.selectFrom('installation').select('value').where('name', '=', name).executeTakeFirst();
  return row?.value as Position | undefined;
}

/** How far the figures are counted, for the screens. */
export async function readCounted(db: Db): Promise<InsightsCounted> {
  const position = await readPosition(db);
  if (position === undefined) return { countedAt: null, progress: null, visitsSince: null };
  const { from, next, visitsSince, countedAt } = position;
  const total = daysBetween(from, visitsSince);
  return {
    countedAt,
    progress: countedAt === null ? { done: daysBetween(from, next), total } : null,
    visitsSince: total > 0 ? visitsSince : null,
  };
}

/** Starts with the day on which the first member joined. */
async function startPosition(db: Db, now: Date): Promise<Position> {
  const { rows } = await sql<{ first: Date | null }>`select min(created_at) as first from directory`.execute(db);
  const [today, first] = [dayOf(now), dayOf(rows[0]?.first ?? now)];
  const from = first < today ? first : today;
  const position: Position = { from, next: from, visitsSince: today, countedAt: null, isNested: true };
  await sql`insert into installation (name, value) values (${name}, ${JSON.stringify(position)}::jsonb)
    on conflict do nothing`.execute(db);
  return (await readPosition(db)) ?? position;
}

/** The groups that a cell is part of. */
const groupKeys = (cell: GroupKey): GroupKey[] =>
  groupings.map((names) => ({ ...everyone, ...Object.fromEntries(names.map((name) => [name, cell[name]])) }));

/** Adds cells to all groups that contain them. */
function addUp<Row extends GroupKey, Measure extends string>(
  cells: readonly Cell<Measure>[],
  rowOf: (group: GroupKey, measure: Measure) => { key: string; empty: Row; column: keyof Row },
): Row[] {
  const rows = new Map<string, Row>();
  for (const cell of cells) {
    for (const group of groupKeys(cell)) {
      const { key, empty, column } = rowOf(group, cell.measure);
      const id = `${keyOf(group)}|${key}`;
      const row = rows.get(id) ?? empty;
      rows.set(id, row);
      row[column] = (Number(row[column]) + (isEveryone(group) ? cell.total : cell.n)) as Row[keyof Row];
    }
  }
  return [...rows.values()];
}

const keyOf = ({ gender, age, country }: GroupKey) => `${gender}|${age}|${country}`;
const isEveryone = (group: GroupKey) => dimensionsOf(group).length === 0;

/** The figures of everyone and of the groups that may be shown. Others have no rows, so no sum of rows contains them alone. */
const daysOf = (day: string, cells: readonly Cell[]): InsightDay[] => {
  const nothing = Object.fromEntries(dayColumns.map((column) => [column, 0])) as Record<DayColumn, number>;
  const rows = addUp(cells, (group, column) => ({ key: '', empty: { ...group, day, ...nothing }, column }));
  const byNames = Map.groupBy(rows, (row) => dimensionsOf(row).join());
  const isShown = groupsShown(
    groupings.map((names) => ({
      names,
      rows: byNames.get(names.join()) ?? [],
      peopleIn: (of: readonly InsightDay[]) => of.reduce((sum, { members }) => sum + members, 0),
    })),
  );
  return rows.filter((row) => isEveryone(row) || (row.members >= smallestGroup && isShown(dimensionsOf(row), row)));
};

const moneyRows = (day: string, cells: readonly Cell<MoneyMeasure>[]): InsightMoney[] =>
  addUp(cells, (group, measure) => {
    const [column = '', currency = ''] = measure.split(' ');
    const empty = { ...group, day, currency, payments: 0, paid_minor: 0, refunded_minor: 0 };
    return { key: currency, empty, column: column as 'payments' };
  });

async function insertRows<Table extends 'insight_day' | 'insight_money' | 'insight_cohort'>(
  tx: Db,
  table: Table,
  rows: readonly object[],
): Promise<void> {
  for (let from = 0; from < rows.length; from += insertedAtOnce) {
    const some = JSON.stringify(rows.slice(from, from + insertedAtOnce));
    await sql`insert into ${sql.table(table)}
      select r.* from jsonb_populate_recordset(null::${sql.table(table)}, ${some}::jsonb) r`.execute(tx);
  }
}

/**
 * Counts a day. Only the last transaction has more than one statement, and it locks only rows of figures. A day can be recounted and then
 * has the same rows. False if another process has counted it in the meantime.
 */
export async function rollUpDay(db: Db, day: string, position: Position, now: Date): Promise<boolean> {
  const opened = await openDay(db, day, now);
  if (day <= position.visitsSince) await noteVisits(db, opened);
  await noteMilestones(db, opened);
  const days = daysOf(day, await factsOf(db, opened));
  const shown = new Set(days.map(keyOf));
  const money = moneyRows(day, await moneyOf(db, opened)).filter((row) => shown.has(keyOf(row)));
  const cohorts = await cohortsOf(db, opened);
  const isFinal = day < dayOf(now);
  const next: Position = {
    ...position,
    next: isFinal ? daysAfter(day, 1) : day,
    countedAt: isFinal ? position.countedAt : now.toISOString(),
  };
  return await inTransaction(db, async (tx) => {
    const { rows } = await sql<{ value: Position }>`
      select value from installation where name = ${name} for update`.execute(tx);
    if (rows[0]?.value.next !== position.next) return false;
    for (const table of ['insight_day', 'insight_money', 'insight_cohort'] as const)
      await sql`delete from ${sql.table(table)} where day = ${day}::date`.execute(tx);
    await insertRows(tx, 'insight_day', days);
    await insertRows(tx, 'insight_money', money);
    await insertRows(tx, 'insight_cohort', cohorts);
    await countDecisions(tx, opened);
    await sql`update installation set value = ${JSON.stringify(next)}::jsonb where name = ${name}`.execute(tx);
    return true;
  });
}

/** Recounts a funnel that an earlier release counted. */
async function nestFunnel(db: Db, position: Position): Promise<Position> {
  const nested = { ...position, isNested: true };
  await inTransaction(db, async (tx) => {
    await tx.selectFrom('installation').select('value').where('name', '=', name).forUpdate().execute();
    await recountFunnel(tx);
    await sql`update installation set value = value || '{"isNested": true}' where name = ${name}`.execute(tx);
  });
  return nested;
}

/**
 * Counts all days that are over and not final yet, then the current day so far. It makes no difference between earlier days of an
 * installation, days that a stopped server missed, and the last day: it continues where it stopped. Visits are recorded from the first run
 * on.
 */
export async function rollUp({ db, clock }: Deps): Promise<void> {
  const isOver = startPiece();
  const now = clock.now();
  let position = (await readPosition(db)) ?? (await startPosition(db, now));
  if (position.isNested !== true) position = await nestFunnel(db, position);
  const firstKept = monthsAfterMonth(position.next, -visitMonthsKept);
  await deleteOver(db, 'active_days', sql`month < ${firstKept}::date`);
  for (let day = position.next; day <= dayOf(now); day = daysAfter(day, 1)) {
    if (isOver()) {
      await addJob(db, 'insights.rollUp', {}, { jobKey: 'insights.rollUp' });
      return;
    }
    if (!(await rollUpDay(db, day, position, now))) return;
    position = { ...position, next: daysAfter(day, 1) };
  }
}
