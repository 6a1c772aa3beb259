import type { IdentityProvider, IdentityView } from '#contract/auth/identities.ts';
import type { Db } from '../../../platform/db/db.ts';
import type { ShownIdentity, UsedUp } from './providers/provider.ts';

type Named = Pick<ShownIdentity, 'provider' | 'subject'>;

/** The account that an identity is linked to, or undefined. */
export async function ownerOf(db: Db, { provider, subject }: Named): Promise<string | undefined> {
  const row = await db
    .selectFrom('identity')
    .select('account_id')
    .where('provider', '=', provider)
    .where('subject', '=', subject)
    .executeTakeFirst();
  return row?.account_id;
}

/** The identities of an account, in the order they were linked. */
export async function identitiesOf(db: Db, accountId: string): Promise<IdentityView[]> {
  const rows = await db
    .selectFrom('identity')
    .select(['provider', 'linked_at'])
    .where('account_id', '=', accountId)
    .orderBy('linked_at')
    .execute();
  return rows.map(({ provider, linked_at }) => ({ provider, linkedAt: linked_at.toISOString() }));
}

/** Links an identity to an account, in place of the one of the same provider. */
export async function saveIdentity(tx: Db, accountId: string, identity: Named, now: Date): Promise<void> {
  const { provider, subject } = identity;
  await tx
    .insertInto('identity')
    .values({ provider, subject, account_id: accountId, linked_at: now })
    .onConflict((conflict) => conflict.constraint('identity_account_key').doUpdateSet({ subject, linked_at: now }))
    .execute();
}

/** Takes an identity off an account; answers whether there was one. */
export async function deleteIdentity(tx: Db, accountId: string, provider: IdentityProvider): Promise<boolean> {
  const gone = await tx
    .deleteFrom('identity')
    .where('account_id', '=', accountId)
    .where('provider', '=', provider)
    .returning('subject')
    .executeTakeFirst();
  return gone !== undefined;
}

/** Takes all identities off an account. */
export async function deleteIdentities(tx: Db, accountId: string): Promise<void> {
  await tx.deleteFrom('identity').where('account_id', '=', accountId).execute();
}

/** Notes what works once; false if any of it was shown before. */
export async function useUp(tx: Db, once: readonly UsedUp[]): Promise<boolean> {
  if (once.length === 0) return true;
  const noted = await tx
    .insertInto('used_token')
    .values(once.map(({ hash, until }) => ({ token_hash: hash, expires_at: until })))
    .onConflict((conflict) => conflict.doNothing())
    .returning('token_hash')
    .execute();
  return noted.length === once.length;
}
