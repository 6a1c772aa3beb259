import { sql } from 'kysely';
import type { Db } from '../../../platform/db/db.ts';
import { keyedHash } from '../../../platform/config/seal.ts';

const refusedYears = 2;

/** Keeps these addresses out for two years, as digests under `key`. */
export async function refuseAddresses(tx: Db, key: string, emails: readonly string[], now: Date): Promise<void> {
  if (emails.length === 0) return;
  const refused_until = sql<Date>`${now}::timestamptz + make_interval(years => ${refusedYears})`;
  await tx
    .insertInto('refused_address')
    .values(emails.map((email) => ({ address_hash: keyedHash(key, email), refused_until })))
    .onConflict((conflict) => conflict.column('address_hash').doUpdateSet({ refused_until }))
    .execute();
}

/** Whether an address is kept out. */
export async function isRefused(db: Db, key: string, email: string, now: Date): Promise<boolean> {
  const row = await db
    .selectFrom('refused_address')
    .select('refused_until')
    .where('address_hash', '=', keyedHash(key, email))
    .where('refused_until', '>', now)
    .executeTakeFirst();
  return row !== undefined;
}
