import { msg } from '@lingui/core/runtime-macro';
import { sql } from 'kysely';
import { appealReviewDays } from '#contract/moderation/decisions.ts';
import type { Db } from '#platform/db/db.ts';
import { AppError, notFound } from '#platform/http/app-error.ts';
import { isUuid } from '#platform/db/uuid.ts';
import { secondsAfter } from '#platform/process/clock.ts';
import { insertCaseEvent, tellStaff } from '../work/case-row.ts';
import { partyActor } from '../appeals/review.ts';
import { type DecidedOutsiderReport, decidedOutsiderReports, decisionColumns, rightOf } from './own.reads.ts';

const reviewSeconds = appealReviewDays * 86_400;

/**
 * Appeals a decision not to act on an outsider report. If a report was created, the appeal joins the other appeals, and someone else
 * decides; an outsider report that was closed without one waits for someone else again. Throws 404 for an outsider report from another
 * address, and 409 if it can't be appealed.
 */
export async function appealOutsiderReport(
  tx: Db,
  { email, noticeId, text }: { email: string; noticeId: string; text: string },
  now: Date,
): Promise<void> {
  const isOwn = sql`n.id = ${isUuid(noticeId) ? noticeId : null}::uuid and n.email = ${email}`;
  // Locked before it is read, so that an appeal sent at the same time is seen.
  await sql`select from outsider_notice n where ${isOwn} for update`.execute(tx);
  const { rows } = await sql<DecidedOutsiderReport>`
    select n.*, ${decisionColumns} from ${decidedOutsiderReports} where ${isOwn}`.execute(tx);
  const [outsiderReport] = rows;
  if (outsiderReport === undefined) throw notFound();
  const right = rightOf(outsiderReport, now);
  if (right?.mayAppeal !== true)
    throw new AppError(
      'CONFLICT',
      right?.appeal ? msg`You have already appealed this decision` : msg`This can’t be appealed`,
    );
  const { decision_id, case_id, decided_by } = outsiderReport;
  if (decision_id === null || case_id === null || decided_by === null) {
    await tx.updateTable('outsider_notice').set({ plea: text, plea_at: now }).where('id', '=', noticeId).execute();
    return;
  }
  const { id } = await tx
    .insertInto('appeal')
    .values({
      decision_id,
      case_id,
      party: 'reporter',
      account_id: null,
      plea: text,
      submitted_at: now,
      due_at: secondsAfter(now, reviewSeconds),
      decided_by,
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  await tx.updateTable('outsider_notice').set({ appeal_id: id }).where('id', '=', noticeId).execute();
  const actor = { ...partyActor({ accountId: noticeId, party: 'reporter' }), accountId: null };
  await insertCaseEvent(tx, { case_id, at: now, kind: 'appeal_submitted' }, actor);
  await tellStaff(tx, null);
}
