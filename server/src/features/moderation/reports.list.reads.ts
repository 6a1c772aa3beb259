import { sql, type RawBuilder } from 'kysely';
import { exactTotalMax } from '#contract/constants.ts';
import type { QueryOf } from '#contract/endpoint.ts';
import { paginate, type Pagination } from '#contract/paging.ts';
import type { OwnReport, StaffReport } from '#contract/report.ts';
import type { listMyReports, listReports } from '#contract/reports.ts';
import { countersOf } from '../../platform/counters.ts';
import type { Caller } from '../../platform/caller.ts';
import type { Db } from '../../platform/db.ts';
import { pageLimit, paginateFound, type Viewer } from '../profiles/profiles.public.ts';
import { ownReports, staffReports } from './reports.reads.ts';

type ListQuery = QueryOf<typeof listReports>;
/** What narrows a list, its empty parameters left out. */
type Filters = Pick<ListQuery, 'status' | 'problem_type' | 'priority'>;

const defaultLimit = 10;
const countedMost = exactTotalMax + 1;

const all = (conditions: RawBuilder<boolean>[]) => sql.join(conditions, sql` and `);

function conditionsOf({ status, problem_type: type, priority }: Filters, viewer: Viewer): RawBuilder<boolean>[] {
  return [
    sql<boolean>`deleted_at is null`,
    // Nobody works on a report about themselves, nor learns that there is one.
    sql<boolean>`reported_id is distinct from ${viewer.accountId}::uuid`,
    ...(status === undefined ? [] : [sql<boolean>`status = ${status}`]),
    ...(type === undefined ? [] : [sql<boolean>`problem_type = ${type}`]),
    ...(priority === undefined ? [] : [sql<boolean>`priority = ${priority}`]),
  ];
}

/** The order of a list: newest, most urgent, or longest overdue first unless it is turned round. */
function orderOf({ sortBy = 'createdAt', sortOrder }: ListQuery): RawBuilder<unknown> {
  const newest = sql`created_at desc, id desc`;
  const oldest = sql`created_at, id`;
  switch (sortBy) {
    case 'createdAt':
      return sortOrder === 'asc' ? oldest : newest;
    case 'priority':
      return sortOrder === 'asc' ? sql`priority_rank desc, ${oldest}` : sql`priority_rank, ${newest}`;
    case 'dueAt':
      return sortOrder === 'desc' ? sql`awaited_at desc, id desc` : sql`awaited_at, id`;
  }
}

/** How many reports the filters fit, from the kept counters. */
async function keptTotal(db: Db, filters: Filters, viewer: Viewer): Promise<number> {
  const [counters, { rows }] = await Promise.all([
    countersOf(db, ['report']),
    sql<{ own: number }>`
      select count(*)::int as own from report where reported_id = ${viewer.accountId}::uuid
        and ${all(conditionsOf(filters, { ...viewer, accountId: nobody }))}`.execute(db),
  ]);
  const { status, problem_type: type, priority } = filters;
  const fits = (key: string) => {
    const [keptStatus, keptType, keptPriority] = key.split('|');
    return (
      (status === undefined || status === keptStatus) &&
      (type === undefined || type === keptType) &&
      (priority === undefined || priority === keptPriority)
    );
  };
  const kept = counters.filter(({ key }) => fits(key)).reduce((sum, { value }) => sum + value, 0);
  return kept - (rows[0]?.own ?? 0);
}

const nobody = '00000000-0000-0000-0000-000000000000';

interface Found {
  ids: string[];
  total: number;
}

/** The accounts of a whole e-mail address, which only administrators search by. */
async function accountsOf(db: Db, viewer: Viewer, term: string): Promise<string[] | null> {
  if (viewer.staffRole !== 'admin' || !/^[^\s@]+@[^\s@]+$/.test(term)) return null;
  const rows = await db.selectFrom('account').select('id').where('email', '=', term).execute();
  return rows.map(({ id }) => id);
}

const escaped = (text: string) => text.replaceAll(/[\\%_]/g, '\\$&');

