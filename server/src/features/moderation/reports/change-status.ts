import { reportNoticeWaitSeconds } from '#contract/constants.ts';
import type { BodyOf, ParamsOf } from '#contract/endpoint.ts';
import type { ReportStatus, StaffReport, changeReportStatus } from '#contract/moderation/reports.ts';
import { AppError } from '../../../platform/http/app-error.ts';
import type { CommandContext } from '../../../platform/http/mount.ts';
import { addJob } from '../../../platform/jobs/jobs.ts';
import { type CaseRow, refuseIfHeld, syncCase } from '../cases/case-row.ts';
import { isHeldByOther, oneClickRefusal } from '../cases/policy.ts';
import { recordQuickDecision } from '../decisions/decide.ts';
import { isOutcome, judgeStep } from './policy.ts';
import { staffReport } from './reads.ts';
import {
  insertEvent,
  lockCaseOf,
  type LockedReport,
  recordOnReport,
  reportForStaff,
  staffActor,
  updateReport,
} from './report-row.ts';

/** Throws 409 with the report as it is. */
export async function refuseStep({ tx, caller, now }: CommandContext, id: string, message: string): Promise<never> {
  throw new AppError('ILLEGAL_STEP', message, { data: { report: await staffReport(tx, caller, id, now) } });
}

/** Throws 409 while a colleague has the case in hand, and where one click may not close it. */
async function checkCase(
  { tx, caller, now }: CommandContext,
  report: LockedReport,
  held: CaseRow,
  to: ReportStatus,
): Promise<void> {
  if (isHeldByOther(held, caller.accountId, now))
    refuseIfHeld(held, caller.accountId, now, { report: await staffReport(tx, caller, report.id, now) });
  const isRefusable = to === 'resolved' || to === 'rejected' || (isOutcome(to) && report.source === 'own_initiative');
  const refusal = isRefusable ? oneClickRefusal(held.critical_because, report.source) : null;
  if (refusal !== null)
    throw new AppError('DECISION_REQUIRED', refusal, {
      data: { report: await staffReport(tx, caller, report.id, now) },
    });
}

/**
 * Changes a report's status, checked against the current status under its lock. The same status again changes and records nothing. The
 * reporter is notified of an outcome after a delay unless it is undone. 404; 409 for an illegal step, while a
 * colleague has its case in hand, and for an outcome that needs a decision.
 */
export async function changeStatus(
  context: CommandContext,
  { id, status: to }: ParamsOf<typeof changeReportStatus> & BodyOf<typeof changeReportStatus>,
): Promise<StaffReport> {
  const { tx, caller, now } = context;
  const held = await lockCaseOf(tx, id);
  const report = await reportForStaff(tx, caller, id);
  const from = report.status;
  const step = judgeStep(from, to);
  if (step === 'illegal') return await refuseStep(context, id, `A report can't change from ${from} to ${to}`);
  if (step === 'legal') {
    if (held !== undefined) await checkCase(context, report, held, to);
    const isFirst = report.first_responded_at === null;
    await updateReport(tx, id, {
      status: to,
      updated_at: now,
      ...(isFirst ? { first_responded_at: now } : {}),
    });
    const eventId = await insertEvent(tx, {
      report_id: id,
      at: now,
      kind: 'status',
      ...staffActor(caller),
      from_value: from,
      to_value: to,
      was_first_response: isFirst,
    });
    await recordOnReport(context, id, { action: 'report.statusChanged', changes: { status: { from, to } } });
    if (to === 'resolved' || to === 'rejected') await recordQuickDecision(context, report);
    await syncCase(tx, report.case_id, now);
    if (isOutcome(to)) {
      const payload = { reportId: id, eventId };
      const once = { jobKey: `reports.notice ${id}`, delaySeconds: reportNoticeWaitSeconds };
      await addJob(tx, 'reports.notice', payload, once);
    }
  }
  return await staffReport(tx, caller, id, now);
}
