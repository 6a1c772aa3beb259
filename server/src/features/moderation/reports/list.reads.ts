import { sql, type RawBuilder } from 'kysely';
import { exactTotalMax } from '#contract/constants.ts';
import type { QueryOf } from '#contract/endpoint.ts';
import { folded } from '#contract/folding.ts';
import { paginate, type Pagination } from '#contract/paging.ts';
import { reportPriorities, type listMyReports } from '#contract/moderation/reports.ts';
import { openStatuses, urgentPriorities, type listReports } from '#contract/moderation/staff-reports.ts';
import { may, reportScopes } from '#contract/roles.ts';
import { pastedId } from '#contract/pasted.ts';
import { emailSchema } from '#contract/text.ts';
import { conditionsOf } from '#platform/db/conditions.ts';
import { countersOf } from '#platform/db/counters.ts';
import type { Caller } from '#platform/session/caller.ts';
import { countRows, type Db, plannedForValues } from '#platform/db/db.ts';
import { hiddenFrom, seenBy, withHidden, withInvolvement } from '#platform/session/access.ts';
import { paginateFound, seesPrivate, type Viewer } from '../../profiles/public.ts';
import { ownReports, type ReportReader, scopeOf, staffReports } from './reads.ts';
import type { OwnReport, StaffReport } from './views.ts';

type ListQuery = QueryOf<typeof listReports>;
/** The filters of a list, without empty parameters. */
type Filters = Pick<ListQuery, 'status' | 'problem_type' | 'priority' | 'assigned'>;

const defaultLimit = 10;
const countedMost = exactTotalMax + 1;
/** Up to this many matches, sorting them all is faster than scanning in order. */
const fewReports = 1000;

/** The part of a list that a query requests. */
const sliceOf = ({ page = 1, limit = defaultLimit }: Pick<ListQuery, 'page' | 'limit'>) => ({
  page,
  limit,
  offset: (page - 1) * limit,
});

const all = (conditions: RawBuilder<boolean>[]) => sql<boolean>`${sql.join(conditions, sql` and `)}`;

/** The values that a filter stands for. */
const statusesOf = (status: NonNullable<Filters['status']>): readonly string[] =>
  status === 'open' ? openStatuses : [status];
const prioritiesOf = (priority: NonNullable<Filters['priority']>): readonly string[] =>
  priority === 'urgent' ? urgentPriorities : [priority];

/** `=` for a single value, which the planner knows more about. */
const isIn = (column: string, values: readonly string[]) =>
  values.length === 1
    ? sql<boolean>`${sql.ref(column)} = ${values[0]}`
    : sql<boolean>`${sql.ref(column)} = any (${values}::text[])`;

/** The conditions for reports that match the filters and the viewer's role and don't involve the viewer. */
function filtersOf(filters: Filters, viewer: Viewer): RawBuilder<boolean>[] {
  return [
    sql<boolean>`deleted_at is null`,
    sql<boolean>`is_listed`,
    scopeOf(viewer),
    ...conditionsOf(filters, {
      status: (status) => isIn('status', statusesOf(status)),
      problem_type: (type) => sql`problem_type = ${type}`,
      priority: (priority) => isIn('priority', prioritiesOf(priority)),
      assigned: () => sql`opened_by = ${viewer.accountId}::uuid`,
    }),
  ];
}

const allOf = (filters: Filters, viewer: Viewer) => [seenBy(viewer, 'report', 'report'), ...filtersOf(filters, viewer)];

/** The order of a list: newest, most urgent or longest overdue first, unless reversed. */
function orderOf({ sortBy = 'createdAt', sortOrder }: ListQuery): RawBuilder<unknown> {
  switch (sortBy) {
    case 'createdAt':
      return sortOrder === 'asc' ? oldest : newest;
    case 'priority':
      return sortOrder === 'asc' ? sql`priority_rank desc, ${oldest}` : sql`priority_rank, ${newest}`;
    case 'dueAt':
      return sortOrder === 'desc' ? sql`awaited_at desc, ${oldest}` : sql`awaited_at, ${newest}`;
  }
}

const newest = sql`created_at desc, id desc`;
const oldest = sql`created_at, id`;

