import { type RawBuilder, sql } from 'kysely';
import type * as z from 'zod/mini';
import { isWithoutReporter } from '#contract/moderation/staff-reports.ts';
import type { getReportFile, reportHistorySchema, timelineSchema } from '#contract/moderation/report-file.ts';
import { reportUndoSeconds } from '#contract/constants.ts';
import { audit } from '#platform/db/audit.ts';
import type { Caller } from '#platform/session/caller.ts';
import { notFound } from '#platform/http/app-error.ts';
import { secondsAfter } from '#platform/process/clock.ts';
import { type Db, inTransaction, planHint } from '#platform/db/db.ts';
import { requireMaySee, seenBy, withInvolvement } from '#platform/session/access.ts';
import { type AddressViewer, addressesShown, noteAddresses, type Viewer } from '../../profiles/public.ts';
import {
  authorName,
  type OwnReport,
  type ReplyRow,
  reporterName,
  type ReportReply,
  type ReportRow,
  type StaffReport,
  toOwnReply,
  toOwnReport,
  toReported,
  toReporter,
  toStaffReply,
  toStaffReport,
  withLanguage,
} from './views.ts';
import type { AnswerInput } from '#contract/endpoint.ts';
import { may, type Permission, reportScopes } from '#contract/roles.ts';
import { safetyTypes } from '../work/policy.ts';
import { isInScope, isUnanswered, paymentType } from './policy.ts';
import { evidenceOf, type EvidenceReader } from './evidence.ts';
import { storedText } from '#platform/texts.ts';

interface Shown {
  replies: number;
  characters: number;
}

/** How much of its replies a single report shows, and how much a row of a list, which is fetched often. */
const alone: Shown = { replies: 50, characters: 5000 };
const amongMany: Shown = { replies: 3, characters: 500 };

/** The additional outsider reports that belong to a report from outside. */
const otherOutsiderReports = sql`case when r.source = 'outsider' then (
  select jsonb_agg(n) from (
    select type, concat_ws(E'\\n\\nWhere: ', body, place) as text, to_char(max(at) at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as at
    from outsider_notice where report_id = r.id group by 1, 2
    having concat_ws(E'\\n\\nWhere: ', body, place) <> r.description order by max(at) desc limit 50) n) end`;

/** The reports with these ids and their people, in the order of the ids. */
async function reportRows(db: Db, ids: string[]): Promise<ReportRow[]> {
  if (ids.length === 0) return [];
  const { rows } = await sql<ReportRow>`
    select r.*, a.email as reporter_email, a.is_active and a.leaving_since is null as reporter_is_active, a.language as reporter_language, f.first_name as reporter_first_name,
      f.last_name as reporter_last_name, b.email as reported_email, b.is_active and b.leaving_since is null as reported_is_active,
      g.first_name as reported_first_name, g.last_name as reported_last_name, c.stage as case_stage,
      c.critical_because as case_critical_because, c.holder_id as case_holder_id, c.holder_name as case_holder_name,
      c.lease_until as case_lease_until, ${otherOutsiderReports} as notices
    from (select unnest(${ids}::uuid[]) as id ${planHint(ids)}) asked join report r on r.id = asked.id
      left join account a on a.id = r.reporter_id left join profile f on f.account_id = r.reporter_id
      left join account b on b.id = r.reported_id left join profile g on g.account_id = r.reported_id
      left join moderation_case c on c.id = r.case_id
    where r.deleted_at is null`.execute(db);
  const byId = new Map(rows.map((row) => [row.id, row]));
  return ids.flatMap((id) => byId.get(id) ?? []);
}

/** The newest replies of each report, oldest first, limited by `shown`. Internal notes are included only with `withInternal`. */
async function newestReplies(
  db: Db,
  ids: string[],
  withInternal: boolean,
  shown: Shown,
): Promise<Map<string, ReplyRow[]>> {
  const isWanted: RawBuilder<boolean> = withInternal ? sql`true` : sql`not is_internal`;
  const { rows } = await sql<ReplyRow>`
    select y.id, y.seq, y.report_id, left(y.message, ${shown.characters}) as message, y.is_internal, y.author_id,
      y.author_role, y.author_name, y.created_at
    from (select unnest(${ids}::uuid[]) as id ${planHint(ids)}) wanted
      cross join lateral (
        select * from report_reply where report_id = wanted.id and ${isWanted} order by seq desc limit ${shown.replies}
      ) y order by y.seq`.execute(db);
  return Map.groupBy(rows, ({ report_id }) => report_id);
}

