import type { Caller } from '../../../platform/session/caller.ts';
import type { Db } from '../../../platform/db/db.ts';
import { notify, settle } from '../../../platform/notify/notify.ts';
import { userShownTo } from '../../profiles/public.ts';
import { setPending } from '../likes/decisions.ts';
import { inOrder } from '../pair.ts';

/** The id of the match of two people, or null. */
export async function matchOf(db: Db, one: string, other: string): Promise<string | null> {
  const [low, high] = inOrder(one, other);
  const row = await db
    .selectFrom('match')
    .select('id')
    .where('low_id', '=', low)
    .where('high_id', '=', high)
    .executeTakeFirst();
  return row?.id ?? null;
}

/**
 * The caller's match with someone, as the caller sees it. A match with someone who is hidden looks as if it had ended, so that
 * nothing distinguishes a block, which ends a match, from leaving, which hides it.
 */
export async function matchSeenBy(tx: Db, caller: Caller, userId: string): Promise<'none' | 'hidden' | 'shown'> {
  if ((await matchOf(tx, caller.accountId, userId)) === null) return 'none';
  return (await userShownTo(tx, caller, userId)) === undefined ? 'hidden' : 'shown';
}

/** Makes two people who like each other a match, and notifies both; the pair is locked by the caller. Returns the match's id. */
export async function makeMatch(tx: Db, caller: Caller, userId: string, now: Date): Promise<string> {
  const [low, high] = inOrder(caller.accountId, userId);
  const { id } = await tx
    .insertInto('match')
    .values({ low_id: low, high_id: high, matched_at: now })
    .returning('id')
    .executeTakeFirstOrThrow();
  await setPending(tx, caller.accountId, userId, false);
  await setPending(tx, userId, caller.accountId, false);
  // The answer to the like shows the match, so the caller's notification counts as read.
  const own = { accountId: caller.accountId, kind: 'match', subjectId: id } as const;
  await notify(tx, { ...own, accountId: userId }, now);
  await notify(tx, own, now);
  await settle(tx, own, now);
  return id;
}
