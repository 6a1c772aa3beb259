import { sql } from 'kysely';
import { secondsAfter } from '../../server/src/platform/process/clock.ts';
import { inTransaction, type Db } from '../../server/src/platform/db/db.ts';
import { hashToken, keyedHash } from '../../server/src/platform/config/secrets.ts';
import { PaymentError } from '../../server/src/features/subscriptions/providers/provider.ts';
import { sandboxNow } from './clock.ts';
import type { SandboxParts } from './parts.ts';

const keptHours = 24;
const moment = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;
const withMoments = (_: string, value: unknown) =>
  typeof value === 'string' && moment.test(value) ? new Date(value) : value;

/**
 * Runs `work` in one transaction, once per key: repeated calls, even concurrent ones, get the first call's answer.
 * A key that was used for a different request rejects with `PaymentError` `invalid`; after a refusal it can be used again.
 */
export function underKey<T>(
  { db, clock }: SandboxParts,
  key: string,
  wish: object,
  work: (tx: Db, now: Date) => Promise<T>,
): Promise<T> {
  const keyHash = hashToken(key);
  const wishHash = keyedHash(key, JSON.stringify(wish));
  return inTransaction(db, async (tx) => {
    await sql`select pg_advisory_xact_lock(${keyHash.readBigInt64BE(0).toString()}::bigint)`.execute(tx);
    const kept = await tx
      .selectFrom('sandbox.idempotency')
      .selectAll()
      .where('key_hash', '=', keyHash)
      .executeTakeFirst();
    if (kept !== undefined) {
      if (!kept.wish_hash.equals(wishHash)) throw new PaymentError('invalid');
      return JSON.parse(kept.answer, withMoments) as T;
    }
    const now = await sandboxNow(tx, clock);
    const answer = await work(tx, now);
    await tx
      .insertInto('sandbox.idempotency')
      .values({ key_hash: keyHash, wish_hash: wishHash, answer: JSON.stringify(answer), created_at: now })
      .execute();
    return answer;
  });
}

/** Deletes expired keys. */
export async function forgetKeys(db: Db, now: Date): Promise<void> {
  await db
    .deleteFrom('sandbox.idempotency')
    .where('created_at', '<=', secondsAfter(now, -keptHours * 3600))
    .execute();
}
