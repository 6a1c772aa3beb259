import { msg } from '@lingui/core/runtime-macro';
import { sql } from 'kysely';
import type { BodyOf, ParamsOf } from '#contract/endpoint.ts';
import {
  type askForPreservationRelease,
  preservationReviewDaysMax,
  type setPreservation,
} from '#contract/moderation/emergencies.ts';
import { presentBrand } from '#platform/service/brand.ts';
import type { Reactions } from '../../../events.ts';
import { actorOf, audit, writeAudit } from '#platform/db/audit.ts';
import { AppError, invalid } from '#platform/http/app-error.ts';
import { dayOf, secondsAfter } from '#platform/process/clock.ts';
import { recordAct } from '../../auth/public.ts';
import { askForRelease } from '../../profiles/public.ts';
import { actOnCase } from '../work/act.ts';
import { caseForStaff, caseOf, insertCaseEvent, lockPersonOf, type StaffContext, tellStaff } from '../work/case-row.ts';

/**
 * Keeps everything stored about the person of a case, and its reports, from being deleted. The person's account is locked first, so that it
 * isn't deleted meanwhile. If the case already has a legal hold, sets the day of its next review. Throws 404, 403 for a party, and 400 for
 * a day that has passed or is too far ahead.
 */
export async function preserve(
  context: StaffContext,
  { id, reason, reviewOn }: ParamsOf<typeof setPreservation> & BodyOf<typeof setPreservation>,
): Promise<void> {
  const { tx, caller, now } = context;
  await lockPersonOf(tx, id);
  const { person_id: accountId } = await caseForStaff(tx, caller, id);
  if (reviewOn <= dayOf(now) || reviewOn > dayOf(secondsAfter(now, preservationReviewDaysMax * 86_400)))
    throw invalid('reviewOn', msg`Choose a day within the next ${{ preservationReviewDaysMax }} days`);
  const { rows } = await sql<{ id: string }>`
    insert into legal_hold (account_id, case_id, reason, set_at, set_by_name, review_on)
    values (${accountId}::uuid, ${id}::uuid, ${reason}, ${now}::timestamptz, ${actorOf(caller).name}, ${reviewOn}::date)
    on conflict (case_id) where released_at is null do update set review_on = excluded.review_on returning id`.execute(
    tx,
  );
  for (const { id: holdId } of accountId === null ? [] : rows)
    await recordAct(tx, accountId ?? '', { act: 'holdSet', subject: { holdId, caseId: id, reviewOn } }, now);
  await actOnCase(context, id, { what: 'legal_hold_set', reason, changes: { reviewOn: { from: null, to: reviewOn } } });
}

/** The id of the open legal hold of a case, locked with the case. Throws 404, 403 for a party, and 409 without one. */
async function lockPreservation(context: StaffContext, id: string): Promise<string> {
  const { tx, caller } = context;
  await lockPersonOf(tx, id);
  await caseForStaff(tx, caller, id);
  const row = await tx
    .selectFrom('legal_hold')
    .select('id')
    .where('case_id', '=', id)
    .where('released_at', 'is', null)
    .forUpdate()
    .executeTakeFirst();
  if (row === undefined) throw new AppError('CONFLICT', msg`This case is not under a legal hold`);
  return row.id;
}

/**
 * Asks an administrator to release the legal hold of a case. Throws 404, 403 for a party, and 409 without a hold or with an open request.
 */
export async function askRelease(
  context: StaffContext,
  { id, reason }: ParamsOf<typeof askForPreservationRelease> & BodyOf<typeof askForPreservationRelease>,
): Promise<void> {
  await askForRelease(context, { holdId: await lockPreservation(context, id), caseId: id, reason });
  await tellStaff(context.tx, id);
}

/** The copies kept by the legal hold of a case although their rows are deleted, oldest first. Audited. Throws 404, 403 and 409 as above. */
export async function readCopy(context: StaffContext, { id }: { id: string }) {
  const preservationId = await lockPreservation(context, id);
  await audit(context, { type: 'case', id }, 'legalHold.copyRead');
  return await context.tx
    .selectFrom('legal_hold_copy')
    .select(['kind', 'copied_at as at', 'data'])
    .where('hold_id', '=', preservationId)
    .orderBy('copied_at')
    .execute();
}

