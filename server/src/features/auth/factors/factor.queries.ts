import type { Db } from '../../../platform/db/db.ts';
import { seal, unseal } from '../../../platform/config/seal.ts';

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
