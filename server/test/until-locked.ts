import type pg from 'pg';
import { expect } from 'vitest';

/**
 * Returns how many statements in the database of `pool` wait for a lock. A client within a transaction can't ask this,
 * because it sees the activity of its first look until it ends.
 */
export async function waiting(pool: pg.Pool): Promise<number> {
  const { rows } = await pool.query<{ count: number }>(
    `select count(*)::int from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
  );
  return rows[0]?.count ?? 0;
}

/** Resolves once as many statements in the database of `pool` wait for a lock. */
export async function untilLocked(pool: pg.Pool, count = 1): Promise<void> {
  await expect.poll(() => waiting(pool), { timeout: 60_000 }).toBeGreaterThanOrEqual(count);
}
