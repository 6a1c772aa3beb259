import type { Selectable } from 'kysely';
import type { Db } from '#platform/db/db.ts';
import type { Database } from '#platform/db/schema.ts';

export type GrantRow = Selectable<Database['premium_grant']>;

/** A gift of premium as staff see it. */
export const toGrant = (row: GrantRow) => ({
  _id: row.id,
  days: row.days,
  startsAt: row.starts_at,
  endsAt: row.ends_at,
  revokedAt: row.revoked_at,
  by: row.granted_by_name,
  reason: row.reason,
});

/** The rows of all gifts an account ever got, newest first. */
export async function grantRows(db: Db, accountId: string): Promise<GrantRow[]> {
  return await db
    .selectFrom('premium_grant')
    .selectAll()
    .where('account_id', '=', accountId)
    .orderBy('starts_at', 'desc')
    .orderBy('id')
    .execute();
}

/** All gifts an account ever got, newest first. */
export const grantsOf = async (db: Db, accountId: string) => (await grantRows(db, accountId)).map(toGrant);
