import type { BodyOf, ParamsOf } from '#contract/endpoint.ts';
import type { ReportPriority } from '#contract/moderation/reports.ts';
import type { changeReport } from '#contract/moderation/staff-reports.ts';
import { audit } from '#platform/db/audit.ts';
import type { CommandContext } from '#platform/http/mount.ts';
import { settle } from '#platform/notify/notify.ts';
import { type StaffContext, syncCase } from '../work/case-row.ts';
import { dueAt } from './policy.ts';
import { ownReport, staffReport } from './reads.ts';
import { insertEvent, lockCaseOf, type LockedReport, reportForStaff, staffActor, updateReport } from './report-row.ts';
import type { OwnReport, StaffReport } from './views.ts';

/** Sets the priority of a locked report and with it the response deadline. */
export async function setPriority(
  { tx, caller, now }: StaffContext,
  { id, priority: from, created_at }: LockedReport,
  to: ReportPriority,
  reason: string,
): Promise<void> {
  await updateReport(tx, id, { priority: to, due_at: dueAt(created_at, to) });
  const event = { report_id: id, at: now, kind: 'priority', from_value: from, to_value: to, reason } as const;
  await insertEvent(tx, { ...event, ...staffActor(caller) });
}

/** Changes a report's priority and with it the response deadline. Setting the same priority again records nothing. Throws 404. */
export async function changePriority(
  context: CommandContext,
  { id, priority: to, reason }: ParamsOf<typeof changeReport> & BodyOf<typeof changeReport>,
): Promise<StaffReport> {
  const { tx, caller, now } = context;
  await lockCaseOf(tx, id);
  const report = await reportForStaff(tx, caller, id);
  const { priority: from, case_id } = report;
  if (from !== to) {
    await setPriority(context, report, to, reason);
    const changes = { priority: { from, to } };
    await audit(context, { type: 'report', id }, 'report.priorityChanged', { reason, changes });
    await syncCase(context, case_id);
  }
  return await staffReport(tx, caller, id, now);
}

/** Deletes a report from all lists and responses; its data stays in the database. Throws 404, even the second time. */
export async function deleteReport(context: CommandContext, { id }: { id: string }): Promise<void> {
  const { tx, caller, now } = context;
  await lockCaseOf(tx, id);
  const { case_id } = await reportForStaff(tx, caller, id);
  await updateReport(tx, id, { deleted_at: now });
  await syncCase(context, case_id);
  await audit(context, { type: 'report', id }, 'report.deleted');
}

/** Marks the caller's own report as read. Throws 404 for any other. */
export async function markRead({ tx, caller, now }: CommandContext, { id }: { id: string }): Promise<OwnReport> {
  const report = await ownReport(tx, caller, id);
  await updateReport(tx, id, { unread_since: null });
  await settle(tx, { accountId: caller.accountId, kind: 'report', subjectId: id }, now);
  return { ...report, isUnread: false };
}