interface Part {
  where: RawBuilder<boolean>;
  order: RawBuilder<unknown>;
}

/** The parts of an order, each of which is an index scan that uses the filters. */
function partsOf(query: ListQuery): Part[] {
  const { sortBy = 'createdAt', sortOrder, status } = query;
  const byTime = sortOrder === 'asc' ? oldest : newest;
  switch (sortBy) {
    case 'createdAt':
      return [{ where: sql`true`, order: byTime }];
    case 'priority': {
      const wanted = reportPriorities.filter((one) => !query.priority || prioritiesOf(query.priority).includes(one));
      const parts = wanted.map((priority) => ({ where: sql<boolean>`priority = ${priority}`, order: byTime }));
      return sortOrder === 'asc' ? parts.reverse() : parts;
    }
    case 'dueAt': {
      const order = sortOrder === 'desc' ? oldest : newest;
      const answered = { where: sql<boolean>`first_responded_at is not null`, order };
      const awaited = { where: sql<boolean>`first_responded_at is null`, order: orderOf(query) };
      // A status change is a response, so no report with one is still waiting for a response.
      if (status && status !== 'pending' && status !== 'open') return [answered];
      return sortOrder === 'desc' ? [answered, awaited] : [awaited, answered];
    }
  }
}

/** The ids of one page of the reports matching `where`, in order. */
async function walked(db: Db, query: ListQuery, where: RawBuilder<boolean>): Promise<string[]> {
  const { offset, limit } = sliceOf(query);
  const parts = partsOf(query).map(
    (part, at) => sql`(select ${sql.lit(at)} as part, id, row_number() over (order by ${part.order}) as place
      from report where ${where} and ${part.where} order by ${part.order} limit ${offset + limit})`,
  );
  const { rows } = await sql<{ id: string }>`
    select id from (${sql.join(parts, sql` union all `)}) parts
    order by part, place limit ${limit} offset ${offset}`.execute(db);
  return rows.map(({ id }) => id);
}

interface Found {
  ids: string[];
  total: number;
}

/** The same for few enough matches to sort them all, with their number; no ids if there are more than are counted. */
async function sorted(db: Db, query: ListQuery, where: RawBuilder<boolean>): Promise<Found> {
  const { offset, limit } = sliceOf(query);
  const { rows } = await sql<{ total: number; id: string | null }>`
    with hits as materialized (
      select id, created_at, priority_rank, awaited_at from report where ${where} limit ${sql.lit(countedMost)}
    ), counted as (select count(*)::int as total from hits)
    select counted.total, found.id from counted left join (
      select id from hits where (select total from counted) < ${sql.lit(countedMost)}
      order by ${orderOf(query)} limit ${limit} offset ${offset}
    ) found on true`.execute(db);
  return { ids: rows.flatMap(({ id }) => id ?? []), total: rows[0]?.total ?? 0 };
}

/** The number of reports that match the filters and don't involve the viewer, from the maintained counters. */
async function keptTotal(db: Db, { status, problem_type: type, priority }: Filters): Promise<number> {
  const counters = await countersOf(db, ['report']);
  const fits = (key: string) => {
    const [keptStatus = '', keptType, keptPriority = ''] = key.split('|');
    return (
      (status === undefined || statusesOf(status).includes(keptStatus)) &&
      (type === undefined || type === keptType) &&
      (priority === undefined || prioritiesOf(priority).includes(keptPriority))
    );
  };
  return counters.filter(({ key }) => fits(key)).reduce((sum, { value }) => sum + value, 0);
}

/**
 * Whether a list contains only some of the reports, which the counters don't cover: those of the viewer's role, or those assigned to the
 * viewer.
 */
const isPartial = ({ staffRole }: Viewer, { assigned }: Filters) =>
  assigned !== undefined || (staffRole !== null && reportScopes[staffRole] !== undefined);

/** The accounts with an exact e-mail address; for administrators only, and only where they see the address. */
async function accountsOf(db: Db, viewer: Viewer, term: string): Promise<string[] | null> {
  const { success: isAddress, data: email } = emailSchema.safeParse(term);
  if (!may(viewer.staffRole, 'users.seePrivate') || !isAddress) return null;
  const rows = await db.selectFrom('account').select('id').where('email', '=', email).execute();
  const staff = await withInvolvement(db, viewer);
  return rows.map(({ id }) => id).filter((id) => seesPrivate(staff, id));
}

