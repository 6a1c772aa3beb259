import { lockAccount } from '../src/features/auth/accounts.ts';
import { inTransaction } from '#platform/db/db.ts';
import type { TestApp } from './harness.ts';
import { untilLocked, waiting } from './until-locked.ts';

/**
 * Runs requests about one account in exactly this order at the critical moment: each has checked what it can without a
 * lock, and waits for the account's row behind the ones before it.
 */
export async function inLockOrder<T extends readonly (() => Promise<unknown>)[]>(
  test: TestApp,
  accountId: string,
  requests: readonly [...T],
): Promise<{ [K in keyof T]: Awaited<ReturnType<T[K]>> }> {
  const before = await waiting(test.pool);
  const running: Promise<unknown>[] = [];
  await inTransaction(test.db, async (tx) => {
    await lockAccount(tx, accountId);
    for (const request of requests) {
      running.push(request());
      await untilLocked(test.pool, before + running.length);
    }
  });
  return (await Promise.all(running)) as { [K in keyof T]: Awaited<ReturnType<T[K]>> };
}
