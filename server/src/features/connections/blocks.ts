import { sql } from 'kysely';
import { type Caller, requireMember } from '../../platform/session/caller.ts';
import { isUuid } from '../../platform/db/uuid.ts';
import { invalid, notFound } from '../../platform/http/app-error.ts';
import { type Db, inTransaction } from '../../platform/db/db.ts';
import type { Emit, Reactions } from '../../events.ts';
import { endMatch, matchSeenBy } from './match.ts';
import { lockPair } from './pair.ts';
import type { Deps } from '../../deps.ts';

/**
 * Hides someone and the caller from each other; throws 400 for the caller's own id, 403 for staff. The answer doesn't
 * reveal who exists.
 */
export async function block(tx: Db, emit: Emit, caller: Caller, userId: string, now: Date): Promise<void> {
  requireMember(caller);
  if (userId === caller.accountId) throw invalid('userId', 'You cannot block yourself');
  if (isUuid(userId)) await hide(tx, emit, caller.accountId, userId, 'listed', now);
}

/**
 * Hides two people from each other on behalf of the first, and ends their match; hiding again changes nothing. A like without an
 * answer stays, so that no one learns from their own likes who blocked them. Only `listed` appears in the list of blocks; `unlisted` is
 * for reporters, `unmatch` for ended matches, which can't be undone.
 */
export async function hide(
  tx: Db,
  emit: Emit,
  blockerId: string,
  blockedId: string,
  how: 'listed' | 'unlisted' | 'unmatch',
  now: Date,
): Promise<void> {
  await lockPair(tx, blockerId, blockedId);
  await endMatch(tx, emit, blockerId, blockedId, now);
  await sql`
    insert into block as b (blocker_id, blocked_id, created_at, is_listed, by_unmatch)
    values (${blockerId}::uuid, ${blockedId}::uuid, ${now}, ${how === 'listed'}, ${how === 'unmatch'})
    on conflict (blocker_id, blocked_id) do update set
      created_at = case when excluded.is_listed and not b.is_listed then excluded.created_at else b.created_at end,
      is_listed = b.is_listed or excluded.is_listed,
      by_unmatch = b.by_unmatch or excluded.by_unmatch`.execute(tx);
}

/** Removes the caller's block of someone, except for what an unmatch hides; throws 403 for staff. */
export async function unblock(db: Db, caller: Caller, userId: string): Promise<void> {
  requireMember(caller);
  if (!isUuid(userId)) return;
  await sql`
    with kept as (
      update block set is_listed = false
      where blocker_id = ${caller.accountId}::uuid and blocked_id = ${userId}::uuid and by_unmatch)
    delete from block
    where blocker_id = ${caller.accountId}::uuid and blocked_id = ${userId}::uuid and not by_unmatch`.execute(db);
}

/** Ends a match that the caller sees, for both and silently, and hides the two from each other for good; throws 404 for any other. */
export async function unmatch(
  { db, emit }: Pick<Deps, 'db' | 'emit'>,
  caller: Caller,
  matchId: string,
  now: Date,
): Promise<void> {
  requireMember(caller);
  const row = isUuid(matchId)
    ? await db.selectFrom('match').selectAll().where('id', '=', matchId).executeTakeFirst()
    : undefined;
  if (row === undefined || (row.low_id !== caller.accountId && row.high_id !== caller.accountId)) throw notFound();
  const otherId = row.low_id === caller.accountId ? row.high_id : row.low_id;
  await inTransaction(db, async (tx) => {
    await lockPair(tx, row.low_id, row.high_id);
    if ((await matchSeenBy(tx, caller, otherId)) !== 'shown') throw notFound();
    await hide(tx, emit, caller.accountId, otherId, 'unmatch', now);
  });
}

/** Deletes the rows of ending accounts that no foreign key covers. */
export const connectionReactions: Reactions = {
  // These name people by ids without a foreign key, so that no write waits for them.
  async accountsEnding(tx, { accountIds }) {
    await sql`delete from block where blocked_id = any (${accountIds}::uuid[])`.execute(tx);
    await sql`delete from training_event
      where viewer_id = any (${accountIds}::uuid[]) or target_id = any (${accountIds}::uuid[])`.execute(tx);
  },
};
