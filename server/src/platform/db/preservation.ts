import { type RawBuilder, sql } from 'kysely';
import type { Db } from './db.ts';

/** The accounts under a legal hold, evaluated once per statement. */
const preservedAccounts = sql`array(select h.account_id from legal_hold h where h.released_at is null and h.account_id is not null)`;
const preservedCases = sql`array(select h.case_id from legal_hold h where h.released_at is null)`;

/** A condition for deletions: the row belongs to no account under a legal hold. The column with the account may be null. */
export const isUnpreserved = (column = 'account_id'): RawBuilder<boolean> =>
  sql`(${sql.ref(column)} is null or ${sql.ref(column)} <> all (${preservedAccounts}))`;

/** A condition for deletions: the row belongs to no case under a legal hold, whose person may have no account any more. */
export const isOfUnpreservedCase = sql<boolean>`(case_id is null or case_id <> all (${preservedCases}))`;

/** Whether an account is under a legal hold. After its account was locked, no one sets or releases one until the transaction ends. */
export async function isPreserved(db: Db, accountId: string): Promise<boolean> {
  const { rows } = await sql`
    select from legal_hold where account_id = ${accountId}::uuid and released_at is null`.execute(db);
  return rows.length > 0;
}

/** Keeps a copy of what an account is about to change for good, if it is under a legal hold. */
export async function keepPreserved(
  tx: Db,
  accountId: string,
  { kind, data }: { kind: string; data: object },
): Promise<void> {
  await sql`insert into legal_hold_copy (hold_id, kind, copied_at, data)
    select id, ${kind}, now(), ${JSON.stringify(data)}::jsonb from legal_hold
    where account_id = ${accountId}::uuid and released_at is null`.execute(tx);
}
