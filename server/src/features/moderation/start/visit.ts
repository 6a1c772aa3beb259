import type { BodyOf } from '#contract/endpoint.ts';
import { sql } from 'kysely';
import { startFirstDays, type markStartSeen } from '#contract/moderation/start.ts';
import type { Db } from '#platform/db/db.ts';
import { secondsAfter } from '#platform/process/clock.ts';
import type { Viewer } from '../../profiles/public.ts';
import type { StaffContext } from '../work/case-row.ts';

/**
 * The time after which changes are new to a member of staff. It moves only when they press "Mark as seen", so that nothing unread
 * disappears; until then, the last seven days are new.
 */
export async function seenUntil(
  db: Db,
  { accountId }: Pick<Viewer, 'accountId'>,
  now: Date,
): Promise<{ since: Date; isFirstVisit: boolean }> {
  const visit = await db
    .selectFrom('start_visit')
    .select('seen_at')
    .where('account_id', '=', accountId)
    .executeTakeFirst();
  const since = visit?.seen_at ?? secondsAfter(now, -startFirstDays * 86_400);
  return { since, isFirstVisit: visit === undefined };
}

/**
 * Marks the changes shown to the caller as seen: never future ones, and never a time before the days of the first visit. Returns the time
 * after which changes are new.
 */
export async function markSeen({ tx, caller, now }: StaffContext, { until }: BodyOf<typeof markStartSeen>) {
  const { since } = await seenUntil(tx, caller, now);
  const seenAt = new Date(Math.max(since.getTime(), Math.min(Date.parse(until), now.getTime())));
  const { seen_at } = await tx
    .insertInto('start_visit')
    .values({ account_id: caller.accountId, seen_at: seenAt })
    .onConflict((conflict) =>
      conflict.column('account_id').doUpdateSet({ seen_at: sql`greatest(start_visit.seen_at, excluded.seen_at)` }),
    )
    .returning('seen_at')
    .executeTakeFirstOrThrow();
  return { since: seen_at };
}
