import type pg from 'pg';
import { expect } from 'vitest';

/**
 * Returns how many statements in the database of `pool` wait for a lock. A client within a transaction can't query this, because it sees
 * the activity at the time of its first query until it ends.
 */
export async function waiting(pool: pg.Pool): Promise<number> {
  const { rows } = await pool.query<{ count: number }>(
    `select count(*)::int from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
  );
  return rows[0]?.count ?? 0;
}

/** Resolves once this many statements in the database of `pool` wait for a lock. */
export async function untilLocked(pool: pg.Pool, count = 1): Promise<void> {
  await expect.poll(() => waiting(pool), { timeout: 60_000 }).toBeGreaterThanOrEqual(count);
}
