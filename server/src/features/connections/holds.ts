import { type RawBuilder, sql } from 'kysely';
import { holdReleaseHours } from '#contract/moderation/holds.ts';
import type { Db } from '#platform/db/db.ts';
import type { DecisionRow } from './pair.ts';

/**
 * The hold of an account; null if its likes, notes and first messages are delivered. A hold that is found doesn't end before the transaction
 * does, so what the transaction stores is delivered or dropped with the rest.
 */
export async function holdOf(tx: Db, accountId: string): Promise<string | null> {
  const { rows } = await sql<{ id: string }>`
    select id from account_hold where account_id = ${accountId}::uuid and ended_at is null for share`.execute(tx);
  return rows[0]?.id ?? null;
}

/** Whether an account is held, as `holdOf`. */
export const isHeld = async (tx: Db, accountId: string): Promise<boolean> => (await holdOf(tx, accountId)) !== null;

/** Whether this account stored the other's address as that of someone it knows, so that the other doesn't see it. */
const hidesFrom = (accountId: string, otherId: string) => sql<boolean>`exists (
  select from block where blocker_id = ${accountId}::uuid and blocked_id = ${otherId}::uuid and is_by_address_only)`;

/**
 * How a like is stored, and under which hold: delivered; held like everything of a held account (see `holdOf`); or dropped because its
 * receiver must not see the sender. An answer to a like is delivered, because the other person's like was; of a held account, its note
 * waits. The pair is locked.
 */
export async function fateOfLike(
  tx: Db,
  accountId: string,
  targetId: string,
  { isAnswer, hasNote }: { isAnswer: boolean; hasNote: boolean },
): Promise<Pick<DecisionRow, 'hold_id' | 'is_note_held'> & { kind: 'like' | 'held' | 'dropped' }> {
  const { rows } = await sql<{ isHidden: boolean; hold_id: string | null }>`
    with held as (select id from account_hold where account_id = ${accountId}::uuid and ended_at is null for share)
    select not ${isAnswer}::boolean and ${hidesFrom(accountId, targetId)} as "isHidden", (select id from held) as hold_id`.execute(
    tx,
  );
  const { isHidden = false, hold_id = null } = rows[0] ?? {};
  if (isHidden) return { kind: 'dropped', hold_id: null, is_note_held: false };
  if (!isAnswer || hold_id === null) return { kind: hold_id === null ? 'like' : 'held', hold_id, is_note_held: false };
  return { kind: 'like', hold_id: hasNote ? hold_id : null, is_note_held: hasNote };
}

/** Whether an account has likes that were not delivered. */
export async function hasUndelivered(db: Db, accountId: string): Promise<boolean> {
  const { rows } = await sql`
    select from decision where viewer_id = ${accountId}::uuid and kind in ('held', 'dropped') limit 1`.execute(db);
  return rows.length > 0;
}

/** A hold, and whose it is. */
export interface HoldKey {
  id: string;
  account_id: string;
}

/** A hold whose words are being delivered, and since when. */
export interface Release extends HoldKey {
  releasing_since: Date;
}

/**
 * A condition: it is the turn of what a hold withheld from a person or in a match with this id. Each has a random time within two hours, so
 * that matches and notifications don't come all at once.
 */
export const isDue = ({ id, releasing_since }: Release, part: RawBuilder<unknown>, now: Date): RawBuilder<boolean> =>
  sql<boolean>`${releasing_since}::timestamptz + ${holdReleaseHours}::int * interval '1 hour'
    * (('x' || left(md5(${part}::text || ${id}::text), 8))::bit(32)::bigint / 4294967296.0) <= ${now}::timestamptz`;

/** Makes the likes that a hold withholds wait for their delivery, or keeps them from it. Only the sender sees either. */
export async function withholdLikes(tx: Db, { id, account_id }: HoldKey, kind: 'held' | 'dropped'): Promise<void> {
  await sql`update decision set kind = ${kind}
    where viewer_id = ${account_id}::uuid and hold_id = ${id}::uuid and kind in ('held', 'dropped')`.execute(tx);
}
