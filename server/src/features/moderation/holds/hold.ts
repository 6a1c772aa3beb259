import { randomInt } from 'node:crypto';
import { type RawBuilder, type Selectable, sql } from 'kysely';
import {
  type HoldCause,
  holdHours,
  holdHoursLeast,
  type HoldOutcome,
  holdReleaseHours,
} from '#contract/moderation/holds.ts';
import type { Actor } from '#platform/db/audit.ts';
import type { Db } from '#platform/db/db.ts';
import type { Database } from '#platform/db/schema.ts';
import { secondsAfter } from '#platform/process/clock.ts';
import { withholdLikes } from '../../connections/public.ts';
import { withholdMessages } from '../../messages/public.ts';
import type { Events, Reactions } from '../../../events.ts';
import { insertCaseEvent, system } from '../work/case-event.ts';
import { noteHold } from '../reports/report-power.ts';

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
 * Holds an account until a random minute between 48 and 70 hours from now: its likes, notes and first messages are stored but not
 * delivered. Nothing changes while it is held, except that a rule takes over, because its hold lasts until the case is decided. After a
 * hold that ended by itself, nothing holds the account again until the case is decided; after one that staff released, only something new
 * does: a link found since, or another rule. Returns whether the account was not held before and is now.
 */
export async function holdFor(tx: Db, { accountId, caseId, cause, ruleId }: NewHold, now: Date): Promise<boolean> {
  const endsAt = secondsAfter(now, randomInt(holdHoursLeast * 60, (holdHours - holdReleaseHours) * 60) * 60);
  const { rows } = await sql<{ is_new: boolean }>`
    insert into account_hold as h (account_id, case_id, cause, rule_id, since, ends_at)
    select ${accountId}::uuid, c.id, ${cause}::text, ${ruleId ?? null}::uuid, ${now}::timestamptz,
      ${endsAt}::timestamptz
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
  await sql`update moderation_case set due_at = least(due_at, ${endsAt}::timestamptz)
    where id = ${caseId}::uuid and due_at is not null`.execute(tx);
  return true;
}

/** Why the person of a case should be held, apart from automatic rules. */
async function causesOf(tx: Db, { personId, isDecided, mayHold }: Events['caseChanged']): Promise<HoldCause[]> {
  if (isDecided) return [];
  const strong = await tx
    .selectFrom('account_link')
    .select('kind')
    .where('account_id', '=', personId)
    .where('strength', '=', 'strong')
    .where('reviewed_at', 'is', null)
    .executeTakeFirst();
  return [...(mayHold ? (['critical_case'] as const) : []), ...(strong === undefined ? [] : (['ban_trace'] as const))];
}

/** Holds or releases the person of a case. Returns whether they are held now and were not before. */
async function syncHold(tx: Db, changed: Events['caseChanged']): Promise<boolean> {
  const { caseId, personId, isDecided, now } = changed;
  if (personId === null) return false;
  const causes = await causesOf(tx, changed);
  for (const cause of causes) if (await holdFor(tx, { accountId: personId, caseId, cause }, now)) return true;
  if (causes.length > 0) return false;
  const open = await lockHold(tx, personId);
  if (open !== undefined && (open.cause !== 'rule' || isDecided)) await endHold(tx, open, {}, now);
  if (isDecided) await judgeHolds(tx, personId, now);
  return false;
}

export const holdReactions: Reactions = {
  async heldByRule(tx, { now, ...rule }) {
    await holdFor(tx, { ...rule, cause: 'rule' }, now);
  },
  async caseChanged(tx, changed) {
    if (await syncHold(tx, changed)) await noteHold(tx, changed.reportIds, changed.now);
  },
};

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
  /** The colleague who released it without a decision, and why. */
  by?: Actor;
  reason?: string;
}

/** Ends a locked hold. What it withheld is delivered, unless a sanction justifies dropping it. */
export async function endHold(
  tx: Db,
  hold: HoldRow,
  { outcome = 'released', by, reason }: Ending,
  now: Date,
): Promise<HoldOutcome> {
  await tx
    .updateTable('account_hold')
    .set({ ended_at: now, outcome, released_by_name: by?.name ?? null })
    .where('id', '=', hold.id)
    .execute();
  const [judged] = await judgedHolds(tx, sql`h.id = ${hold.id}::uuid`);
  const ended = judged?.isJustified === true ? 'dropped' : outcome;
  await settleHold(tx, hold, ended, now);
  const event = { case_id: hold.case_id, at: now, kind: 'hold_ended' as const, to_value: ended };
  await insertCaseEvent(tx, { ...event, reason: reason ?? null }, by ?? system);
  return ended;
}

/**
 * Checks for each ended hold of an account whether the withheld items stay withheld, and drops or delivers them accordingly. Must be called
 * after every change of the account's sanctions, and after its case was decided or closed.
 */
export async function judgeHolds(tx: Db, accountId: string, now: Date): Promise<void> {
  const ended = await judgedHolds(
    tx,
    sql`h.account_id = ${accountId}::uuid and (h.outcome = 'dropped' or h.releasing_since is not null)`,
  );
  for (const hold of ended) {
    const isDropped = hold.outcome === 'dropped';
    if (hold.isJustified === isDropped) continue;
    // After a hold without a decision, none begins until the case is decided.
    const delivered = hold.isDecided || hold.released_by_name !== null ? 'released' : 'expired';
    await settleHold(tx, hold, isDropped ? delivered : 'dropped', now);
  }
}

/** The decision about the case of hold `h`: the first since the hold began. */
const decisive = sql`(select d.id from case_decision d where d.case_id = h.case_id and d.kind = 'full' and d.decided_at >= h.since
  order by d.decided_at limit 1)`;

/**
 * Ended holds, locked, and whether a sanction that was not revoked justifies them: one of the decision about the case; until the case is
 * decided, a temporary restriction since the hold began; or one without a case during the hold.
 */
async function judgedHolds(tx: Db, which: RawBuilder<unknown>) {
  const { rows } = await sql<HoldRow & { isDecided: boolean; isJustified: boolean }>`
    select h.*, c.stage = 'decided' or ${decisive} is not null as "isDecided", exists (
      select from sanction s left join case_decision d on d.id = s.decision_id
      where s.account_id = h.account_id and s.revoked_at is null and case
        when d.id is null then s.starts_at between h.since and h.ended_at
        when d.kind = 'interim' then s.starts_at >= h.since and c.stage <> 'decided' and ${decisive} is null
        else d.id = ${decisive} end) as "isJustified"
    from account_hold h join moderation_case c on c.id = h.case_id
    where h.ended_at is not null and ${which} order by h.since for update of h`.execute(tx);
  return rows;
}

/** Delivers what an ended hold withheld in the background, or drops it. */
async function settleHold(tx: Db, hold: HoldRow, outcome: HoldOutcome, now: Date): Promise<void> {
  const isDropped = outcome === 'dropped';
  await tx
    .updateTable('account_hold')
    .set({ outcome, releasing_since: isDropped ? null : now })
    .where('id', '=', hold.id)
    .execute();
  await withholdLikes(tx, hold, isDropped ? 'dropped' : 'held', now);
  await withholdMessages(tx, hold, isDropped);
}

/** Whether a decision keeps a person's messages from being delivered: those of a hold that it ends, or that its case decides about. */
export async function isWithholding(tx: Db, accountId: string, decisionId: string): Promise<boolean> {
  const { rows } = await sql`
    select from account_hold h where h.account_id = ${accountId}::uuid
      and (h.ended_at is null or h.outcome = 'dropped' and ${decisive} = ${decisionId}::uuid) limit 1`.execute(tx);
  return rows.length > 0;
}