const restoredBy = () => presentBrand().name;
const preservedBefore = 'This legal hold was set before a backup was restored.';

export const preservationReactions: Reactions = {
  async preservationReleased(tx, { preservationId, askedBy, by, now }) {
    const row = await tx
      .updateTable('legal_hold')
      .set({ released_at: now, released_by_names: [askedBy, by.name] })
      .where('id', '=', preservationId)
      .where('released_at', 'is', null)
      .returning(['case_id', 'account_id'])
      .executeTakeFirst();
    if (row === undefined) throw new AppError('CONFLICT', msg`This legal hold was already released`);
    if (row.account_id !== null)
      await recordAct(tx, row.account_id, { act: 'holdReleased', subject: { holdId: preservationId } }, now);
    await tx.deleteFrom('legal_hold_copy').where('hold_id', '=', preservationId).execute();
    await insertCaseEvent(tx, { case_id: row.case_id, at: now, kind: 'legal_hold_released' }, by);
    const target = { type: 'case', id: row.case_id } as const;
    const changes = { askedBy: { from: null, to: askedBy } };
    await writeAudit(tx, { actor: by, action: 'legalHold.released', target, changes }, now);
    await tellStaff(tx, row.case_id);
  },
  async actsMissed(tx, { acts }) {
    for (const { accountId, act, subject, at } of acts) {
      if (act === 'holdReleased')
        await sql`update legal_hold set released_at = ${at}, released_by_names = ${[restoredBy(), restoredBy()]}
          where id = ${subject.holdId}::uuid and released_at is null`.execute(tx);
      if (act !== 'holdSet') continue;
      // The case may be newer than the backup.
      const { rows } = await sql`select from moderation_case where id = ${subject.caseId}::uuid`.execute(tx);
      const caseId = rows.length > 0 ? subject.caseId : await caseOf(tx, accountId, 'high', at);
      await sql`
        insert into legal_hold (id, account_id, case_id, reason, set_at, set_by_name, review_on)
        values (${subject.holdId}::uuid, ${accountId}::uuid, ${caseId}::uuid, ${preservedBefore}, ${at}, ${restoredBy()}, ${subject.reviewOn}::date)
        on conflict (case_id) where released_at is null do update set review_on = excluded.review_on`.execute(tx);
    }
  },
  // The other person's account is deleted with their conversations and notes. Those with someone under a legal hold are copied, without the
  // account's id.
  async accountsEnding(tx, { accountIds }) {
    await sql`
      insert into legal_hold_copy (hold_id, kind, copied_at, data)
      select h.id, 'conversation', now(), jsonb_build_object('id', c.id, 'messages', (
        select jsonb_agg(jsonb_build_object('seq', m.seq, 'isByHeld', m.sender_id = h.account_id, 'sentAt', m.sent_at, 'text', m.body,
          'files', case when m.sender_id = h.account_id then (select jsonb_agg(f.object_key) from message_media f
            where f.conversation_id = m.conversation_id and f.seq = m.seq) end,
          'earlierTexts', (select jsonb_agg(t.body order by t.id) from message_trace t
            where t.conversation_id = m.conversation_id and t.seq = m.seq)) order by m.seq)
        from message m where m.conversation_id = c.id), 'undelivered', (
        select jsonb_agg(jsonb_build_object('isByHeld', m.sender_id = h.account_id, 'sentAt', m.sent_at, 'text', m.body) order by m.n)
        from held_message m where m.conversation_id = c.id))
      from legal_hold h join conversation c on h.account_id in (c.low_id, c.high_id)
      where h.released_at is null and (c.low_id = any (${accountIds}::uuid[]) or c.high_id = any (${accountIds}::uuid[]))
      union all
      select h.id, 'note', now(), jsonb_build_object('isByHeld', d.viewer_id = h.account_id, 'sentAt', d.decided_at, 'text', d.note)
      from legal_hold h join decision d on h.account_id in (d.viewer_id, d.target_id)
      where h.released_at is null and d.note is not null
        and (d.viewer_id = any (${accountIds}::uuid[]) or d.target_id = any (${accountIds}::uuid[]))`.execute(tx);
  },
};
