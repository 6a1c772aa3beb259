import { type Selectable, sql } from 'kysely';
import { type HoldCause, holdHours, type HoldOutcome } from '#contract/moderation/holds.ts';
import type { Actor } from '../../../platform/db/audit.ts';
import type { Db } from '../../../platform/db/db.ts';
import type { Database } from '../../../platform/db/schema.ts';
import { addJob } from '../../../platform/jobs/jobs.ts';
import { secondsAfter } from '../../../platform/process/clock.ts';
import { dropHeldLikes, holdDroppedLikes } from '../../connections/public.ts';
import { dropHeldMessages, holdDroppedMessages } from '../../messages/public.ts';
import { insertCaseEvent, system } from '../cases/case-event.ts';
import type { CaseTable } from '../tables.ts';

/** What decides whether the person of a case is held. */
type HeldCase = Pick<Selectable<CaseTable>, 'id' | 'person_id' | 'stage' | 'priority'>;
type HoldRow = Selectable<Database['account_hold']>;

interface NewHold {
  accountId: string;
  /** The person's open case, locked or just opened by this transaction. */
  caseId: string;
  cause: HoldCause;
  /** The automatic rule; only for the cause `rule`. */
  ruleId?: string;
}

/**
 * Holds an account for 72 hours: its likes, notes and first messages are stored but not delivered. Nothing changes while it is held, except
 * that a rule takes over, because its hold lasts until the case is decided. After a hold that ended by itself, nothing holds the account again until the
 * case was decided; after one that staff released, only something new does: a link found since, or another rule. Returns whether the
 * account was not held before and is now.
 */
export async function holdFor(tx: Db, { accountId, caseId, cause, ruleId }: NewHold, now: Date): Promise<boolean> {
  const { rows } = await sql<{ is_new: boolean }>`
    insert into account_hold as h (account_id, case_id, cause, rule_id, since, ends_at)
    select ${accountId}::uuid, c.id, ${cause}::text, ${ruleId ?? null}::uuid, ${now}::timestamptz,
      ${secondsAfter(now, holdHours * 3600)}::timestamptz
    from moderation_case c where c.id = ${caseId}::uuid and not exists (
      select from account_hold e where e.account_id = ${accountId}::uuid and e.since >= c.started_at and c.stage <> 'decided'
        and (e.outcome <> 'released' or e.released_by_name is not null and case ${cause}::text
          when 'critical_case' then true
          when 'ban_trace' then not exists (select from account_link l where l.account_id = e.account_id and l.strength = 'strong'
            and l.reviewed_at is null and l.found_at > e.ended_at)
          else e.rule_id = ${ruleId ?? null}::uuid end))
    on conflict (account_id) where ended_at is null do update set cause = excluded.cause, rule_id = excluded.rule_id
      where h.cause <> 'rule' and excluded.cause = 'rule'
    returning h.xmax = 0 as is_new`.execute(tx);
  if (rows[0]?.is_new !== true) return false;
  await insertCaseEvent(tx, { case_id: caseId, at: now, kind: 'held', to_value: cause });
  await sql`update moderation_case set due_at = least(due_at, ${secondsAfter(now, holdHours * 3600)}::timestamptz)
    where id = ${caseId}::uuid and due_at is not null`.execute(tx);
  return true;
}

/** Why the person of a case is to be held, apart from automatic rules. */
async function causesOf(tx: Db, { person_id, stage, priority }: HeldCase): Promise<HoldCause[]> {
  if (stage === 'decided') return [];
  const strong = await tx
    .selectFrom('account_link')
    .select('kind')
    .where('account_id', '=', person_id)
    .where('strength', '=', 'strong')
    .where('reviewed_at', 'is', null)
    .executeTakeFirst();
  return [
    ...(priority === 'critical' ? (['critical_case'] as const) : []),
    ...(strong === undefined ? [] : (['ban_trace'] as const)),
  ];
}

/** Holds or releases the person of a locked case after the case has changed. */
export async function syncHold(tx: Db, row: HeldCase, now: Date): Promise<void> {
  if (row.person_id === null) return;
  const causes = await causesOf(tx, row);
  for (const cause of causes) if (await holdFor(tx, { accountId: row.person_id, caseId: row.id, cause }, now)) return;
  if (causes.length > 0) return;
  const open = await lockHold(tx, row.person_id);
  if (open !== undefined && (open.cause !== 'rule' || row.stage === 'decided')) await endHold(tx, open, {}, now);
}

/**
 * The open hold of an account, locked until the transaction ends: likes and messages that have found the hold are committed first, and
 * later ones find that it has ended.
 */
export async function lockHold(tx: Db, accountId: string): Promise<HoldRow | undefined> {
  return await tx
    .selectFrom('account_hold')
    .selectAll()
    .where('account_id', '=', accountId)
    .where('ended_at', 'is', null)
    .forUpdate()
    .executeTakeFirst();
}

interface Ending {
  outcome?: Exclude<HoldOutcome, 'dropped'>;
  /** Who of the staff released it without a decision, and why. */
  by?: Actor;
  reason?: string;
}

/**
 * Ends a locked hold. What waits is delivered by a job, or never if the person was sanctioned since the hold began and the sanction is in
 * force.
 */
export async function endHold(
  tx: Db,
  hold: HoldRow,
  { outcome = 'released', by, reason }: Ending,
  now: Date,
): Promise<HoldOutcome> {
  const { id, account_id: accountId } = hold;
  const ended: HoldOutcome = (await isSanctioned(tx, hold, now)) ? 'dropped' : outcome;
  await tx
    .updateTable('account_hold')
    .set({ ended_at: now, outcome: ended, released_by_name: by?.name ?? null })
    .where('id', '=', id)
    .execute();
  const event = { case_id: hold.case_id, at: now, kind: 'hold_ended' as const, to_value: ended };
  await insertCaseEvent(tx, { ...event, reason: reason ?? null }, by ?? system);
  if (ended === 'dropped') {
    await dropHeldLikes(tx, accountId);
    await dropHeldMessages(tx, accountId);
  } else await addJob(tx, 'holds.release', { accountId }, { jobKey: `holds.release ${accountId}` });
  return ended;
}

/** Delivers what a hold dropped, once all sanctions for which it did are taken back. */
export async function deliverDropped(tx: Db, accountId: string): Promise<void> {
  const query = tx
    .selectFrom('account_hold')
    .selectAll()
    .where('account_id', '=', accountId)
    .where('outcome', '=', 'dropped');
  const dropped = await query.orderBy('since', 'desc').limit(1).forUpdate().executeTakeFirst();
  if (dropped === undefined) return;
  const { rows } = await sql`select from sanction where account_id = ${accountId}::uuid and revoked_at is null
    and starts_at between ${dropped.since}::timestamptz and ${dropped.ended_at}::timestamptz limit 1`.execute(tx);
  if (rows.length > 0) return;
  await tx.updateTable('account_hold').set({ outcome: 'released' }).where('id', '=', dropped.id).execute();
  await holdDroppedLikes(tx, accountId);
  await holdDroppedMessages(tx, accountId);
  await addJob(tx, 'holds.release', { accountId }, { jobKey: `holds.release ${accountId}` });
}

async function isSanctioned(tx: Db, { account_id, since }: HoldRow, now: Date): Promise<boolean> {
  const { rows } = await sql`
    select from sanction where account_id = ${account_id}::uuid and starts_at >= ${since}::timestamptz
      and revoked_at is null and (ends_at is null or ends_at > ${now}::timestamptz) limit 1`.execute(tx);
  return rows.length > 0;
}