/** When the viewer last changed the status of each report, if that is the newest change and can still be undone. */
async function undoable(db: Db, ids: string[], viewer: Viewer, now: Date): Promise<Map<string, Date>> {
  const { rows } = await sql<{ report_id: string; at: Date }>`
    select e.report_id, e.at from (select unnest(${ids}::uuid[]) as id ${planHint(ids)}) wanted
      cross join lateral (
        select * from report_event where report_id = wanted.id and kind = 'status' order by id desc limit 1
      ) e
    where e.actor_id = ${viewer.accountId}::uuid and e.undone_at is null
      and e.at >= ${secondsAfter(now, -reportUndoSeconds)}`.execute(db);
  return new Map(rows.map(({ report_id, at }) => [report_id, at]));
}

/** Who reads reports. */
export interface ReportReader {
  db: Db;
  viewer: Viewer;
  now: Date;
  /** Returns the people whose addresses an answer shows; by default those that the viewer may see anyway. */
  shownTo?: (people: readonly string[]) => Promise<ReadonlySet<string>>;
}

/** List rows for staff, in the order of the ids, with the start of the newest public replies. */
export async function staffReports(reader: ReportReader, ids: string[]): Promise<StaffReport[]> {
  const { db } = reader;
  const [rows, replies] = [await reportRows(db, ids), await newestReplies(db, ids, false, amongMany)];
  return await seenByStaff(reader, rows, replies);
}

async function addressViewer({ db, viewer, now, shownTo }: ReportReader, rows: ReportRow[]): Promise<AddressViewer> {
  const people = [...new Set(rows.flatMap((row) => [row.reporter_id ?? [], row.reported_id ?? []].flat()))];
  const shownAddresses = await (shownTo ?? ((ids) => addressesShown({ db, caller: viewer, now }, ids)))(people);
  return { ...(await withInvolvement(db, viewer)), shownAddresses };
}

async function seenByStaff(
  reader: ReportReader,
  rows: ReportRow[],
  replies: Map<string, ReplyRow[]>,
): Promise<StaffReport[]> {
  const { db, viewer, now } = reader;
  const ids = rows.map(({ id }) => id);
  const changes = await undoable(db, ids, viewer, now);
  const staff = await addressViewer(reader, rows);
  return rows.map((row) =>
    toStaffReport({ viewer: staff, now }, row, replies.get(row.id) ?? [], changes.get(row.id) ?? null),
  );
}

/** List rows for the reporter, in the order of the ids, with the start of the newest replies. */
export async function ownReports(db: Db, ids: string[]): Promise<OwnReport[]> {
  const [rows, replies] = [await reportRows(db, ids), await newestReplies(db, ids, false, amongMany)];
  return rows.map((row) => toOwnReport(row, replies.get(row.id) ?? []));
}

/** The condition for the reports of the viewer's role. */
export function scopeOf({ staffRole }: Viewer): RawBuilder<boolean> {
  switch (staffRole === null ? undefined : reportScopes[staffRole]) {
    case 'payment':
      return sql`problem_type = ${paymentType}`;
    case 'nonSafety':
      return sql`not may_be_minor and problem_type <> all (${safetyTypes}::text[])`;
    default:
      return sql`true`;
  }
}

/** One report for staff. Throws 404 if it is deleted or about the viewer. */
export async function staffReport(db: Db, viewer: Viewer, id: string, now: Date): Promise<StaffReport> {
  const row = await seenRow(db, viewer, id);
  const [report] = await seenByStaff({ db, viewer, now }, [row], await newestReplies(db, [row.id], true, alone));
  if (report === undefined) throw notFound();
  return withLanguage(report);
}

/** The caller's own report. Throws 404 for any other. */
export async function ownReport(db: Db, caller: Caller, id: string): Promise<OwnReport> {
  const row = await seenRow(db, { ...caller, staffRole: null }, id);
  const replies = await newestReplies(db, [row.id], false, alone);
  return toOwnReport(row, replies.get(row.id) ?? []);
}

/** The caller's role for one report. Staff act as members on reports they filed, and on all reports without the permission. */
export async function asOn(db: Db, caller: Caller, id: string, permission: Permission): Promise<Caller> {
  if (!may(caller.staffRole, permission)) return { ...caller, staffRole: null };
  const report = await db.selectFrom('report').select('reporter_id').where('id', '=', id).executeTakeFirst();
  return report?.reporter_id === caller.accountId ? { ...caller, staffRole: null } : caller;
}

