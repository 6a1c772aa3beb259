import type pg from 'pg';
import type { WorkerEvents } from 'graphile-worker';

/** A time further in the future than this was written while a clock was ahead. */
const aheadMs = 60_000;

/**
 * Resets schedules whose last run is in the future, which happens when a clock was ahead: otherwise they wouldn't run
 * again until then. The library compares these times with this process's clock, so this does too.
 */
export async function correctSchedules(pool: pg.Pool): Promise<void> {
  const now = Date.now();
  await pool.query(
    `update graphile_worker._private_known_crontabs
     set last_execution = least(last_execution, $1), known_since = least(known_since, $1)
     where greatest(last_execution, known_since) > $2`,
    [new Date(now), new Date(now + aheadMs)],
  );
}

/** Whether the runner with these events waits for a minute in the future, because the clock was set back. */
export function watchSchedules(events: WorkerEvents): () => boolean {
  let reachedMs = -Infinity;
  events.on('cron:starting', ({ start }) => (reachedMs = start.getTime()));
  events.on('cron:schedule', ({ timestamp }) => (reachedMs = timestamp));
  events.on('cron:overdueTimer', ({ expectedTimestamp }) => (reachedMs = expectedTimestamp));
  events.on('cron:prematureTimer', ({ expectedTimestamp }) => (reachedMs = expectedTimestamp));
  return () => reachedMs > Date.now() + aheadMs;
}
