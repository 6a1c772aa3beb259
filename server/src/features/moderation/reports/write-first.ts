import type { MessageDescriptor } from '@lingui/core';
import { msg } from '@lingui/core/runtime-macro';
import type { AnswerInput, BodyOf, ParamsOf } from '#contract/endpoint.ts';
import { priorityOfType, type ReportType } from '#contract/moderation/reports.ts';
import type { writeToMember } from '#contract/moderation/staff-messages.ts';
import { audit } from '#platform/db/audit.ts';
import { AppError, notFound } from '#platform/http/app-error.ts';
import type { CommandContext } from '#platform/http/mount.ts';
import { notify } from '#platform/notify/notify.ts';
import { requireMayAct } from '#platform/session/access.ts';
import { textOf } from '#platform/texts.ts';
import { languageOf } from '../../auth/public.ts';
import type { StaffContext } from '../work/case-row.ts';
import { insertReport } from './file-report.ts';
import { dueAt, isUnanswered, paymentType } from './policy.ts';
import { insertEvent, type LockedReport, staffActor, updateReport } from './report-row.ts';

/**
 * Writes first to a member, within the current transaction. The conversation is a report of theirs that only they see until they answer.
 * 403 for a party; 404; 409 for staff, and for people who can't sign in to read it.
 */
export async function writeFirst(
  context: StaffContext,
  { id, text }: ParamsOf<typeof writeToMember> & BodyOf<typeof writeToMember>,
): Promise<AnswerInput<typeof writeToMember>['data']> {
  await requireMayAct(context.tx, context.caller, 'user', id);
  await requireReader(context, id);
  const reportId = await insertFirst(context, id, text);
  await audit(context, { type: 'user', id }, 'user.written', { changes: { report: { from: null, to: reportId } } });
  return { reportId };
}

async function insertFirst({ tx, caller, now }: StaffContext, id: string, text: string): Promise<string> {
  const type: ReportType = caller.staffRole === 'billing' ? paymentType : 'Account Issue';
  const priority = priorityOfType[type];
  const reportId = await insertReport(tx, {
    reporter_id: id,
    problem_type: type,
    description: text,
    first_priority: priority,
    priority,
    created_at: now,
    updated_at: now,
    due_at: dueAt(now, priority),
    unread_since: now,
    source: 'staff_message',
    opened_by: caller.accountId,
    opened_by_name: staffActor(caller).actor_name,
    opened_at: now,
    is_listed: false,
    awaits_staff: false,
  });
  await insertEvent(tx, { report_id: reportId, at: now, kind: 'filed', ...staffActor(caller), to_value: priority });
  await notify(tx, { accountId: id, kind: 'report', subjectId: reportId }, now);
  return reportId;
}

const fieldNames: Record<string, MessageDescriptor> = {
  firstName: msg`First name`,
  lastName: msg`Last name`,
  gender: msg`Gender`,
  bio: msg`About me`,
  location: msg`City`,
  birthDate: msg`Birth date`,
};

/** Notifies a member in their language which fields of their profile the caller changed. Colleagues and people who can't sign in get no message. */
export async function writeAboutEdit(context: StaffContext, id: string, fields: readonly string[]): Promise<void> {
  if ((await readerOf(context, id)).refusal !== undefined) return;
  const language = await languageOf(context.tx, id);
  const names = fields.flatMap((field) => fieldNames[field] ?? []).map((name) => textOf(name, {}, language));
  const changed = msg`Our team changed your profile: ${{ fields: names.join(', ') }}. If something is wrong, answer here.`;
  await insertFirst(context, id, textOf(changed, changed.values, language));
}

/** Locks the account, so that it isn't deactivated meanwhile. */
async function requireReader(context: StaffContext, id: string): Promise<void> {
  const { refusal } = await readerOf(context, id);
  if (refusal !== undefined) throw refusal;
}

async function readerOf({ tx }: StaffContext, id: string): Promise<{ refusal?: AppError }> {
  const member = await tx
    .selectFrom('account')
    .select(['staff_role', 'is_active', 'leaving_since'])
    .where('id', '=', id)
    .forNoKeyUpdate()
    .executeTakeFirst();
  if (member === undefined) return { refusal: notFound() };
  if (member.staff_role !== null)
    return { refusal: new AppError('CONFLICT', msg`This is a colleague. Write to them directly.`) };
  if (!member.is_active || member.leaving_since !== null)
    return { refusal: new AppError('CONFLICT', msg`This person cannot sign in, so they could not read it`) };
  return {};
}

/** Turns it into an ordinary report with the member's first answer, when its deadline starts. */
export async function listAnswered({ tx, now }: CommandContext, report: LockedReport): Promise<void> {
  if (!isUnanswered(report)) return;
  await updateReport(tx, report.id, { is_listed: true, created_at: now, due_at: dueAt(now, report.priority) });
}
