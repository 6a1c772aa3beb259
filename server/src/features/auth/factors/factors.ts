import type { Db } from '../../../platform/db/db.ts';
import { seal, unseal, keyedHash, installationSecret } from '../../../platform/config/secrets.ts';
import { StartError } from '../../../platform/process/start-error.ts';

/** Seals a key of an authenticator app so that it opens for this account alone. */
export const sealSecret = (key: string, accountId: string, secret: string): Buffer =>
  seal(`${key} ${accountId}`, secret);
export const unsealSecret = (key: string, accountId: string, sealed: Buffer): string =>
  unseal(`${key} ${accountId}`, sealed);

/** The second factor of an account, or undefined. */
export function totpFactor(db: Db, accountId: string) {
  return db.selectFrom('totp_factor').selectAll().where('account_id', '=', accountId).executeTakeFirst();
}

/** Whether an account has a passkey. */
export async function hasPasskey(db: Db, accountId: string): Promise<boolean> {
  const row = await db
    .selectFrom('passkey')
    .select('id')
    .where('account_id', '=', accountId)
    .limit(1)
    .executeTakeFirst();
  return row !== undefined;
}

/** Takes the second factor of an account away, with all that belongs to it; answers whether there was one. */
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

/** Forgets that somebody asked for the removal of a second factor; answers whether it was about to happen. */
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

/** Notes that a session's owner has shown more than a password in it. */
export async function raiseSession(tx: Db, sessionId: string): Promise<void> {
  await tx.updateTable('session').set({ second_factor: true }).where('id', '=', sessionId).execute();
}

/** Once nothing of it is left: no session counts as opened with a second factor any more. */
export async function lowerSessionsWithoutFactor(tx: Db, accountId: string): Promise<void> {
  if ((await totpFactor(tx, accountId)) !== undefined || (await hasPasskey(tx, accountId))) return;
  await tx.updateTable('session').set({ second_factor: false }).where('account_id', '=', accountId).execute();
}

const name = 'factors';
const markOf = (key: string) => keyedHash(key, 'heartwood factor key').toString('base64url');

/**
 * The key that second factors are sealed with: `given`, else one made once. With another key than they were sealed with nobody
 * who has one could sign in, so the start stops.
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
      'Second factors are sealed with another FACTOR_SECRET (or JWT_SECRET, where there was none). Set FACTOR_SECRET to what that was.',
    );
  await db
    .updateTable('installation')
    .set({ value: JSON.stringify(markOf(key)) })
    .where('name', '=', 'factorKey')
    .execute();
  return key;
}
