import type { OwnReport, ReportPriority, ReportStatus, StaffReport } from '#contract/moderation/report.ts';
import { placeholderProblem } from '#contract/moderation/templates.ts';
import type { Caller } from '../../../platform/session/caller.ts';
import { isUuid } from '../../../platform/db/uuid.ts';
import { AppError, invalid, notFound } from '../../../platform/http/app-error.ts';
import { type Db, inTransaction } from '../../../platform/db/db.ts';
import { notify, settle } from '../../../platform/notify/notify.ts';
import { asOn, ownReport, staffReport } from './reads.ts';
import {
  insertEvent,
  lastStatusChange,
  type LockedReport,
  lockReport,
  recordOnReport,
  reportForStaff,
  staffActor,
  updateReport,
} from './report-row.ts';
import { sql } from 'kysely';
import { reportNoticeWaitSeconds } from '#contract/constants.ts';
import { addJob } from '../../../platform/jobs/jobs.ts';
import { type CaseRow, refuseIfHeld, resumeCase, syncCase } from '../cases/case-row.ts';
import { recordQuickDecision, undoQuickDecision } from '../decisions/decide.ts';
import { isHeldByOther, oneClickRefusal } from '../cases/policy.ts';
import { dueAt, isOutcome, judgeStep, undoUntil } from './policy.ts';

interface Reply {
  message: string;
  isInternal: boolean;
}

/**
 * Adds a reply within the current transaction and returns the report in the caller's view. Staff reply publicly, which notifies the
 * reporter, or leave an internal note. Reporters reply on their own reports only. A reply never changes the status.
 * 404 if the caller may not see the report; 400 for a note by a member, and for a placeholder of a template in a reply by staff.
 */
export async function reply(
  tx: Db,
  caller: Caller,
  id: string,
  given: Reply,
  now: Date,
): Promise<StaffReport | OwnReport> {
  const author = await asOn(tx, caller, id, 'reports.handle');
  return author.staffRole === null
    ? await replyAsReporter(tx, author, id, given, now)
    : await replyAsStaff(tx, author, id, given, now);
}

async function replyAsReporter(tx: Db, caller: Caller, id: string, given: Reply, now: Date): Promise<OwnReport> {
  const held = await lockCaseOf(tx, id);
  const report = isUuid(id) ? await lockReport(tx, id, caller.accountId) : undefined;
  if (report === undefined || report.reporter_id !== caller.accountId) throw notFound();
  if (given.isInternal) throw invalid('isInternal', 'Only staff can leave internal notes');
  await insertReply(tx, caller, report, given, now);
  await updateReport(tx, id, { reply_count: report.reply_count + 1, awaits_staff: true, updated_at: now });
  const actor = { actor_id: caller.accountId, actor_role: 'reporter' as const };
  await insertEvent(tx, { report_id: id, at: now, kind: 'reply', ...actor });
  if (held?.stage === 'waiting_reporter') await resumeCase(tx, held, now);
  return await ownReport(tx, caller, id);
}

async function replyAsStaff(tx: Db, caller: Caller, id: string, given: Reply, now: Date): Promise<StaffReport> {
  const problem = given.isInternal ? null : placeholderProblem(given.message);
  if (problem !== null) throw invalid('message', problem);
  await lockCaseOf(tx, id);
  const report = await reportForStaff(tx, caller, id);
  await insertReply(tx, caller, report, given, now);
  const kind = given.isInternal ? 'note' : 'reply';
  await insertEvent(tx, { report_id: id, at: now, kind, ...staffActor(caller) });
  await recordOnReport(tx, caller, id, { action: given.isInternal ? 'report.noted' : 'report.replied' }, now);
  if (!given.isInternal) {
    await updateReport(tx, id, {
      reply_count: report.reply_count + 1,
      awaits_staff: false,
      updated_at: now,
      unread_since: report.unread_since ?? now,
      first_responded_at: report.first_responded_at ?? now,
    });
    await syncCase(tx, report.case_id, now);
    if (report.reporter_id !== null)
      await notify(tx, { accountId: report.reporter_id, kind: 'report', subjectId: id }, now);
  }
  return await staffReport(tx, caller, id, now);
}

async function insertReply(tx: Db, caller: Caller, report: LockedReport, given: Reply, now: Date): Promise<void> {
  const isStaff = caller.staffRole !== null;
  await tx
    .insertInto('report_reply')
    .values({
      report_id: report.id,
      message: given.message,
      is_internal: given.isInternal,
      author_id: caller.accountId,
      author_role: caller.staffRole ?? 'reporter',
      author_name: isStaff ? staffActor(caller).actor_name : null,
      created_at: now,
    })
    .execute();
}

