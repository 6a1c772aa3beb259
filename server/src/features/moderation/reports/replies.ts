import type { OwnReport, StaffReport } from '#contract/moderation/report.ts';
import { isUuid, type Caller } from '../../../platform/session/caller.ts';
import { invalid, notFound } from '../../../platform/http/app-error.ts';
import type { Db } from '../../../platform/db/db.ts';
import { notify, settle } from '../../../platform/notify/notify.ts';
import { asOn, ownReport, staffReport } from './reads.ts';
import {
  insertEvent,
  lockReport,
  recordOnReport,
  reportForStaff,
  staffActor,
  updateReport,
  type LockedReport,
} from './report-row.ts';

interface Reply {
  message: string;
  isInternal: boolean;
}

/**
 * Adds a reply within the current transaction and returns the report in the caller's view. Staff reply publicly, which notifies the
 * reporter, or leave an internal note. Reporters reply on their own reports only. A reply never changes the status.
 * 404 if the caller may not see the report; 400 for a note by a member.
 */
export async function reply(
  tx: Db,
  caller: Caller,
  id: string,
  given: Reply,
  now: Date,
): Promise<StaffReport | OwnReport> {
  const author = await asOn(tx, caller, id);
  return author.staffRole === null
    ? await replyAsReporter(tx, author, id, given, now)
    : await replyAsStaff(tx, author, id, given, now);
}

async function replyAsReporter(tx: Db, caller: Caller, id: string, given: Reply, now: Date): Promise<OwnReport> {
  const report = isUuid(id) ? await lockReport(tx, id, caller.accountId) : undefined;
  if (report === undefined || report.reporter_id !== caller.accountId) throw notFound();
  if (given.isInternal) throw invalid('isInternal', 'Only staff can leave internal notes');
  await insertReply(tx, caller, report, given, now);
  await updateReport(tx, id, { reply_count: report.reply_count + 1, awaits_staff: true, updated_at: now });
  const actor = { actor_id: caller.accountId, actor_role: 'reporter' as const };
  await insertEvent(tx, { report_id: id, at: now, kind: 'reply', ...actor });
  return await ownReport(tx, caller, id);
}

async function replyAsStaff(tx: Db, caller: Caller, id: string, given: Reply, now: Date): Promise<StaffReport> {
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
