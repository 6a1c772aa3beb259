import type { Selectable } from 'kysely';
import { detectAll } from 'tinyld';
import type * as z from 'zod/mini';
import type { Language } from '#contract/languages.ts';
import { languages } from '#contract/profiles/profile-details.ts';
import type { CaseStage, CriticalReason } from '#contract/moderation/cases.ts';
import type { ownReportSchema, replySchema, ReportType } from '#contract/moderation/reports.ts';
import { isWithoutReporter, type ReportPerson, type staffReportSchema } from '#contract/moderation/staff-reports.ts';
import type { Database } from '#platform/db/schema.ts';
import { fullName } from '#platform/session/own-user.ts';
import { textOf } from '#platform/texts.ts';
import { type AddressViewer, emailFor, type Viewer } from '../../profiles/public.ts';
import { isLeasedByOther, oneClickRefusal } from '../work/policy.ts';
import { permissionsOn, undoUntil } from './policy.ts';

export type StaffReport = z.input<typeof staffReportSchema>;
export type OwnReport = z.input<typeof ownReportSchema>;
export type ReportReply = z.input<typeof replySchema>;

/** A report with the two people in it, if their accounts still exist. */
export interface ReportRow extends Omit<
  Selectable<Database['report']>,
  'search_text' | 'priority_rank' | 'awaited_at'
> {
  reporter_email: string | null;
  reporter_is_active: boolean | null;
  reporter_first_name: string | null;
  reporter_last_name: string | null;
  reporter_language: Language | null;
  reported_email: string | null;
  reported_is_active: boolean | null;
  reported_first_name: string | null;
  reported_last_name: string | null;
  case_stage: CaseStage | null;
  case_critical_because: CriticalReason | null;
  case_holder_id: string | null;
  case_holder_name: string | null;
  case_lease_until: Date | null;
  notices: NonNullable<StaffReport['notices']> | null;
}

export type ReplyRow = Selectable<Database['report_reply']>;

const unknownName = 'Unknown';
const goneName = 'Deleted user';
const teamName = 'Support team';

/** The reporter's display name; without a reporter, the colleague or the rule that opened the case. */
export function reporterName(row: ReportRow): string {
  if (isWithoutReporter(row.source)) return row.opened_by_name ?? teamName;
  return row.reporter_id === null
    ? goneName
    : (fullName(row.reporter_first_name, row.reporter_last_name) ?? unknownName);
}

/** The author of the description: the reporter or, by name only for staff, the colleague who opened the case or wrote first. */
export function authorName(row: ReportRow, isForStaff: boolean): string {
  if (row.source !== 'staff_message') return reporterName(row);
  return isForStaff ? (row.opened_by_name ?? teamName) : teamName;
}

function sharedPart(row: ReportRow, replies: ReportReply[]) {
  return {
    _id: row.id,
    problem_type: row.problem_type as ReportType,
    description: row.description,
    status: row.status,
    createdAt: row.created_at,
    updatedAt: row.updated_at,
    replies,
    replyCount: row.reply_count,
  };
}

/** A reply as the reporter sees it. It must not be an internal note. */
export function toOwnReply(row: ReplyRow, report: ReportRow): ReportReply {
  return {
    _id: row.id,
    message: row.message,
    isInternal: false,
    repliedBy: { name: row.author_role === 'reporter' ? reporterName(report) : teamName },
    repliedAt: row.created_at,
  };
}

/** A reply as staff see it. */
export function toStaffReply(row: ReplyRow, report: ReportRow): ReportReply {
  return {
    _id: row.id,
    message: row.message,
    isInternal: row.is_internal,
    repliedBy: { name: row.author_role === 'reporter' ? reporterName(report) : (row.author_name ?? teamName) },
    repliedAt: row.created_at,
  };
}

/** A report as its reporter sees it. `replies` must not contain internal notes. */
export function toOwnReport(row: ReportRow, replies: ReplyRow[]): OwnReport {
  return {
    ...sharedPart(
      row,
      replies.filter((reply) => !reply.is_internal).map((reply) => toOwnReply(reply, row)),
    ),
    priority: row.first_priority,
    user: { _id: row.reporter_id ?? '', name: reporterName(row), email: row.reporter_email ?? '' },
    reportedUser: row.named_id === null ? null : { _id: row.named_id, name: row.named_name },
    isUnread: row.unread_since !== null,
    isFromTeam: row.source === 'staff_message',
  };
}

