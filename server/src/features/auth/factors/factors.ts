import { type Selectable, sql } from 'kysely';
import type { Db } from '#platform/db/db.ts';
import type { Database } from '#platform/db/schema.ts';
import { seal, unseal, keyedHash, installationSecret } from '#platform/config/secrets.ts';
import { StartError } from '#platform/process/lifecycle.ts';

/** Encrypts the key of an authenticator app so that it can be decrypted only for this account. */
export const sealSecret = (key: string, accountId: string, secret: string): Buffer =>
  seal(`${key} ${accountId}`, secret);
/** Decrypts the key of an authenticator app; throws for another account or another encryption key. */
export const unsealSecret = (key: string, accountId: string, sealed: Buffer): string =>
  unseal(`${key} ${accountId}`, sealed);

type TotpFactor = Selectable<Database['totp_factor']>;

/** The two-step verification of an account, or undefined. */
export async function totpFactor(db: Db, accountId: string): Promise<TotpFactor | undefined> {
  const { rows } = await sql<TotpFactor>`
    select account_id, sealed_secret, since, last_step from totp_factor where account_id = ${accountId}::uuid`.execute(
    db,
  );
  return rows[0];
}

/** Whether an account has any passkey, or the passkey with this `id`. */
export async function hasPasskey(db: Db, accountId: string, id?: string): Promise<boolean> {
  let query = db.selectFrom('passkey').select('id').where('account_id', '=', accountId).limit(1);
  if (id !== undefined) query = query.where('id', '=', id);
  return (await query.executeTakeFirst()) !== undefined;
}

/** Whether an account has two-step verification or a passkey, so that a password alone is not enough. */
export async function isProtected(db: Db, accountId: string): Promise<boolean> {
  return (await totpFactor(db, accountId)) !== undefined || (await hasPasskey(db, accountId));
}

/** Deletes an account's two-step verification and everything that belongs to it; returns whether there was one. */
export async function deleteTotp(tx: Db, accountId: string): Promise<boolean> {
  const gone = await tx
    .deleteFrom('totp_factor')
    .where('account_id', '=', accountId)
    .returning('account_id')
    .executeTakeFirst();
  await tx.deleteFrom('recovery_code').where('account_id', '=', accountId).execute();
  await tx.deleteFrom('sign_in_challenge').where('account_id', '=', accountId).execute();
  await tx.deleteFrom('totp_setup').where('account_id', '=', accountId).execute();
  await dropRemoval(tx, accountId);
  return gone !== undefined;
}

/** Cancels a requested removal of the second factor; returns whether one was scheduled. */
export async function dropRemoval(tx: Db, accountId: string): Promise<boolean> {
  await tx.deleteFrom('factor_removal').where('account_id', '=', accountId).execute();
  const kept = await tx
    .updateTable('account')
    .set({ factor_removal_at: null })
    .where('id', '=', accountId)
    .where('factor_removal_at', 'is not', null)
    .returning('id')
    .executeTakeFirst();
  return kept !== undefined;
}

/** Resets the second-factor mark on the sessions of an account that has neither codes nor passkeys left. */
export async function lowerSessionsWithoutFactor(tx: Db, accountId: string): Promise<void> {
  if ((await totpFactor(tx, accountId)) !== undefined || (await hasPasskey(tx, accountId))) return;
  await tx.updateTable('session').set({ second_factor: false }).where('account_id', '=', accountId).execute();
}

const name = 'factors';
const markOf = (key: string) => keyedHash(key, 'heartwood factor key').toString('base64url');

/**
 * The key that encrypts second factors: `given`, or one that is generated once. Stops the start if stored factors were
 * encrypted with a different key, because their owners could not sign in.
 */
export async function factorKey(db: Db, given: string | null): Promise<string> {
  const key = await installationSecret(db, name, given);
  await db
    .insertInto('installation')
    .values({ name: 'factorKey', value: JSON.stringify(markOf(key)) })
    .onConflict((conflict) => conflict.column('name').doNothing())
    .execute();
  const mark = await db
    .selectFrom('installation')
    .select('value')
    .where('name', '=', 'factorKey')
    .executeTakeFirstOrThrow();
  if (mark.value === markOf(key)) return key;
  const made = await db.selectFrom('secret').select('value').where('name', '=', name).executeTakeFirst();
  if (made !== undefined && mark.value === markOf(made.value)) return made.value;
  const sealed = await db.selectFrom('totp_factor').select('account_id').limit(1).executeTakeFirst();
  if (sealed !== undefined)
    throw new StartError(
      'The stored second factors were encrypted with a different FACTOR_SECRET (or JWT_SECRET, if that was not set). Set FACTOR_SECRET to its previous value.',
    );
  await db
    .updateTable('installation')
    .set({ value: JSON.stringify(markOf(key)) })
    .where('name', '=', 'factorKey')
    .execute();
  return key;
}