/**
 * A report the viewer may see: staff see those of their role, members their own. Throws 404 otherwise, and 403 for staff who are a party.
 */
async function seenRow(db: Db, viewer: Viewer, id: string): Promise<ReportRow> {
  const [row] = await reportRows(db, [id]);
  const isOwn = row?.reporter_id === viewer.accountId;
  const isSeen = isOwn || (viewer.staffRole !== null && row !== undefined && isSeenByStaff(viewer, row));
  if (row === undefined || !isSeen || !isInScope(viewer.staffRole, row)) throw notFound();
  if (viewer.staffRole !== null) await requireMaySee(db, viewer, 'report', id);
  return row;
}

/**
 * Whether staff may read a report: an unanswered message to a member is open only to its sender and senior moderators, a case without a
 * reporter only to roles that see cases.
 */
function isSeenByStaff({ accountId, staffRole }: Viewer, row: ReportRow): boolean {
  if (isUnanswered(row)) return row.opened_by === accountId || may(staffRole, 'cases.lead');
  return !isWithoutReporter(row.source) || may(staffRole, 'cases.list');
}

/** The conversation of a report, oldest first, starting with its description. Throws 404 if the viewer may not see it. */
async function conversationSeenBy(db: Db, viewer: Viewer, id: string): Promise<ReportReply[]> {
  const report = await seenRow(db, viewer, id);
  const isStaff = viewer.staffRole !== null;
  let query = db.selectFrom('report_reply').selectAll().where('report_id', '=', report.id).orderBy('seq');
  if (!isStaff) query = query.where('is_internal', '=', false);
  const rows = await query.execute();
  return [
    {
      _id: report.id,
      message: report.description,
      isInternal: false,
      repliedBy: { name: authorName(report, isStaff) },
      repliedAt: report.opened_at ?? report.created_at,
    },
    ...rows.map((row) => (isStaff ? toStaffReply(row, report) : toOwnReply(row, report))),
  ];
}

/** One report as the caller may see it; access by staff is audited. Throws 404 if they may not see it. */
export async function openReport(db: Db, caller: Caller, id: string, now: Date): Promise<StaffReport | OwnReport> {
  const { staffRole } = await asOn(db, caller, id, 'reports.list');
  if (staffRole === null) return await ownReport(db, caller, id);
  return await inTransaction(db, async (tx) => {
    const report = await staffReport(tx, caller, id, now);
    await audit({ tx, caller, now }, { type: 'report', id }, 'report.read');
    return report;
  });
}

/** The conversation of a report, oldest first, starting with its description; audited like `openReport`. Throws 404. */
export async function openConversation(db: Db, caller: Caller, id: string, now: Date): Promise<ReportReply[]> {
  return await inTransaction(db, async (tx) => {
    const viewer = await asOn(tx, caller, id, 'reports.list');
    const conversation = await conversationSeenBy(tx, viewer, id);
    if (viewer.staffRole !== null) await audit({ tx, caller, now }, { type: 'report', id }, 'report.read');
    return conversation;
  });
}

/** All reports a member filed, in their view, with all public replies; newest first. Used for the data export. */
export async function reportsFiledBy(db: Db, accountId: string): Promise<OwnReport[]> {
  const filed = await db
    .selectFrom('report')
    .select('id')
    .where('reporter_id', '=', accountId)
    .where('deleted_at', 'is', null)
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .execute();
  const ids = filed.map(({ id }) => id);
  const replies: ReplyRow[] =
    ids.length === 0
      ? []
      : await db
          .selectFrom('report_reply')
          .selectAll()
          .where('report_id', 'in', ids)
          .where('is_internal', '=', false)
          .orderBy('seq')
          .execute();
  const byReport = Map.groupBy(replies, ({ report_id }) => report_id);
  return (await reportRows(db, ids)).map((row) => toOwnReport(row, byReport.get(row.id) ?? []));
}

type ReportHistory = z.input<typeof reportHistorySchema>;

const shownLines = 10;
const shownSanctions = 20;

