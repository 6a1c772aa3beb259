import { type RawBuilder, sql } from 'kysely';
import { startCountMost, startRowsMax, type StartList, type StartRow } from '#contract/moderation/start.ts';
import { may, reportScopes } from '#contract/roles.ts';
import { involves, scopeOf, staffReports } from '../reports/reads.ts';
import { soonAt } from './cases.reads.ts';
import { reportRow, type StartPart, type StartReader } from './rows.ts';

/** A report by its id, and whether it belongs to the more pressing of two sections. */
interface Found {
  id: string;
  is_pressing: boolean;
}

/** The ids of reports of the viewer's role that match, up to the number to which they are counted. */
async function reportsWhere(
  { db, viewer }: StartReader,
  { where, order, isPressing }: Record<'where' | 'order' | 'isPressing', RawBuilder<unknown>>,
): Promise<Found[]> {
  const { rows } = await sql<Found>`
    select id, ${isPressing} as is_pressing from report
    where deleted_at is null and is_listed and ${where} and ${scopeOf(viewer)} and ${involves(viewer)} is not true
    order by ${order} limit ${startCountMost}`.execute(db);
  return rows;
}

/** The open reports assigned to the viewer; pressing are those whose member has written last. */
export async function assignedReports(reader: StartReader): Promise<Found[]> {
  const { accountId, staffRole } = reader.viewer;
  if (!may(staffRole, 'reports.handle')) return [];
  return await reportsWhere(reader, {
    where: sql`opened_by = ${accountId}::uuid and status in ('pending', 'in_progress')`,
    order: sql`created_at, id`,
    isPressing: sql`awaits_staff`,
  });
}

/**
 * The reports that no one has answered; pressing are those that are overdue or due soon. Roles that see cases get only these, and only those
 * without a case, because the case is what is due. To the others, such as support, every new report was handed.
 */
export async function unansweredReports(reader: StartReader): Promise<Found[]> {
  const { accountId, staffRole } = reader.viewer;
  if (!may(staffRole, 'reports.list')) return [];
  const soon = sql`${soonAt(reader.now)}::timestamptz`;
  const isOfRole = staffRole !== null && reportScopes[staffRole] !== undefined;
  const range = isOfRole ? sql`awaited_at < 'infinity'` : sql`awaited_at < ${soon}`;
  return await reportsWhere(reader, {
    where: sql`first_responded_at is null and ${range} and opened_by is distinct from ${accountId}::uuid
      and (case_id is null or not ${may(staffRole, 'cases.list')})`,
    order: sql`awaited_at, created_at desc, id desc`,
    isPressing: sql`awaited_at < ${soon}`,
  });
}

/** A part of the reports that are pressing, or of those that are not. */
export async function reportsPart(
  { db, viewer, now }: StartReader,
  { found, isPressing, what, list }: { found: Found[]; isPressing: boolean; what: StartRow['what']; list: StartList },
): Promise<StartPart> {
  const ids = found.filter(({ is_pressing }) => is_pressing === isPressing).map(({ id }) => id);
  if (ids.length === 0) return { rows: [], count: 0 };
  const reports = await staffReports(db, viewer, ids.slice(0, startRowsMax), now);
  return { rows: reports.map((report) => reportRow(report, what)), count: ids.length, lists: [list] };
}
