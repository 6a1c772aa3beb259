import type { MessageDescriptor } from '@lingui/core';
import { msg } from '@lingui/core/runtime-macro';
import { sql } from 'kysely';
import { reportOutcomeWaitSeconds } from '#contract/constants.ts';
import type { BodyOf, ParamsOf } from '#contract/endpoint.ts';
import type { ReportStatus } from '#contract/moderation/reports.ts';
import { type changeReportStatus, isWithoutReporter } from '#contract/moderation/staff-reports.ts';
import { AppError } from '#platform/http/app-error.ts';
import type { CommandContext } from '#platform/http/mount.ts';
import { addJob } from '#platform/jobs/jobs.ts';
import type { Db } from '#platform/db/db.ts';
import { type CaseRow, refuseLeased, syncCase } from '../work/case-row.ts';
import { isLeasedByOther, oneClickRefusal } from '../work/policy.ts';
import { isOutcome, judgeStep, undoUntil } from './policy.ts';
import { staffReport } from './reads.ts';
import {
  actOnReport,
  lastStatusChange,
  lockCaseOf,
  type LockedReport,
  reportForStaff,
  updateReport,
} from './report-row.ts';
import type { StaffReport } from './views.ts';

/** Throws 409 with the report as it is. */
async function refuseStep({ tx, caller, now }: CommandContext, id: string, text: MessageDescriptor): Promise<never> {
  throw new AppError('ILLEGAL_STEP', text, { data: { report: await staffReport(tx, caller, id, now) } });
}

/** Throws 409 while a colleague has the case, and if the report may not be closed with one click. */
async function checkCase(
  { tx, caller, now }: CommandContext,
  report: LockedReport,
  caseRow: CaseRow,
  to: ReportStatus,
): Promise<void> {
  if (isLeasedByOther(caseRow, caller.accountId, now))
    refuseLeased(caseRow, caller.accountId, now, { report: await staffReport(tx, caller, report.id, now) });
  const isRefusable = to === 'resolved' || to === 'rejected' || (isOutcome(to) && isWithoutReporter(report.source));
  const refusal = isRefusable ? oneClickRefusal(caseRow.critical_because, report.source) : null;
  if (refusal !== null)
    throw new AppError('DECISION_REQUIRED', refusal, {
      data: { report: await staffReport(tx, caller, report.id, now) },
    });
}

/**
 * Changes a report's status, checked against the current status under its lock. Setting the same status again changes and records nothing.
 * The reporter is notified of an outcome after a delay unless it is undone. Throws 404; 409 for an illegal step, while a colleague has its
 * case, and for an outcome that needs a decision.
 */
export async function changeStatus(
  context: CommandContext,
  { id, status: to }: ParamsOf<typeof changeReportStatus> & BodyOf<typeof changeReportStatus>,
): Promise<StaffReport> {
  const { tx, deps, caller, now } = context;
  const caseRow = await lockCaseOf(tx, id);
  const report = await reportForStaff(tx, caller, id);
  const from = report.status;
  const step = judgeStep(from, to);
  if (step === 'illegal')
    return await refuseStep(context, id, msg`A report can't change from ${{ from }} to ${{ to }}`);
  if (step === 'legal') {
    if (caseRow !== undefined) await checkCase(context, report, caseRow, to);
    const isFirst = report.first_responded_at === null;
    await updateReport(tx, id, {
      status: to,
      updated_at: now,
      ...(isFirst ? { first_responded_at: now } : {}),
    });
    const eventId = await actOnReport(context, id, 'status', {
      from_value: from,
      to_value: to,
      was_first_response: isFirst,
      ...(isOutcome(to) && { notice_due_since: now }),
    });
    if (to === 'resolved' || to === 'rejected')
      await deps.emit(tx, 'closedInOneClick', { reportId: id, caseId: report.case_id, by: caller, now });
    await syncCase(context, report.case_id);
    if (isOutcome(to)) {
      const payload = { reportId: id, eventId };
      const once = { jobKey: `reports.notice ${id}`, delaySeconds: reportOutcomeWaitSeconds };
      await addJob(tx, 'reports.notice', payload, once);
    }
  }
  return await staffReport(tx, caller, id, now);
}

/**
 * Undoes the caller's own newest status change within ten seconds. Throws 404, and 409 if it is too late, another person's change, or
 * already undone.
 */
export async function undoStatus(context: CommandContext, { id }: { id: string }): Promise<StaffReport> {
  const { tx, deps, caller, now } = context;
  await lockCaseOf(tx, id);
  const report = await reportForStaff(tx, caller, id);
  const change = await lastStatusChange(tx, id);
  if (
    change === undefined ||
    change.undone_at !== null ||
    change.actor_id !== caller.accountId ||
    now > undoUntil(change.at) ||
    (await isDecided(tx, id, change.at))
  ) {
    return await refuseStep(context, id, msg`There is no change of yours that can still be undone`);
  }
  const [from, to] = [change.to_value as ReportStatus, change.from_value as ReportStatus];
  await tx.updateTable('report_event').set({ undone_at: now }).where('id', '=', change.id).execute();
  await updateReport(tx, id, {
    status: to,
    updated_at: await lastPublicMoment(tx, id),
    ...(change.was_first_response ? { first_responded_at: await firstStaffReplyAt(tx, id) } : {}),
  });
  await actOnReport(context, id, 'undone', { from_value: from, to_value: to });
  await deps.emit(tx, 'oneClickUndone', { reportId: id, now });
  await syncCase(context, report.case_id);
  return await staffReport(tx, caller, id, now);
}

/** Whether a decision with reasons was made on a report at exactly this time, which can be undone only by reopening its case. */
async function isDecided(tx: Db, id: string, at: Date): Promise<boolean> {
  const decision = await tx
    .selectFrom('case_decision')
    .innerJoin('case_decision_report', 'decision_id', 'case_decision.id')
    .select('case_decision.id')
    .where('report_id', '=', id)
    .where('kind', '=', 'full')
    .where('decided_at', '=', at)
    .executeTakeFirst();
  return decision !== undefined;
}

/** When the last event visible to the reporter happened. */
async function lastPublicMoment(tx: Db, reportId: string): Promise<Date> {
  const { rows } = await sql<{ at: Date }>`
    select greatest(r.created_at,
      (select max(created_at) from report_reply where report_id = r.id and not is_internal),
      (select max(at) from report_event where report_id = r.id and kind = 'status' and undone_at is null)) as at
    from report r where r.id = ${reportId}::uuid`.execute(tx);
  return rows[0]?.at ?? new Date(0);
}

/** When staff first replied publicly, or null. */
async function firstStaffReplyAt(tx: Db, reportId: string): Promise<Date | null> {
  const { at } = await tx
    .selectFrom('report_reply')
    .select((eb) => eb.fn.min('created_at').as('at'))
    .where('report_id', '=', reportId)
    .where('is_internal', '=', false)
    .where('author_role', '<>', 'reporter')
    .executeTakeFirstOrThrow();
  return at;
}
