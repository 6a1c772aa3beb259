import { sql } from 'kysely';
import type { Db } from '../../platform/db/db.ts';

/**
 * Whether an account is held, so that its likes, notes and first messages are not delivered. A hold that is found doesn't end before the
 * transaction does, so what the transaction stores is delivered or dropped with the rest.
 */
export async function isHeld(tx: Db, accountId: string): Promise<boolean> {
  const { rows } = await sql`
    select from account_hold where account_id = ${accountId}::uuid and ended_at is null for share`.execute(tx);
  return rows.length > 0;
}

/** Whether this account stored the other's address as that of someone it knows, so that the other doesn't see it. */
const hidesFrom = (accountId: string, otherId: string) => sql<boolean>`exists (
  select from block where blocker_id = ${accountId}::uuid and blocked_id = ${otherId}::uuid and is_by_address_only)`;

/**
 * How a like is stored: delivered, held like everything of a held account (see `isHeld`), or dropped because its receiver must not see the
 * sender, unless it answers a like. The pair is locked.
 */
export async function kindOfLike(
  tx: Db,
  accountId: string,
  targetId: string,
  isAnswer: boolean,
): Promise<'like' | 'held' | 'dropped'> {
  const { rows } = await sql<{ kind: 'like' | 'held' | 'dropped' }>`
    with held as (select from account_hold where account_id = ${accountId}::uuid and ended_at is null for share)
    select case when not ${isAnswer}::boolean and ${hidesFrom(accountId, targetId)} then 'dropped' when exists (select from held) then 'held' else 'like' end as kind`.execute(
    tx,
  );
  return rows[0]?.kind ?? 'held';
}

/** Whether an account has likes that were not delivered. */
export async function hasUndelivered(db: Db, accountId: string): Promise<boolean> {
  const { rows } = await sql`
    select from decision where viewer_id = ${accountId}::uuid and kind in ('held', 'dropped') limit 1`.execute(db);
  return rows.length > 0;
}

/** Makes sure that an account's held likes are never delivered. Only the sender still sees them. */
export async function dropHeldLikes(tx: Db, accountId: string): Promise<void> {
  await sql`update decision set kind = 'dropped' where viewer_id = ${accountId}::uuid and kind = 'held'`.execute(tx);
}

/** Lets an account's dropped likes wait for their release again. */
export async function holdDroppedLikes(tx: Db, accountId: string): Promise<void> {
  await sql`update decision set kind = 'held' where viewer_id = ${accountId}::uuid and kind = 'dropped'`.execute(tx);
}

/** Whether an account is in the directory of members that others may see. */
export async function isShown(db: Db, accountId: string): Promise<boolean> {
  const { rows } = await sql`
    select from directory where account_id = ${accountId}::uuid and is_shown`.execute(db);
  return rows.length > 0;
}
