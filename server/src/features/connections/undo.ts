import { msg } from '@lingui/core/runtime-macro';
import { sql } from 'kysely';
import { undoHours } from '#contract/constants.ts';
import type { Db } from '#platform/db/db.ts';
import { isUuid } from '#platform/db/uuid.ts';
import { AppError, notFound } from '#platform/http/app-error.ts';
import type { CommandContext } from '#platform/http/mount.ts';
import { secondsAfter } from '#platform/process/clock.ts';
import { type Caller, requireMember } from '#platform/session/caller.ts';
import { isOwnLike } from './like.policy.ts';
import { decisionOf, type DecisionRow, lockPair, removeDecision } from './pair.ts';
import { matchSeenBy } from './match.ts';

/**
 * Undoes a decision of the caller: the last one, once; with premium any decision of the last day. Throws 404 if there is none, 403 if it
 * needs premium, and 409 once it's a match. A like stays counted.
 */
export async function undo(
  { tx, caller, now }: CommandContext,
  { userId }: { userId?: string | undefined },
): Promise<{ userId: string; was: 'like' | 'pass' }> {
  requireMember(caller);
  const { target_id } = await undoable(tx, caller, userId, now);
  await lockPair(tx, caller.accountId, target_id);
  const row = await decisionOf(tx, caller.accountId, target_id);
  if (row === undefined || row.kind === 'unmatch') throw notFound();
  const match = await matchSeenBy(tx, caller, target_id);
  if (match === 'shown') throw new AppError('CONFLICT', msg`This is already a match`);
  if (match === 'hidden') throw notFound();
  await removeDecision(tx, caller.accountId, target_id);
  await recordUndo(tx, caller.accountId, now);
  return { userId: target_id, was: isOwnLike(row.kind) ? 'like' : 'pass' };
}

/** Returns the decision about `userId`, or the last decision if none is given. Throws if the caller may not undo it. */
async function undoable(tx: Db, caller: Caller, userId: string | undefined, now: Date): Promise<DecisionRow> {
  const last = await lastDecision(tx, caller.accountId);
  const named = userId === undefined ? last : await namedDecision(tx, caller.accountId, userId);
  if (named === undefined || named.kind === 'unmatch') throw notFound();
  // This is checked first; otherwise the answer would distinguish someone who left from someone who blocked the caller.
  if ((await matchSeenBy(tx, caller, named.target_id)) === 'hidden') throw notFound();
  const isLast = last?.target_id === named.target_id;
  if (!caller.isVip && !(isLast && (await isUnused(tx, caller.accountId, named))))
    throw new AppError('PREMIUM_REQUIRED', msg`Without premium, you can only undo your last decision`);
  if (named.decided_at < secondsAfter(now, -undoHours * 3600)) throw notFound();
  return named;
}

/** The caller's newest decision that can still be undone; a match with someone who is hidden counts as ended. */
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

/** Whether the caller can still use their one undo: after an undo, the decision before doesn't become the last one. */
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
