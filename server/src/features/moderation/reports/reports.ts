import { reportNoticeWaitSeconds } from '#contract/constants.ts';
import type { ReportPriority, ReportStatus, StaffReport } from '#contract/moderation/report.ts';
import { isUuid } from '../../../platform/session/access-token.ts';
import { AppError, notFound } from '../../../platform/http/app-error.ts';
import { actorOf, writeAudit, type AuditEntry } from '../../../platform/db/audit.ts';
import type { Caller } from '../../../platform/session/caller.ts';
import { inTransaction, type Db } from '../../../platform/db/db.ts';
import { addJob } from '../../../platform/jobs/jobs.ts';
import { dueAt, isOutcome, judgeStep, undoUntil } from './policy.ts';
import {
  firstStaffReplyAt,
  insertEvent,
  lastPublicMoment,
  lastStatusChange,
  lockReport,
  updateReport,
  type LockedReport,
} from './queries.ts';
import { staffReport } from './reads.ts';

/** The role under which a member of staff acts on a report. */
export const staffActor = (caller: Caller) => ({
  actor_id: caller.accountId,
  actor_role: caller.staffRole ?? ('reporter' as const),
  actor_name: actorOf(caller).name,
});

/** A report as staff may work on it: not deleted, neither theirs nor about them; otherwise 404. Held until the transaction ends. */
export async function reportForStaff(tx: Db, caller: Caller, id: string): Promise<LockedReport> {
  const report = isUuid(id) ? await lockReport(tx, id, caller.accountId) : undefined;
  if (report === undefined || report.reporter_id === caller.accountId) throw notFound();
  return report;
}

/** An audit row about a report. */
export async function recordOnReport(
  tx: Db,
  caller: Caller,
  id: string,
  entry: Pick<AuditEntry, 'action' | 'reason' | 'changes'>,
  now: Date,
): Promise<void> {
  await writeAudit(tx, { actor: actorOf(caller), target: { type: 'report', id }, ...entry }, now);
}

async function refuseStep(tx: Db, caller: Caller, id: string, message: string, now: Date): Promise<never> {
  throw new AppError('ILLEGAL_STEP', message, { data: { report: await staffReport(tx, caller, id, now) } });
}

/**
 * Takes a report one step further, judged against the status it has once it is locked. The same status again changes and
 * records nothing. The reporter hears of an outcome a little later, unless it is taken back. 404; 409 for an illegal step.
 */
export async function changeStatus(
  db: Db,
  caller: Caller,
  id: string,
  to: ReportStatus,
  now: Date,
): Promise<StaffReport> {
  return await inTransaction(db, async (tx) => {
    const report = await reportForStaff(tx, caller, id);
    const from = report.status;
    const step = judgeStep(from, to);
    if (step === 'illegal') {
      return await refuseStep(tx, caller, id, `A report that is ${from} cannot become ${to}`, now);
    }
    if (step === 'legal') {
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
      await recordOnReport(tx, caller, id, { action: 'report.statusChanged', changes: { status: { from, to } } }, now);
      if (isOutcome(to)) {
        const payload = { reportId: id, eventId };
        const once = { jobKey: `reports.notice ${id}`, delaySeconds: reportNoticeWaitSeconds };
        await addJob(tx, 'reports.notice', payload, once);
      }
    }
    return await staffReport(tx, caller, id, now);
  });
}

/** Takes back the caller's own newest change of status, within ten seconds of it. 404; 409 when it is late, another's, or taken back already. */
export async function undoStatus(db: Db, caller: Caller, id: string, now: Date): Promise<StaffReport> {
  return await inTransaction(db, async (tx) => {
    await reportForStaff(tx, caller, id);
    const change = await lastStatusChange(tx, id);
    if (
      change === undefined ||
      change.undone_at !== null ||
      change.actor_id !== caller.accountId ||
      now > undoUntil(change.at)
    ) {
      return await refuseStep(tx, caller, id, 'There is no change of yours that can still be taken back', now);
    }
    const [from, to] = [change.to_value as ReportStatus, change.from_value as ReportStatus];
    await tx.updateTable('report_event').set({ undone_at: now }).where('id', '=', change.id).execute();
    await updateReport(tx, id, {
      status: to,
      updated_at: await lastPublicMoment(tx, id),
      ...(change.was_first_response ? { first_responded_at: await firstStaffReplyAt(tx, id) } : {}),
    });
    await insertEvent(tx, {
      report_id: id,
      at: now,
      kind: 'undone',
      ...staffActor(caller),
      from_value: from,
      to_value: to,
    });
    await recordOnReport(tx, caller, id, { action: 'report.statusUndone', changes: { status: { from, to } } }, now);
    return await staffReport(tx, caller, id, now);
  });
}

/** Changes how urgent a report is, and with it when its answer is due; the same again records nothing. 404. */
export async function changePriority(
  db: Db,
  caller: Caller,
  id: string,
  given: { priority: ReportPriority; reason: string },
  now: Date,
): Promise<StaffReport> {
  const { priority: to, reason } = given;
  return await inTransaction(db, async (tx) => {
    const { priority: from, created_at } = await reportForStaff(tx, caller, id);
    if (from !== to) {
      await updateReport(tx, id, { priority: to, due_at: dueAt(created_at, to) });
      const event = { report_id: id, at: now, kind: 'priority', from_value: from, to_value: to, reason } as const;
      await insertEvent(tx, { ...event, ...staffActor(caller) });
      const changes = { priority: { from, to } };
      await recordOnReport(tx, caller, id, { action: 'report.priorityChanged', reason, changes }, now);
    }
    return await staffReport(tx, caller, id, now);
  });
}

/** Takes a report out of every list and answer; what it holds stays in the database. 404, also the second time. */
export async function removeReport(db: Db, caller: Caller, id: string, now: Date): Promise<void> {
  await inTransaction(db, async (tx) => {
    await reportForStaff(tx, caller, id);
    await updateReport(tx, id, { deleted_at: now });
    await recordOnReport(tx, caller, id, { action: 'report.deleted' }, now);
  });
}
