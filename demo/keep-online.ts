import { sql } from 'kysely';
import { onlineWindowSeconds } from '#contract/constants.ts';
import { secondsAfter } from '#platform/process/clock.ts';
import type { Db } from '#platform/db/db.ts';
import { demoAccounts } from './accounts.ts';
import { accountNumber } from './members/member.ts';
import { demoId, demoIdEnding, onlineRanges, type IdRange } from './members/id.ts';

/** How often to call `keepDemoOnline`. */
export const demoActivityEverySeconds = 30;
/** The most members to bring online in one call, so that no call takes long after a pause. */
const arrivalsAtOnce = 1000;

const accountIds = demoAccounts.map((_, place) => demoId(accountNumber(place)));

/**
 * Keeps about 6 % of the generated members online: each in turn, about 45 minutes twice a day. Leaves out the demo accounts,
 * which users sign in with, and all accounts that are not demo data. Members whose turn is over go offline by the
 * presence sweep.
 */
export async function keepDemoOnline(db: Db, now: Date): Promise<void> {
  for (const range of onlineRanges(now)) {
    await refresh(db, range, now);
    await bringOnline(db, range, now);
  }
}

const isIn = ({ from, to }: IdRange) => sql`
  p.account_id >= ${from} and (${to}::uuid is null or p.account_id < ${to})
  and right(p.account_id::text, 12) = ${demoIdEnding} and p.account_id <> all (${accountIds}::uuid[])`;

/** Refreshes half of the online members per call, because refreshing all twice within the online window would be wasted work. */
async function refresh(db: Db, range: IdRange, now: Date): Promise<void> {
  const half = Math.floor(now.getTime() / 1000 / demoActivityEverySeconds) % 2;
  const lateAfterSeconds = onlineWindowSeconds - demoActivityEverySeconds;
  await sql`
    update presence p set last_active_at = ${now}
    where p.online and ${isIn(range)} and (
      p.last_active_at < ${secondsAfter(now, -lateAfterSeconds)}
      or p.last_active_at < ${secondsAfter(now, -demoActivityEverySeconds / 2)}
        and get_byte(uuid_send(p.account_id), 4) % 2 = ${half}
    )`.execute(db);
}

async function bringOnline(db: Db, range: IdRange, now: Date): Promise<void> {
  await sql`
    with arriving as (
      select p.account_id from presence p
      where not p.online and p.is_active and p.last_active_at > '-infinity' and p.last_active_at < ${now} and ${isIn(range)}
        and exists (select from directory d where d.account_id = p.account_id)
      order by p.account_id limit ${arrivalsAtOnce}
      for update skip locked
    ), moved as (
      update presence p set last_active_at = ${now}, online = true from arriving
      where p.account_id = arriving.account_id returning p.account_id
    )
    select logic.refresh_online(array_agg(account_id)) from moved having count(*) > 0`.execute(db);
}
