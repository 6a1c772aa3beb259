import { type Caller, isUuid, requireMember } from '../../../platform/session/caller.ts';
import { notFound } from '../../../platform/http/app-error.ts';
import { inTransaction } from '../../../platform/db/db.ts';
import type { Deps } from '../../../deps.ts';
import { hide } from '../blocks/block.ts';
import { lockPair } from '../pair.ts';
import { matchSeenBy } from './match.ts';

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
