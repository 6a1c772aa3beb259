import { sql } from 'kysely';
import type { AnswerInput, QueryOf } from '#contract/endpoint.ts';
import { type listOutsiderReports, type OutsiderView, outsiderViews } from '#contract/moderation/outsider-reports.ts';
import { may } from '#contract/roles.ts';
import { countLists, type Db } from '#platform/db/db.ts';
import { afterPlace, cutPage, readCursor } from '#platform/db/page-cursor.ts';
import { isByOthers } from '#platform/session/access.policy.ts';
import { seenBy, type Staff } from '#platform/session/access.ts';
import { shownEmail, type Viewer } from '../../profiles/public.ts';
import type { OutsiderReport } from './outsider-report-row.ts';
import { isUrgent } from './policy.ts';

const countedMost = 100;
const defaultLimit = 25;

interface OutsiderReportRow extends OutsiderReport {
  case_id: string | null;
  sent: number;
  sort_at: Date;
}

type ListQuery = QueryOf<typeof listOutsiderReports>;

function toLine(row: OutsiderReportRow, viewer: Viewer) {
  return {
    _id: row.id,
    type: row.type,
    isUrgent: isUrgent(row.type),
    at: row.at,
    times: row.sent,
    address: row.address,
    person: row.person,
    where: row.place,
    text: row.body,
    name: row.name,
    email: row.email === null ? null : shownEmail({ ...viewer, isMasked: true }, row.email),
    plea: row.plea,
    closedBy: row.closed_by_name,
    canClose: may(viewer.staffRole, 'cases.handle') && row.list !== 'done' && isByOthers(viewer, row.closed_by),
    caseId: row.case_id,
  };
}

/**
 * The outsider reports in a list, without those in cases in which the viewer is a party. Of waiting ones with the same content only the
 * first is listed; each appealed one is listed separately. The name of the list is not a parameter, so that its index is used.
 */
const outsiderReportsIn = (
  view: OutsiderView,
  viewer: Staff,
) => sql`outsider_notice n left join report r on r.id = n.report_id
  where n.list = ${sql.lit(view)} and ${seenBy(viewer, 'decision', 'r.case_id')}
    and (n.list = 'done' or n.plea is not null or not exists (select from outsider_notice o where o.digest = n.digest
      and o.list = n.list and o.plea is null and (o.queue_at, o.id) < (n.queue_at, n.id)))`;

/** The outsider reports `n` that wait for this colleague. */
export const waitingOutsiderReports = (viewer: Staff) => outsiderReportsIn('waiting', viewer);

async function rowsOf(db: Db, viewer: Viewer, { view = 'waiting', cursor, limit = defaultLimit }: ListQuery) {
  const isDone = view === 'done';
  const sortAt = isDone ? sql`coalesce(n.closed_at, n.at)` : sql`n.queue_at`;
  const further = afterPlace(readCursor(cursor), sortAt, sql`n.id`, !isDone);
  const { rows } = await sql<OutsiderReportRow>`
    select n.*, r.case_id, ${sortAt} as sort_at, case when n.list = 'done' or n.plea is not null then n.times
      else (select sum(o.times)::int from outsider_notice o where o.digest = n.digest and o.list = n.list and o.plea is null) end as sent
    from ${outsiderReportsIn(view, viewer)} ${further}
    order by ${isDone ? sql`${sortAt} desc, n.id desc` : sql`${sortAt}, n.id`} limit ${limit + 1}`.execute(db);
  return cutPage(rows, limit, ({ sort_at, id }) => ({ at: sort_at, id }));
}

/** One page of a list of outsider reports, and the size of each list, counted up to 100. */
export async function outsiderReports(
  db: Db,
  viewer: Viewer,
  query: ListQuery,
): Promise<AnswerInput<typeof listOutsiderReports>['data']> {
  const { rows, nextCursor } = await rowsOf(db, viewer, query);
  const counts = await countLists(db, outsiderViews, (of) => outsiderReportsIn(of, viewer), countedMost);
  return { notices: rows.map((row) => toLine(row, viewer)), counts, nextCursor };
}
