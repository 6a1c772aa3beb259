import type pg from 'pg';
import { sql } from 'kysely';
import { onlineWindowSeconds } from '#contract/constants.ts';
import { secondsAfter, type Clock } from '../process/clock.ts';
import type { Db } from '../db/db.ts';

const noteAgainAfterMs = 30_000;

/** Collects who was just active and writes it in batches, so that no request waits for it. */
export interface ActivityLog {
  /** Notes a signed-in request; `lastKnown` is what the database held when the caller was loaded. */
  note(accountId: string, lastKnown: Date | number): void;
  /** Writes what was noted. */
  flush(): Promise<void>;
}

/** An activity log over `pool`; `flush` is called by the ticker and at shutdown. */
export function createActivityLog(pool: pg.Pool, clock: Clock): ActivityLog {
  let noted = new Map<string, Date>();
  return {
    note(accountId, lastKnown) {
      const now = clock.now();
      if (now.getTime() - Number(lastKnown) > noteAgainAfterMs) noted.set(accountId, now);
    },
    async flush() {
      if (noted.size === 0) return;
      const batch = noted;
      noted = new Map();
      // Sorted, so that two processes lock rows in the same order.
      const entries = [...batch].sort(([a], [b]) => (a < b ? -1 : 1));
      await pool.query(
        `with seen as (select * from unnest($1::uuid[], $2::timestamptz[]) as s (id, at)),
         moved as (
           update presence p set last_active_at = seen.at, online = true from seen
           where p.account_id = seen.id and p.last_active_at < seen.at returning p.account_id
         )
         update directory d set online = true from moved where d.account_id = moved.account_id and not d.online`,
        [entries.map(([id]) => id), entries.map(([, at]) => at)],
      );
    },
  };
}

const sweptAtOnce = 2000;

/** Takes those offline who made no request within the online window, a few thousand a call, so that none of them waits long. */
export async function sweepPresence(db: Db, now: Date): Promise<void> {
  await sql`
    with gone as (
      update presence set online = false where account_id in (
        select account_id from presence where online and last_active_at < ${secondsAfter(now, -onlineWindowSeconds)}
        order by last_active_at limit ${sweptAtOnce} for update skip locked
      ) returning account_id
    )
    update directory d set online = false from gone where d.account_id = gone.account_id and d.online`.execute(db);
}