/** A report with everything staff need to decide it: evidence, timeline, and the history of both people. Writes an audit row. Throws 404. */
export async function openReportFile(
  context: EvidenceReader,
  { id }: { id: string },
): Promise<AnswerInput<typeof getReportFile>['data']> {
  const { tx, caller, now } = context;
  const row = await seenRow(tx, caller, id);
  await audit(context, { type: 'report', id }, 'report.read');
  const shownTo = (people: readonly string[]) => noteAddresses({ db: tx, caller, now }, people);
  const viewer = await addressViewer({ db: tx, viewer: caller, now, shownTo }, [row]);
  return {
    report: await staffReport(tx, caller, id, now),
    evidence: await evidenceOf(context, id),
    timeline: await timelineOf(tx, row),
    reporter: await historyOfReporter(tx, row, viewer),
    reported: await historyOfReported(tx, row, viewer),
  };
}

/** The events of a report, oldest first. */
async function timelineOf(db: Db, report: ReportRow): Promise<z.input<typeof timelineSchema>[]> {
  const rows = await db
    .selectFrom('report_event')
    .selectAll()
    .where('report_id', '=', report.id)
    .orderBy('id')
    .execute();
  return rows.map((row) => ({
    _id: row.id,
    at: row.at,
    actor: {
      name: row.actor_role === 'reporter' ? reporterName(report) : storedText(row.actor_name ?? ''),
      role: row.actor_role,
    },
    kind: row.kind,
    from: row.from_value,
    to: row.to_value,
    reason: row.reason && storedText(row.reason),
  }));
}

/** The reporter's history: identity, reports by and about them, and sanctions. */
async function historyOfReporter(db: Db, report: ReportRow, viewer: AddressViewer): Promise<ReportHistory> {
  const person = toReporter(report, viewer);
  const identity = { id: report.reporter_id, alias: report.reporter_alias };
  return { person, ...(await historyBehind(db, viewer, identity, report.id)) };
}

/** The reported person's history; null if the report isn't about a person. */
async function historyOfReported(db: Db, report: ReportRow, viewer: AddressViewer): Promise<ReportHistory | null> {
  const person = toReported(report, viewer);
  if (person === null) return null;
  const identity = { id: report.reported_id, alias: report.reported_alias };
  return { person, ...(await historyBehind(db, viewer, identity, report.id)) };
}

async function historyBehind(
  db: Db,
  viewer: Viewer,
  { id, alias }: Record<'id' | 'alias', string | null>,
  exceptId: string,
): Promise<Omit<ReportHistory, 'person'>> {
  const isPerson = (column: 'reporter' | 'reported') =>
    id === null
      ? sql<boolean>`${sql.ref(`${column}_alias`)} = ${alias}::uuid`
      : sql<boolean>`${sql.ref(`${column}_id`)} = ${id}::uuid`;
  return {
    joinedAt: id === null ? null : await joinedAt(db, id),
    filed: await earlier(db, viewer, isPerson('reporter'), exceptId),
    about: await earlier(db, viewer, isPerson('reported'), exceptId),
    sanctions: id === null ? [] : await sanctionsOf(db, id),
  };
}

async function joinedAt(db: Db, id: string) {
  const account = await db.selectFrom('account').select('created_at').where('id', '=', id).executeTakeFirst();
  return account?.created_at ?? null;
}

/** Other reports in the viewer's scope. Reports about the viewer are left out, because they would name the person who filed them. */
async function earlier(db: Db, viewer: Viewer, isPerson: RawBuilder<boolean>, exceptId: string) {
  const others = db
    .selectFrom('report')
    .where(isPerson)
    .where(scopeOf(viewer))
    .where(seenBy(viewer, 'report', 'report'))
    .where('deleted_at', 'is', null)
    .where('is_listed', '=', true)
    .where('id', '<>', exceptId);
  const { total } = await others.select((eb) => eb.fn.countAll<string>().as('total')).executeTakeFirstOrThrow();
  const newest = await others
    .select(['id as _id', 'problem_type', 'priority', 'status', 'created_at as createdAt'])
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .limit(shownLines)
    .$castTo<ReportHistory['filed']['newest'][number]>()
    .execute();
  return { total: Number(total), newest };
}

async function sanctionsOf(db: Db, id: string): Promise<ReportHistory['sanctions']> {
  return await db
    .selectFrom('audit_event')
    .select(['at', 'action', 'actor_name as by', 'reason'])
    .where('target_id', '=', id)
    .where('action', 'in', ['user.deactivated', 'user.activated'])
    .orderBy('id', 'desc')
    .limit(shownSanctions)
    .$castTo<ReportHistory['sanctions'][number]>()
    .execute();
}
