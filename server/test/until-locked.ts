import type pg from 'pg';
import { expect } from 'vitest';

/** Resolves once as many statements in the database of `pool` wait for a lock. */
export async function untilLocked(pool: pg.Pool, count = 1): Promise<void> {
  const waiting = async () => {
    const { rows } = await pool.query<{ count: number }>(
      `select count(*)::int from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
    );
    return rows[0]?.count;
  };
  await expect.poll(waiting).toBeGreaterThanOrEqual(count);
}