const escaped = (text: string) => text.replaceAll(/[\\%_]/g, '\\$&');

const involves = (people: readonly string[]) =>
  sql<boolean>`(reporter_id = any (${people}::uuid[]) or reported_id = any (${people}::uuid[]))`;

/** Whether a report matches a term: it is about `people` with that address, or contains the term in its text, its id or a person's id. */
function isFound(term: string, people: readonly string[] | null): RawBuilder<boolean> {
  if (people !== null) return involves(people);
  const id = pastedId(term);
  const text = sql<boolean>`${plannedForValues} search_text like ${`%${escaped(folded(id ?? term))}%`}`;
  return id === null ? text : sql<boolean>`(${text} or ${involves([id])})`;
}

/** Collects and sorts up to 10,001 hits. If there are more, scans in order, because hits are frequent enough then. */
async function searched(db: Db, viewer: Viewer, query: ListQuery, term: string): Promise<Found> {
  const hit = isFound(term, await accountsOf(db, viewer, term));
  const where = all([...allOf(query, viewer), hit]);
  const found = await sorted(db, query, where);
  if (found.total < countedMost) return found;
  return { ids: await walked(db, query, where), total: found.total };
}

async function listed(db: Db, viewer: Viewer, query: ListQuery): Promise<Found> {
  const where = all(allOf(query, viewer));
  // The maintained counters include all reports; a part of them is counted up to the limit of a search.
  const kept = isPartial(viewer, query)
    ? await countRows(db, sql`report where ${where}`, countedMost)
    : await keptTotal(db, query);
  if (kept <= fewReports) return await sorted(db, query, where);
  const involving = all([hiddenFrom(viewer, 'report', 'report'), ...filtersOf(query, viewer)]);
  const [ids, own] = await Promise.all([
    walked(db, query, where),
    isPartial(viewer, query) ? 0 : countRows(db, sql`report where ${involving}`),
  ]);
  return { ids, total: kept - own };
}

/** One page of reports for staff: filtered, and searched by text, short id and names (administrators: also by exact address). */
export async function reportsPage(
  reader: ReportReader,
  query: ListQuery,
): Promise<{ reports: StaffReport[]; pagination: Pagination }> {
  const { db } = reader;
  const viewer = await withHidden(db, reader.viewer, 'self', 'decision', 'person');
  const { page, limit } = sliceOf(query);
  const term = (query.search ?? '').toLowerCase();
  const { ids, total } =
    term === '' ? await listed(db, viewer, query) : await searched(db, viewer, query, term.replace(/^#/, ''));
  return {
    reports: await staffReports({ ...reader, viewer }, ids),
    pagination:
      term === '' && !isPartial(viewer, query) ? paginate(page, limit, total) : paginateFound(page, limit, total),
  };
}

/** One page of the caller's own reports, newest first unless reversed, and how many of all are unread. */
export async function ownReportsPage(
  db: Db,
  caller: Caller,
  query: QueryOf<typeof listMyReports>,
): Promise<{ reports: OwnReport[]; pagination: Pagination; unread: number }> {
  const { page, limit, offset } = sliceOf(query);
  const own = db.selectFrom('report').where('reporter_id', '=', caller.accountId).where('deleted_at', 'is', null);
  const order = query.sortOrder === 'asc' ? 'asc' : 'desc';
  let wanted = own;
  if (query.status) wanted = wanted.where('status', '=', query.status);
  if (query.problem_type) wanted = wanted.where('problem_type', '=', query.problem_type);
  const [rows, { total }, { unread }] = await Promise.all([
    wanted.select('id').orderBy('created_at', order).orderBy('id', order).limit(limit).offset(offset).execute(),
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

/** How many open reports are overdue for a first response, counted up to 1000. */
export async function countOverdue(db: Db, now: Date): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*)::int as count from (
      select from report where deleted_at is null and is_listed and first_responded_at is null and awaited_at <= ${now} limit 1000
    ) overdue`.execute(db);
  return rows[0]?.count ?? 0;
}
