import { type RawBuilder, sql } from 'kysely';
import type { Db } from './db.ts';

/** The accounts under a legal hold, evaluated once per statement. */
const heldAccounts = sql`array(select h.account_id from legal_hold h where h.released_at is null)`;

/** A condition for deletions: the row belongs to no account under a legal hold. The column with the account may be null. */
export const isUnheld = (column = 'account_id'): RawBuilder<boolean> =>
  sql`(${sql.ref(column)} is null or ${sql.ref(column)} <> all (${heldAccounts}))`;

/** Whether an account is under a legal hold. After its account was locked, no one sets or releases one until the transaction ends. */
export async function isUnderLegalHold(db: Db, accountId: string): Promise<boolean> {
  const { rows } = await sql`
    select from legal_hold where account_id = ${accountId}::uuid and released_at is null`.execute(db);
  return rows.length > 0;
}

/** Whether anyone is under a legal hold, for what is deleted for all accounts at once. */
export async function isAnyoneUnderLegalHold(db: Db): Promise<boolean> {
  const { rows } = await sql`select from legal_hold where released_at is null limit 1`.execute(db);
  return rows.length > 0;
}
