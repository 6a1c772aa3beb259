import { setTimeout as pause } from 'node:timers/promises';
import { sql } from 'kysely';
import type pg from 'pg';
import { onlineWindowSeconds } from '#contract/constants.ts';
import type { Db } from '../db/db.ts';
import { secondsAfter, type Clock } from '../process/clock.ts';

const noteAgainAfterMs = 30_000;

/** Collects recently active accounts and writes them in batches, so that no request waits for it. */
export interface ActivityLog {
  /** Records a signed-in request; `lastKnown` is the stored time when the caller was loaded. */
  note(accountId: string, lastKnown: Date | number): void;
  /**
   * Writes the recorded activity at once, or spread over `overMs`: marking hundreds of members online at once keeps a
   * database processor busy.
   */
  flush(overMs?: number): Promise<void>;
}

const writtenAtOnce = 50;

/** An activity log over `pool`; the ticker and the shutdown call `flush`. */
export function createActivityLog(pool: pg.Pool, clock: Clock): ActivityLog {
  const noted = new Map<string, Date>();

  async function writeSome(): Promise<void> {
    const some = [...noted].slice(0, writtenAtOnce);
    for (const [id] of some) noted.delete(id);
    // Sorted, so that two processes lock rows in the same order.
    const entries = some.sort(([a], [b]) => (a < b ? -1 : 1));
    await pool.query(
      `with seen as (select * from unnest($1::uuid[], $2::timestamptz[]) as s (id, at)),
       moved as (
         update presence p set last_active_at = seen.at, online = true from seen
         where p.account_id = seen.id and p.last_active_at < seen.at returning p.account_id
       )
       select logic.refresh_online(array_agg(m.account_id)) from moved m
       where not exists (select from online_member o where o.account_id = m.account_id) having count(*) > 0`,
      [entries.map(([id]) => id), entries.map(([, at]) => at)],
    );
  }

  return {
    note(accountId, lastKnown) {
      const now = clock.now();
      if (now.getTime() - Number(lastKnown) > noteAgainAfterMs) noted.set(accountId, now);
    },
    async flush(overMs = 0) {
      const writes = Math.ceil(noted.size / writtenAtOnce);
      // Another call may write the rest in the meantime.
      for (let written = 0; written < writes && noted.size > 0; written += 1) {
        await writeSome();
        if (overMs > 0 && written < writes - 1) await pause(overMs / writes, undefined, { ref: false });
      }
    },
  };
}

const sweptAtOnce = 2000;
/** How far the clock of another process may be ahead. */
const aheadSeconds = 60;

/**
 * Marks members offline who made no request within the online window, at most a few thousand per call, so that no row
 * stays locked for long. Times in the future, written while a clock was ahead, are set to now; otherwise these members
 * would stay online until then.
 */
export async function sweepPresence(db: Db, now: Date): Promise<void> {
  await sql`
    with ahead as (
      update presence set last_active_at = ${now} where account_id in (
        select account_id from presence where last_active_at > ${secondsAfter(now, aheadSeconds)}
        order by last_active_at desc limit ${sweptAtOnce} for update skip locked
      )
    ), gone as (
      update presence set online = false where account_id in (
        select account_id from presence where online and last_active_at < ${secondsAfter(now, -onlineWindowSeconds)}
        order by last_active_at limit ${sweptAtOnce} for update skip locked
      ) returning account_id
    )
    select logic.refresh_online(array_agg(account_id)) from gone having count(*) > 0`.execute(db);
}
