import { msg } from '@lingui/core/runtime-macro';
import { sql } from 'kysely';
import type { BodyOf, ParamsOf } from '#contract/endpoint.ts';
import type { assignOutsiderReport, closeOutsiderReport } from '#contract/moderation/outsider-reports.ts';
import { actorOf, audit } from '#platform/db/audit.ts';
import type { Db } from '#platform/db/db.ts';
import { AppError, invalid, notFound } from '#platform/http/app-error.ts';
import type { CommandContext } from '#platform/http/mount.ts';
import { isByOthers } from '#platform/session/access.policy.ts';
import { requireMayAct } from '#platform/session/access.ts';
import { fileAbout } from './file.ts';
import type { OutsiderReport } from './outsider-report-row.ts';

/** A waiting outsider report and the others with the same content, locked. Throws 404, and 409 if it is no longer waiting. */
async function lockWaiting(tx: Db, id: string): Promise<[OutsiderReport, ...OutsiderReport[]]> {
  const { rows } = await sql<OutsiderReport>`
    select * from outsider_notice
    where digest = (select digest from outsider_notice where id = ${id}::uuid) order by id for update`.execute(tx);
  const report = rows.find((row) => row.id === id);
  if (report === undefined) throw notFound();
  if (report.list === 'done') throw new AppError('CONFLICT', msg`This notice is already closed`);
  // An outsider report with an appeal is answered on its own.
  const others =
    report.plea === null ? rows.filter((row) => row.list !== 'done' && row.plea === null && row !== report) : [];
  return [report, ...others];
}

/**
 * Closes an outsider report without a matching account, and those with the same content. After an appeal it requires reasons (400) and a
 * different colleague (403). Returns how many were closed.
 */
export async function closeWaiting(
  context: CommandContext,
  { id, answer }: ParamsOf<typeof closeOutsiderReport> & BodyOf<typeof closeOutsiderReport>,
): Promise<number> {
  const { tx, caller, now } = context;
  const reports = await lockWaiting(tx, id);
  const isAppealed = reports[0].plea !== null;
  if (isAppealed && !isByOthers(caller, reports[0].closed_by))
    throw new AppError('FORBIDDEN', msg`You closed this notice before, so someone else has to look at it`);
  if (isAppealed && answer === undefined) throw invalid('answer', msg`Give the author your reasons`);
  const ids = reports.map((one) => one.id);
  await tx
    .updateTable('outsider_notice')
    .set({
      closed_at: now,
      closed_by: caller.accountId,
      closed_by_name: actorOf(caller).name,
      answer_due_since: now,
      ...(isAppealed && answer !== undefined && { plea_answer: answer, plea_answered_at: now }),
    })
    .where('id', 'in', ids)
    .execute();
  await audit(context, { type: 'notice', id }, 'notice.closed', { changes: { notices: { from: null, to: ids } } });
  return reports.length;
}

/** Adds an outsider report, and those with the same content, to a person's case. 403 for people the caller may not act on. */
export async function assignWaiting(
  context: CommandContext,
  { id, userId }: ParamsOf<typeof assignOutsiderReport> & BodyOf<typeof assignOutsiderReport>,
): Promise<string> {
  const { tx, caller } = context;
  const reports = await lockWaiting(tx, id);
  await requireMayAct(tx, caller, 'user', userId);
  const caseId = await fileAbout(context, reports, { accountId: userId });
  if (caseId === null) throw notFound();
  const ids = reports.map((one) => one.id);
  const changes = { notices: { from: null, to: ids } };
  await audit(context, { type: 'case', id: caseId }, 'notice.assigned', { changes });
  return caseId;
}
