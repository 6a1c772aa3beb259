import { isUuid } from '../../platform/db/uuid.ts';
import { notFound } from '../../platform/http/app-error.ts';
import type { CommandContext } from '../../platform/http/mount.ts';
import { requireMember } from '../../platform/session/caller.ts';
import { hide } from './hide.ts';
import { matchSeenBy } from './match.ts';
import { lockPair } from './pair.ts';

/**
 * Ends a match that the caller sees, for both and without a notification, and hides the two from each other permanently. Throws 404 for any
 * other id.
 */
export async function unmatch(context: CommandContext, { id }: { id: string }): Promise<void> {
  const { tx, caller } = context;
  requireMember(caller);
  const row = isUuid(id) ? await tx.selectFrom('match').selectAll().where('id', '=', id).executeTakeFirst() : undefined;
  if (row === undefined || (row.low_id !== caller.accountId && row.high_id !== caller.accountId)) throw notFound();
  const otherId = row.low_id === caller.accountId ? row.high_id : row.low_id;
  await lockPair(tx, row.low_id, row.high_id);
  if ((await matchSeenBy(tx, caller, otherId)) !== 'shown') throw notFound();
  await hide(context, { blockerId: caller.accountId, blockedId: otherId, how: 'unmatch' });
}
