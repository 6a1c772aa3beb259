import { msg } from '@lingui/core/runtime-macro';
import type { BodyOf, ParamsOf } from '#contract/endpoint.ts';
import { isWithoutReporter, type replyToReport } from '#contract/moderation/staff-reports.ts';
import { placeholderProblem } from '#contract/moderation/templates.ts';
import { invalid, notFound } from '#platform/http/app-error.ts';
import type { CommandContext } from '#platform/http/mount.ts';
import { notify } from '#platform/notify/notify.ts';
import { resumeCase, syncCase } from '../work/case-row.ts';
import { asOn, ownReport, staffReport } from './reads.ts';
import {
  actOnReport,
  insertEvent,
  lockCaseOf,
  type LockedReport,
  lockReport,
  reportForStaff,
  staffActor,
  updateReport,
} from './report-row.ts';
import { listAnswered } from './write-first.ts';
import type { OwnReport, StaffReport } from './views.ts';

type Given = ParamsOf<typeof replyToReport> & BodyOf<typeof replyToReport>;

/**
 * Adds a reply within the current transaction and returns the report in the caller's view. Staff reply publicly, which notifies the
 * reporter, or leave an internal note. Reporters reply only on their own reports. A reply never changes the status. Throws 404 if the
 * caller may not see the report, and 400 for a note by a member and for a staff reply with an unfilled placeholder of a template.
 */
export async function reply(context: CommandContext, given: Given): Promise<StaffReport | OwnReport> {
  const author = await asOn(context.tx, context.caller, given.id, 'reports.handle');
  const asAuthor = { ...context, caller: author };
  return author.staffRole === null ? await replyAsReporter(asAuthor, given) : await replyAsStaff(asAuthor, given);
}

async function replyAsReporter(context: CommandContext, given: Given): Promise<OwnReport> {
  const { tx, caller, now } = context;
  const { id } = given;
  const caseRow = await lockCaseOf(tx, id);
  const report = await lockReport(tx, id, caller.accountId);
  if (report === undefined || report.reporter_id !== caller.accountId) throw notFound();
  if (given.isInternal === true) throw invalid('isInternal', msg`Only staff can leave internal notes`);
  await listAnswered(context, report);
  await insertReply(context, report, given);
  await updateReport(tx, id, { reply_count: report.reply_count + 1, awaits_staff: true, updated_at: now });
  const actor = { actor_id: caller.accountId, actor_role: 'reporter' as const };
  await insertEvent(tx, { report_id: id, at: now, kind: 'reply', ...actor });
  if (caseRow?.stage === 'waiting_reporter') await resumeCase(tx, caseRow, now);
  return await ownReport(tx, caller, id);
}

async function replyAsStaff(context: CommandContext, given: Given): Promise<StaffReport> {
  const { tx, caller, now } = context;
  const { id, isInternal = false } = given;
  const problem = isInternal ? null : placeholderProblem(given.message);
  if (problem !== null) throw invalid('message', problem);
  await lockCaseOf(tx, id);
  const report = await reportForStaff(tx, caller, id);
  if (!isInternal && isWithoutReporter(report.source))
    throw invalid('message', msg`No member reported this: leave an internal note instead`);
  await insertReply(context, report, given);
  await actOnReport(context, id, isInternal ? 'note' : 'reply');
  if (!isInternal) {
    await updateReport(tx, id, {
      reply_count: report.reply_count + 1,
      awaits_staff: false,
      updated_at: now,
      unread_since: report.unread_since ?? now,
      first_responded_at: report.first_responded_at ?? now,
    });
    await syncCase(context, report.case_id);
    if (report.reporter_id !== null)
      await notify(tx, { accountId: report.reporter_id, kind: 'report', subjectId: id }, now);
  }
  return await staffReport(tx, caller, id, now);
}

async function insertReply({ tx, caller, now }: CommandContext, report: LockedReport, given: Given): Promise<void> {
  const isStaff = caller.staffRole !== null;
  await tx
    .insertInto('report_reply')
    .values({
      report_id: report.id,
      message: given.message,
      is_internal: given.isInternal ?? false,
      author_id: caller.accountId,
      author_role: caller.staffRole ?? 'reporter',
      author_name: isStaff ? staffActor(caller).actor_name : null,
      created_at: now,
    })
    .execute();
}