const emailOf = (viewer: AddressViewer, id: string | null, email: string | null) =>
  id === null || email === null ? null : emailFor(viewer, id, email);

/** The reporter as staff see them. */
export function toReporter(row: ReportRow, viewer: AddressViewer): ReportPerson {
  return {
    _id: row.reporter_id,
    name: reporterName(row),
    email: emailOf(viewer, row.reporter_id, row.reporter_email),
    isActive: row.reporter_is_active ?? false,
    ...(row.reporter_language !== null && { language: row.reporter_language }),
  };
}

/** The reported person as staff see them; null if the report isn't about a person. */
export function toReported(row: ReportRow, viewer: AddressViewer): ReportPerson | null {
  if (row.reported_id === null && row.reported_alias === null && row.named_id === null) return null;
  const isGone = row.reported_id === null;
  const name = fullName(row.reported_first_name, row.reported_last_name) ?? unknownName;
  return {
    _id: row.reported_id,
    name: isGone ? (row.reported_alias === null ? unknownName : goneName) : name,
    email: emailOf(viewer, row.reported_id, row.reported_email),
    isActive: row.reported_is_active ?? false,
  };
}

/** The fields of a report's case that determine what may be done with the report. */
function toCaseOfReport(row: ReportRow, viewer: Viewer, now: Date): StaffReport['case'] {
  const lease = {
    stage: row.case_stage ?? 'open',
    holder_id: row.case_holder_id,
    lease_until: row.case_lease_until,
  };
  const refusal = oneClickRefusal(row.case_critical_because, row.source);
  return {
    _id: row.case_id ?? '',
    handledBy: isLeasedByOther(lease, viewer.accountId, now) ? row.case_holder_name : null,
    needsDecision: refusal && textOf(refusal),
  };
}

/** A report as staff see it; `changedAt` is when the viewer last changed the status, if that can still be undone. */
export function toStaffReport(
  { viewer, now }: { viewer: AddressViewer; now: Date },
  row: ReportRow,
  replies: ReplyRow[],
  changedAt: Date | null,
): StaffReport {
  return {
    ...sharedPart(
      row,
      replies.map((reply) => toStaffReply(reply, row)),
    ),
    priority: row.priority,
    user: toReporter(row, viewer),
    reportedUser: toReported(row, viewer),
    mayBeMinor: row.may_be_minor,
    source: row.source,
    ...(row.notices !== null && { notices: row.notices }),
    openedBy: row.opened_by === null ? null : { _id: row.opened_by, name: row.opened_by_name ?? unknownName },
    dueAt: row.due_at,
    isOverdue: row.first_responded_at === null && row.due_at < now,
    firstRespondedAt: row.first_responded_at,
    awaitsStaff: row.awaits_staff,
    ...(row.case_id !== null && { case: toCaseOfReport(row, viewer, now) }),
    can: {
      ...permissionsOn(viewer.staffRole, row),
      undoUntil: changedAt && undoUntil(changedAt),
    },
  };
}

/** Fewer letters can be in any language; more than the first characters take longer and change nothing. */
const detection = { minLetters: 20, maxLength: 300, minLead: 1.5 };

/** The likely language of a text, ignoring numbers, account names and URLs; null if that is unsure. */
function detectedLanguage(text: string): string | null {
  const parts = text.slice(0, detection.maxLength).split(/\s+/);
  const words = parts.filter((part) => !/[\d@/]/.test(part)).join(' ');
  if ((words.match(/\p{L}/gu)?.length ?? 0) < detection.minLetters) return null;
  const [best, next] = detectAll(words);
  if (best === undefined || best.accuracy < detection.minLead * (next?.accuracy ?? 0)) return null;
  return languages.find((one) => one === best.lang) ?? null;
}

/** A report with its likely language. Lists don't have it, because each detection takes about a millisecond. */
export const withLanguage = (report: StaffReport): StaffReport => ({
  ...report,
  language: detectedLanguage(report.description),
});
