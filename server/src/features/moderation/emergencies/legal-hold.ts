import { sql } from 'kysely';
import type { BodyOf, ParamsOf } from '#contract/endpoint.ts';
import type { askForHoldRelease, CaseSafety, setLegalHold } from '#contract/moderation/emergencies.ts';
import type { Reactions } from '../../../events.ts';
import { actorOf, writeAudit } from '../../../platform/db/audit.ts';
import { AppError } from '../../../platform/http/app-error.ts';
import type { CommandContext } from '../../../platform/http/mount.ts';
import { askForRelease } from '../../profiles/public.ts';
import { caseForStaff, insertCaseEvent, tellStaff } from '../cases/case-row.ts';
import { lockPersonOf } from '../decisions/decide.ts';
import { safetyOf } from './safety.reads.ts';

/**
 * Stops every deletion of data about the person of a case. Their account is locked first, so that it isn't deleted meanwhile. Throws 404,
 * 403 for a party, and 409 for a deleted account and one whose deletions are stopped already.
 */
export async function hold(
  { tx, caller, now }: CommandContext,
  { id, reason }: ParamsOf<typeof setLegalHold> & BodyOf<typeof setLegalHold>,
): Promise<CaseSafety> {
  await lockPersonOf(tx, id);
  const { person_id: accountId } = await caseForStaff(tx, caller, id);
  if (accountId === null) throw new AppError('CONFLICT', 'This account was deleted');
  const by = actorOf(caller);
  const { rows } = await sql`
    insert into legal_hold (account_id, case_id, reason, set_at, set_by_name)
    values (${accountId}::uuid, ${id}::uuid, ${reason}, ${now}::timestamptz, ${by.name})
    on conflict (account_id) where released_at is null do nothing returning id`.execute(tx);
  if (rows.length === 0) throw new AppError('CONFLICT', 'This person is already under a legal hold');
  await insertCaseEvent(tx, { case_id: id, at: now, kind: 'legal_hold_set', reason }, by);
  await writeAudit(tx, { actor: by, action: 'legalHold.set', target: { type: 'user', id: accountId }, reason }, now);
  await tellStaff(tx, id);
  return await safetyOf(tx, caller, id, now);
}

/** Asks an administrator to release the legal hold of a case's person. Throws 404, 403 for a party, and 409 without one or while one waits. */
export async function askRelease(
  { tx, caller, now }: CommandContext,
  { id, reason }: ParamsOf<typeof askForHoldRelease> & BodyOf<typeof askForHoldRelease>,
): Promise<CaseSafety> {
  await lockPersonOf(tx, id);
  const { person_id: accountId } = await caseForStaff(tx, caller, id);
  const row = await tx
    .selectFrom('legal_hold')
    .select('id')
    .where('account_id', '=', accountId)
    .where('released_at', 'is', null)
    .forUpdate()
    .executeTakeFirst();
  if (row === undefined || accountId === null) throw new AppError('CONFLICT', 'This person is not under a legal hold');
  await askForRelease({ tx, caller, now }, { holdId: row.id, accountId, caseId: id, reason });
  return await safetyOf(tx, caller, id, now);
}

export const legalHoldReactions: Reactions = {
  async legalHoldReleased(tx, { holdId, askedBy, by, now }) {
    const row = await tx
      .updateTable('legal_hold')
      .set({ released_at: now, released_by_names: [askedBy, by.name] })
      .where('id', '=', holdId)
      .where('released_at', 'is', null)
      .returning(['account_id', 'case_id'])
      .executeTakeFirst();
    if (row === undefined) throw new AppError('CONFLICT', 'This legal hold was already released');
    await tx.deleteFrom('legal_hold_copy').where('hold_id', '=', holdId).execute();
    await insertCaseEvent(tx, { case_id: row.case_id, at: now, kind: 'legal_hold_released' }, by);
    const target = { type: 'user', id: row.account_id } as const;
    const changes = { askedBy: { from: null, to: askedBy } };
    await writeAudit(tx, { actor: by, action: 'legalHold.released', target, changes }, now);
    await tellStaff(tx, row.case_id);
  },
  // The other person's account goes with their conversations. What was written with someone under a legal hold stays, without their id.
  async accountsEnding(tx, { accountIds }) {
    await sql`
      insert into legal_hold_copy (hold_id, conversation_id, copied_at, messages)
      select h.id, c.id, now(), coalesce((
        select jsonb_agg(jsonb_build_object('seq', m.seq, 'isByHeld', m.sender_id = h.account_id, 'sentAt', m.sent_at, 'text', m.body)
          order by m.seq) from message m where m.conversation_id = c.id), '[]')
      from legal_hold h join conversation c on h.account_id in (c.low_id, c.high_id)
      where h.released_at is null and (c.low_id = any (${accountIds}::uuid[]) or c.high_id = any (${accountIds}::uuid[]))
      on conflict do nothing`.execute(tx);
  },
};
