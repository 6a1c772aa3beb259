import type { Selectable } from 'kysely';
import type { PremiumGrant } from '#contract/subscriptions/grants.ts';
import type { Db } from '#platform/db/db.ts';
import type { Database } from '#platform/db/schema.ts';

export type GrantRow = Selectable<Database['premium_grant']>;

/** A gift of premium as staff see it. */
export const toGrant = (row: GrantRow): PremiumGrant => ({
  _id: row.id,
  days: row.days,
  startsAt: row.starts_at.toISOString(),
  endsAt: row.ends_at.toISOString(),
  revokedAt: row.revoked_at?.toISOString() ?? null,
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
export const grantsOf = async (db: Db, accountId: string): Promise<PremiumGrant[]> =>
  (await grantRows(db, accountId)).map(toGrant);
