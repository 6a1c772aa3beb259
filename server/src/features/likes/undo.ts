import { sql } from 'kysely';
import { undoHours } from '#contract/constants.ts';
import { isUuid } from '../../platform/session/access-token.ts';
import { AppError, notFound } from '../../platform/http/app-error.ts';
import type { Caller } from '../../platform/session/caller.ts';
import { secondsAfter } from '../../platform/process/clock.ts';
import { inTransaction, type Db } from '../../platform/db/db.ts';
import { decisionOf, lockPair, removeDecision, type DecisionRow } from './queries.ts';
import { demandMember, matchSeenBy } from './likes.ts';

/**
 * Takes a decision of the caller's back: the last one, once; with premium any of the last day. 404 for none, 403 where it takes
 * premium, 409 once it is a match. A like of the day stays spent.
 */
export async function undo(
  db: Db,
  caller: Caller,
  userId: string | undefined,
  now: Date,
): Promise<{ userId: string; was: 'like' | 'pass' }> {
  demandMember(caller);
  const last = await lastDecision(db, caller.accountId);
  const named = userId === undefined ? last : await namedDecision(db, caller.accountId, userId);
  if (named === undefined || named.kind === 'unmatch') throw notFound();
  const isLast = last?.target_id === named.target_id;
  if (!caller.isVip && !(isLast && (await isUnused(db, caller.accountId, named))))
    throw new AppError('PREMIUM_REQUIRED', 'Without premium only the last decision can be taken back');
  if (named.decided_at < secondsAfter(now, -undoHours * 3600)) throw notFound();
  return await inTransaction(db, async (tx) => {
    await lockPair(tx, caller.accountId, named.target_id);
    const row = await decisionOf(tx, caller.accountId, named.target_id);
    if (row === undefined || row.kind === 'unmatch') throw notFound();
    const match = await matchSeenBy(tx, caller, row.target_id);
    if (match === 'shown') throw new AppError('CONFLICT', 'This is a match already');
    if (match === 'hidden') throw notFound();
    await removeDecision(tx, caller.accountId, row.target_id);
    await noteUndo(tx, caller.accountId, now);
    return { userId: row.target_id, was: row.kind };
  });
}

/** The last decision that is still one, but for a match with somebody who is hidden, which is nowhere. */
async function lastDecision(db: Db, accountId: string): Promise<DecisionRow | undefined> {
  const { rows } = await sql<DecisionRow>`
    select d.* from decision d
    where d.viewer_id = ${accountId}::uuid and d.kind <> 'unmatch' and (
      not exists (select from match m
        where m.low_id = least(d.viewer_id, d.target_id) and m.high_id = greatest(d.viewer_id, d.target_id))
      or exists (select from directory s where s.account_id = d.target_id and s.is_shown))
    order by d.decided_at desc, d.target_id limit 1`.execute(db);
  return rows[0];
}

async function namedDecision(db: Db, accountId: string, userId: string): Promise<DecisionRow | undefined> {
  return isUuid(userId) ? await decisionOf(db, accountId, userId) : undefined;
}

/** The decision before one that was taken back is not the last one. */
async function isUnused(db: Db, accountId: string, { decided_at }: DecisionRow): Promise<boolean> {
  const count = await db
    .selectFrom('like_count')
    .select('account_id')
    .where('account_id', '=', accountId)
    .where('undone_at', '>=', decided_at)
    .executeTakeFirst();
  return count === undefined;
}

async function noteUndo(tx: Db, accountId: string, now: Date): Promise<void> {
  await tx
    .insertInto('like_count')
    .values({ account_id: accountId, undone_at: now })
    .onConflict((conflict) => conflict.column('account_id').doUpdateSet({ undone_at: now }))
    .execute();
}
