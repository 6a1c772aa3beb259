import { msg } from '@lingui/core/runtime-macro';
import { sql } from 'kysely';
import { invalid, notFound } from '#platform/http/app-error.ts';
import type { CommandContext } from '#platform/http/mount.ts';
import { requireMember } from '#platform/session/caller.ts';
import { endMatch, type MatchContext, matchSeenBy } from './match.ts';
import { lockPair } from './pair.ts';

/**
 * Hides someone and the caller from each other. Throws 400 for the caller's own id and 403 for staff. The answer doesn't reveal whether the
 * id exists.
 */
export async function block(context: CommandContext, { userId }: { userId: string }): Promise<void> {
  const { caller } = context;
  requireMember(caller);
  if (userId === caller.accountId) throw invalid('userId', msg`You cannot block yourself`);
  await hide(context, { blockerId: caller.accountId, blockedId: userId, how: 'listed' });
}

/** Removes the caller's block of someone. An unmatch or a known address keeps hiding the two. Throws 403 for staff. */
export async function unblock({ tx, caller }: CommandContext, { userId }: { userId: string }): Promise<void> {
  requireMember(caller);
  await sql`
    update block set is_listed = false, is_by_address_only = not by_unmatch
    where blocker_id = ${caller.accountId}::uuid and blocked_id = ${userId}::uuid and (by_unmatch or by_address is not null)`.execute(
    tx,
  );
  await sql`
    delete from block
    where blocker_id = ${caller.accountId}::uuid and blocked_id = ${userId}::uuid and not by_unmatch and by_address is null`.execute(
    tx,
  );
}

/** Why two people no longer see each other; see `hide`. */
interface Hiding {
  blockerId: string;
  blockedId: string;
  how: 'listed' | 'unlisted' | 'unmatch';
}

/**
 * Hides two people from each other on behalf of the first, and ends their match. Hiding them again changes nothing. An unanswered like
 * stays, so that members can't find out from their own likes who blocked them. Only `listed` appears in the list of blocks; `unlisted` is
 * for reporters, `unmatch` for ended matches, which can't be undone.
 */
export async function hide(context: MatchContext, { blockerId, blockedId, how }: Hiding): Promise<void> {
  const { tx, now } = context;
  await lockPair(tx, blockerId, blockedId);
  await endMatch(context, blockerId, blockedId);
  await context.deps.emit(tx, 'hidden', { oneId: blockerId, otherId: blockedId });
  await sql`
    insert into block as b (blocker_id, blocked_id, created_at, is_listed, by_unmatch)
    values (${blockerId}::uuid, ${blockedId}::uuid, ${now}, ${how === 'listed'}, ${how === 'unmatch'})
    on conflict (blocker_id, blocked_id) do update set
      created_at = case when excluded.is_listed and not b.is_listed then excluded.created_at else b.created_at end,
      is_listed = b.is_listed or excluded.is_listed,
      by_unmatch = b.by_unmatch or excluded.by_unmatch, is_by_address_only = false`.execute(tx);
}

/**
 * Ends a match that the caller sees, for both and without a notification, and hides the two from each other permanently. Throws 404 for any
 * other id.
 */
export async function unmatch(context: CommandContext, { id }: { id: string }): Promise<void> {
  const { tx, caller } = context;
  requireMember(caller);
  const row = await tx.selectFrom('match').selectAll().where('id', '=', id).executeTakeFirst();
  if (row === undefined || (row.low_id !== caller.accountId && row.high_id !== caller.accountId)) throw notFound();
  const otherId = row.low_id === caller.accountId ? row.high_id : row.low_id;
  await lockPair(tx, row.low_id, row.high_id);
  if ((await matchSeenBy(tx, caller, otherId)) !== 'shown') throw notFound();
  await hide(context, { blockerId: caller.accountId, blockedId: otherId, how: 'unmatch' });
}
