import { sql } from 'kysely';
import { freeLikesPerDay } from '#contract/constants.ts';
import type { Db } from '../../platform/db/db.ts';
import { AppError } from '../../platform/http/app-error.ts';
import type { Caller } from '../../platform/session/caller.ts';

const dayOf = (at: Date) => at.toISOString().slice(0, 10);

/**
 * Counts a like for today (UTC). It stays counted if the like is undone. Returns how many likes the caller has left today, null with
 * premium. Throws 422 for the 31st like of a member without premium.
 */
export async function countLike(tx: Db, caller: Caller, now: Date): Promise<number | null> {
  const limit = caller.isVip ? null : freeLikesPerDay;
  const { rows } = await sql<{ sent: number }>`
    insert into like_count as c (account_id, sent_on, sent) values (${caller.accountId}::uuid, ${dayOf(now)}::date, 1)
    on conflict (account_id) do update
      set sent = case when c.sent_on = excluded.sent_on then c.sent + 1 else 1 end, sent_on = excluded.sent_on
      where ${limit}::int is null or c.sent_on <> excluded.sent_on or c.sent < ${limit}::int
    returning sent`.execute(tx);
  const [counted] = rows;
  if (counted === undefined)
    throw new AppError('LIKES_USED_UP', `Those were your ${freeLikesPerDay} likes for today. You get more tomorrow.`);
  return likesLeft(caller, counted.sent);
}

/** How many likes the caller has left today; null with premium, which has no limit. */
export async function remainingLikes(db: Db, caller: Caller, now: Date): Promise<number | null> {
  if (caller.isVip) return null;
  const { rows } = await sql<{ sent: number }>`
    select sent from like_count where account_id = ${caller.accountId}::uuid and sent_on = ${dayOf(now)}::date`.execute(
    db,
  );
  return likesLeft(caller, rows[0]?.sent ?? 0);
}

/** How many likes are left to a caller who has sent this many today; null with premium. */
export function likesLeft({ isVip }: Pick<Caller, 'isVip'>, sent: number): number | null {
  return isVip ? null : Math.max(0, freeLikesPerDay - sent);
}
