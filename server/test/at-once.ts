import { sql } from 'kysely';
import { expect } from 'vitest';
import { lockAccount } from '../src/features/auth/accounts.ts';
import { inTransaction } from '../src/platform/db/db.ts';
import type { TestApp } from './harness.ts';

/** How many statements of the test's database wait for a lock. */
export async function waiting(test: TestApp): Promise<number> {
  const { rows } = await sql<{ count: number }>`select count(*)::int as count from pg_stat_activity
    where datname = current_database() and wait_event_type = 'Lock'`.execute(test.db);
  return rows[0]?.count ?? 0;
}

/**
 * Runs requests about one account in exactly this order at the critical moment: each has checked what it can without a
 * lock, and waits for the account's row behind the ones before it.
 */
export async function inLockOrder<T extends readonly (() => Promise<unknown>)[]>(
  test: TestApp,
  accountId: string,
  requests: readonly [...T],
): Promise<{ [K in keyof T]: Awaited<ReturnType<T[K]>> }> {
  const before = await waiting(test);
  const running: Promise<unknown>[] = [];
  await inTransaction(test.db, async (tx) => {
    await lockAccount(tx, accountId);
    for (const request of requests) {
      running.push(request());
      await expect.poll(() => waiting(test), { timeout: 20_000, interval: 5 }).toBe(before + running.length);
    }
  });
  return (await Promise.all(running)) as { [K in keyof T]: Awaited<ReturnType<T[K]>> };
}
