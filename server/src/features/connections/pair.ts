import { sql } from 'kysely';
import { isUuid } from '../../platform/db/uuid.ts';
import { requireMember, type Caller } from '../../platform/session/caller.ts';
import { invalid, notFound } from '../../platform/http/app-error.ts';
import type { Db } from '../../platform/db/db.ts';
import { userShownTo, type UserRow } from '../profiles/public.ts';
import { decisionsBetween, type DecisionsBetween } from './decisions.ts';

/**
 * Locks two people until the transaction ends: other decisions between them and the deletion of their accounts wait. Returns whether both
 * accounts exist.
 */
export async function lockPair(tx: Db, one: string, other: string): Promise<boolean> {
  const { rows } = await sql<{ existing: number }>`
    select logic.lock_pair(${one}::uuid, ${other}::uuid) as existing`.execute(tx);
  return rows[0]?.existing === 2;
}

/**
 * Someone the caller may see, locked together with the caller, and what the two decided about each other. Throws 403 for staff, 400 for the
 * caller's own id, and 404 for anyone else.
 */
export async function lockVisibleMember(
  tx: Db,
  caller: Caller,
  userId: string,
): Promise<{ user: UserRow } & DecisionsBetween> {
  requireMember(caller);
  if (userId === caller.accountId) throw invalid('userId', 'This is you');
  if (!isUuid(userId)) throw notFound();
  if (!(await lockPair(tx, caller.accountId, userId))) throw notFound();
  // After taking the lock, these queries see what the other person has just done.
  const user = await userShownTo(tx, caller, userId);
  if (user === undefined) throw notFound();
  return { user, ...(await decisionsBetween(tx, caller.accountId, userId)) };
}

/** The two ids in the order of the columns `low_id` and `high_id`. */
export const lowAndHigh = (one: string, other: string): [low: string, high: string] =>
  one < other ? [one, other] : [other, one];
