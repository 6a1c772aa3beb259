import { sql } from 'kysely';
import { undoHours } from '#contract/constants.ts';
import { type Caller, isUuid, requireMember } from '../../../platform/session/caller.ts';
import { AppError, notFound } from '../../../platform/http/app-error.ts';
import { secondsAfter } from '../../../platform/process/clock.ts';
import { inTransaction, type Db } from '../../../platform/db/db.ts';
import { matchSeenBy } from '../matches/match.ts';
import { lockPair } from '../pair.ts';
import { decisionOf, removeDecision, type DecisionRow } from './decisions.ts';

/** Withdraws a like that wasn't returned; returns whether there was one. Throws 409 for a match. The like stays counted. */
export async function withdraw(db: Db, caller: Caller, userId: string): Promise<boolean> {
  requireMember(caller);
  if (!isUuid(userId)) return false;
  return await inTransaction(db, async (tx) => {
    await lockPair(tx, caller.accountId, userId);
    const match = await matchSeenBy(tx, caller, userId);
    if (match === 'shown') throw new AppError('CONFLICT', 'This is a match already');
    const before = await decisionOf(tx, caller.accountId, userId);
    if (match === 'hidden' || before?.kind !== 'like') return false;
    await removeDecision(tx, caller.accountId, userId);
    return true;
  });
}

/**
 * Undoes a decision of the caller: the last one, once; with Premium any of the last day. Throws 404 for none, 403 where it needs
 * Premium, 409 once it's a match. A like stays counted.
 */
export async function undo(
  db: Db,
  caller: Caller,
  userId: string | undefined,
  now: Date,
): Promise<{ userId: string; was: 'like' | 'pass' }> {
  requireMember(caller);
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
    await recordUndo(tx, caller.accountId, now);
    return { userId: row.target_id, was: row.kind };
  });
}

/** The last decision that can still be one; a match with someone who is hidden counts as gone. */
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

/** Whether the caller's one undo is left: the decision before an undone one doesn't become the last one. */
async function isUnused(db: Db, accountId: string, { decided_at }: DecisionRow): Promise<boolean> {
  const count = await db
    .selectFrom('like_count')
    .select('account_id')
    .where('account_id', '=', accountId)
    .where('undone_at', '>=', decided_at)
    .executeTakeFirst();
  return count === undefined;
}

async function recordUndo(tx: Db, accountId: string, now: Date): Promise<void> {
  await tx
    .insertInto('like_count')
    .values({ account_id: accountId, undone_at: now })
    .onConflict((conflict) => conflict.column('account_id').doUpdateSet({ undone_at: now }))
    .execute();
}