/** Collects hits up to 10,001 and sorts them; beyond that walks along the order, where hits are dense enough. */
async function searched(db: Db, viewer: Viewer, query: ListQuery, term: string, offset: number, limit: number) {
  const people = await accountsOf(db, viewer, term);
  const hit =
    people === null
      ? sql<boolean>`search_text like ${`%${escaped(term)}%`}`
      : sql<boolean>`(reporter_id = any (${people}::uuid[]) or reported_id = any (${people}::uuid[]))`;
  const where = all([...conditionsOf(query, viewer), hit]);
  const order = orderOf(query);
  const { rows } = await sql<{ total: number; id: string | null }>`
    with hits as materialized (
      select id, created_at, priority_rank, awaited_at from report where ${where} limit ${countedMost}
    ), counted as (select count(*)::int as total from hits)
    select counted.total, found.id from counted left join (
      select id from hits where (select total from counted) < ${countedMost}
      order by ${order} limit ${limit} offset ${offset}
    ) found on true`.execute(db);
  const total = rows[0]?.total ?? 0;
  if (total < countedMost) return { ids: rows.flatMap(({ id }) => id ?? []), total };
  const { rows: walked } = await sql<{ id: string }>`
    select id from report where ${where} order by ${order} limit ${limit} offset ${offset}`.execute(db);
  return { ids: walked.map(({ id }) => id), total };
}

async function listed(db: Db, viewer: Viewer, query: ListQuery, offset: number, limit: number): Promise<Found> {
  const [{ rows }, total] = await Promise.all([
    sql<{ id: string }>`
      select id from report where ${all(conditionsOf(query, viewer))}
      order by ${orderOf(query)} limit ${limit} offset ${offset}`.execute(db),
    keptTotal(db, query, viewer),
  ]);
  return { ids: rows.map(({ id }) => id), total };
}

/** One page of reports for staff: filtered, searched by text, short id and names (administrators: by whole address too). */
export async function reportsPage(
  db: Db,
  viewer: Viewer,
  query: ListQuery,
  now: Date,
): Promise<{ reports: StaffReport[]; pagination: Pagination }> {
  const page = query.page ?? 1;
  const limit = pageLimit(viewer, query.limit ?? defaultLimit);
  const offset = (page - 1) * limit;
  const term = (query.search ?? '').toLowerCase();
  const { ids, total } =
    term === ''
      ? await listed(db, viewer, query, offset, limit)
      : await searched(db, viewer, query, term.replace(/^#/, ''), offset, limit);
  return {
    reports: await staffReports(db, viewer, ids, now),
    pagination: term === '' ? paginate(page, limit, total) : paginateFound(page, limit, total),
  };
}

/** One page of the caller's own reports, newest first, and how many of all of them have news. */
export async function ownReportsPage(
  db: Db,
  caller: Caller,
  query: QueryOf<typeof listMyReports>,
): Promise<{ reports: OwnReport[]; pagination: Pagination; unread: number }> {
  const page = query.page ?? 1;
  const limit = pageLimit(caller, query.limit ?? defaultLimit);
  const own = db.selectFrom('report').where('reporter_id', '=', caller.accountId).where('deleted_at', 'is', null);
  let wanted = own;
  if (query.status) wanted = wanted.where('status', '=', query.status);
  if (query.problem_type) wanted = wanted.where('problem_type', '=', query.problem_type);
  const [rows, { total }, { unread }] = await Promise.all([
    wanted
      .select('id')
      .orderBy('created_at', 'desc')
      .orderBy('id', 'desc')
      .limit(limit)
      .offset((page - 1) * limit)
      .execute(),
    wanted.select((eb) => eb.fn.countAll<string>().as('total')).executeTakeFirstOrThrow(),
    own
      .where('unread_since', 'is not', null)
      .select((eb) => eb.fn.countAll<string>().as('unread'))
      .executeTakeFirstOrThrow(),
  ]);
  const reports = await ownReports(
    db,
    rows.map(({ id }) => id),
  );
  return { reports, pagination: paginate(page, limit, Number(total)), unread: Number(unread) };
}
