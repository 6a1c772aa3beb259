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

/** How a like is stored, and under which hold. */
type Fate = Pick<DecisionRow, 'hold_id' | 'is_note_held'> & { kind: 'like' | 'held' | 'dropped' };

/**
 * How a like is stored: delivered; held like everything of a held account (see `holdOf`); or dropped because its receiver must not see the
 * sender. An answer to a like is delivered, because the other person's like was; of a held account, its note waits. A like that meets one
 * which a hold withholds (`heldBack`) shares its fate; otherwise the held person would learn of the hold. The pair is locked.
 */
export async function fateOfLike(
  tx: Db,
  accountId: string,
  targetId: string,
  { isAnswer, hasNote, heldBack }: { isAnswer: boolean; hasNote: boolean; heldBack: DecisionRow | undefined },
): Promise<Fate> {
  const { rows } = await sql<{ isHidden: boolean; hold_id: string | null }>`
    with held as (select id from account_hold where account_id = ${accountId}::uuid and ended_at is null for share)
    select not ${isAnswer}::boolean and ${hidesFrom(accountId, targetId)} as "isHidden", (select id from held) as hold_id`.execute(
    tx,
  );
  const { isHidden = false, hold_id = null } = rows[0] ?? {};
  if (isHidden) return { kind: 'dropped', hold_id: null, is_note_held: false };
  if (isAnswer && hold_id !== null) return { kind: 'like', hold_id: hasNote ? hold_id : null, is_note_held: hasNote };
  if (hold_id !== null) return { kind: 'held', hold_id, is_note_held: false };
  return (await sharedFate(tx, heldBack)) ?? { kind: 'like', hold_id: null, is_note_held: false };
}

/** The fate of a like that meets one which a hold withholds, whose end waits for the transaction; null if none is met. */
export async function sharedFate(tx: Db, heldBack: DecisionRow | undefined): Promise<Fate | null> {
  if (heldBack?.kind !== 'held' || heldBack.hold_id === null) return null;
  if ((await lockedOutcome(tx, heldBack.hold_id)) === 'dropped') return null;
  return { kind: 'held', hold_id: heldBack.hold_id, is_note_held: false };
}

/** How a hold ended, null if it didn't. It doesn't end, or end in another way, before the transaction does. */
export async function lockedOutcome(tx: Db, holdId: string): Promise<string | null> {
  const { rows } = await sql<{ outcome: string | null }>`
    select outcome from account_hold where id = ${holdId}::uuid for share`.execute(tx);
  return rows[0]?.outcome ?? null;
}

/** A hold and its account. */
export interface HoldKey {
  id: string;
  account_id: string;
}

/** A hold whose withheld items are being delivered, and since when. */
export interface Release extends HoldKey {
  releasing_since: Date;
}

/**
 * A condition: it is time to deliver what a hold withheld from a person or in a match with this id. Each has a random time within two
 * hours, so that matches and notifications don't arrive all at once.
 */
export const isDue = ({ id, releasing_since }: Release, part: RawBuilder<unknown>, now: Date): RawBuilder<boolean> =>
  sql<boolean>`${releasing_since}::timestamptz + ${holdReleaseHours}::int * interval '1 hour'
    * (('x' || left(md5(${part}::text || ${id}::text), 8))::bit(32)::bigint / 4294967296.0) <= ${now}::timestamptz`;

/**
 * Makes the likes that a hold withholds wait for their delivery, or keeps those of the held person from it. The likes of others that met one
 * of them are then delivered.
 */
export async function withholdLikes(
  tx: Db,
  { id, account_id }: HoldKey,
  kind: 'held' | 'dropped',
  now: Date,
): Promise<void> {
  await sql`update decision set kind = ${kind}
    where viewer_id = ${account_id}::uuid and hold_id = ${id}::uuid and kind in ('held', 'dropped')`.execute(tx);
  if (kind === 'dropped')
    await sql`update decision d set kind = 'like', hold_id = null, delivered_at = ${now}, is_pending = not exists (
        select from decision own where own.viewer_id = d.target_id and own.target_id = d.viewer_id)
      where viewer_id <> ${account_id}::uuid and hold_id = ${id}::uuid and kind = 'held'`.execute(tx);
}