/** Marks the caller's own report as read. 404 for any other. */
export async function markRead(tx: Db, caller: Caller, id: string, now: Date): Promise<OwnReport> {
  const report = await ownReport(tx, caller, id);
  await updateReport(tx, id, { unread_since: null });
  await settle(tx, { accountId: caller.accountId, kind: 'report', subjectId: id }, now);
  return { ...report, isUnread: false };
}

async function refuseStep(tx: Db, caller: Caller, id: string, message: string, now: Date): Promise<never> {
  throw new AppError('ILLEGAL_STEP', message, { data: { report: await staffReport(tx, caller, id, now) } });
}

/** The case of a report, locked before the report itself, as every command does that changes both. */
async function lockCaseOf(tx: Db, reportId: string): Promise<CaseRow | undefined> {
  if (!isUuid(reportId)) return undefined;
  return await tx
    .selectFrom('moderation_case')
    .selectAll()
    .where('id', 'in', tx.selectFrom('report').select('case_id').where('id', '=', reportId))
    .forUpdate()
    .executeTakeFirst();
}

/** Throws 409 while a colleague has the case in hand, and where one click may not close it. */
async function checkCase(tx: Db, caller: Caller, report: LockedReport, held: CaseRow, to: ReportStatus, now: Date) {
  if (isHeldByOther(held, caller.accountId, now))
    refuseIfHeld(held, caller.accountId, now, { report: await staffReport(tx, caller, report.id, now) });
  const refusal = to === 'resolved' || to === 'rejected' ? oneClickRefusal(held.critical_because) : null;
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
  db: Db,
  caller: Caller,
  id: string,
  to: ReportStatus,
  now: Date,
): Promise<StaffReport> {
  return await inTransaction(db, async (tx) => {
    const held = await lockCaseOf(tx, id);
    const report = await reportForStaff(tx, caller, id);
    const from = report.status;
    const step = judgeStep(from, to);
    if (step === 'legal' && held !== undefined) await checkCase(tx, caller, report, held, to, now);
    if (step === 'illegal') {
      return await refuseStep(tx, caller, id, `A report can't change from ${from} to ${to}`, now);
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
      if (to === 'resolved' || to === 'rejected') await recordQuickDecision(tx, caller, report, now);
      await syncCase(tx, report.case_id, now);
      if (isOutcome(to)) {
        const payload = { reportId: id, eventId };
        const once = { jobKey: `reports.notice ${id}`, delaySeconds: reportNoticeWaitSeconds };
        await addJob(tx, 'reports.notice', payload, once);
      }
    }
    return await staffReport(tx, caller, id, now);
  });
}

/** Whether a decision with reasons was made on a report at this moment: only reopening its case can undo that. */
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

/** Undoes the caller's own newest status change within ten seconds. 404; 409 if it is late, another's, or already undone. */
export async function undoStatus(db: Db, caller: Caller, id: string, now: Date): Promise<StaffReport> {
  return await inTransaction(db, async (tx) => {
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
      return await refuseStep(tx, caller, id, 'There is no change of yours left to undo', now);
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
    await undoQuickDecision(tx, id, now);
    await syncCase(tx, report.case_id, now);
    return await staffReport(tx, caller, id, now);
  });
}

/** Changes a report's priority and with it the response deadline; the same priority again records nothing. 404. */
export async function changePriority(
  db: Db,
  caller: Caller,
  id: string,
  given: { priority: ReportPriority; reason: string },
  now: Date,
): Promise<StaffReport> {
  const { priority: to, reason } = given;
  return await inTransaction(db, async (tx) => {
    await lockCaseOf(tx, id);
    const { priority: from, created_at, case_id } = await reportForStaff(tx, caller, id);
    if (from !== to) {
      await updateReport(tx, id, { priority: to, due_at: dueAt(created_at, to) });
      const event = { report_id: id, at: now, kind: 'priority', from_value: from, to_value: to, reason } as const;
      await insertEvent(tx, { ...event, ...staffActor(caller) });
      const changes = { priority: { from, to } };
      await recordOnReport(tx, caller, id, { action: 'report.priorityChanged', reason, changes }, now);
      await syncCase(tx, case_id, now);
    }
    return await staffReport(tx, caller, id, now);
  });
}

/** Removes a report from all lists and responses; its data stays in the database. 404, also the second time. */
export async function removeReport(db: Db, caller: Caller, id: string, now: Date): Promise<void> {
  await inTransaction(db, async (tx) => {
    await lockCaseOf(tx, id);
    const { case_id } = await reportForStaff(tx, caller, id);
    await updateReport(tx, id, { deleted_at: now });
    await syncCase(tx, case_id, now);
    await recordOnReport(tx, caller, id, { action: 'report.deleted' }, now);
  });
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
