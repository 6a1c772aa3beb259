import { AppError } from '../../../platform/http/app-error.ts';
import type { Db } from '../../../platform/db/db.ts';
import { hasPasskey, totpFactor } from './factor.queries.ts';
import { identitiesOf } from '../identity/identity.queries.ts';
import { providerNames } from '../identity/identity.shown.ts';

/** After one was taken off, within the same transaction: 409 unless there is still a way to sign in. */
export async function demandWayIn(tx: Db, account: { id: string; password_hash: string | null }): Promise<void> {
  if (account.password_hash !== null || (await hasPasskey(tx, account.id))) return;
  if ((await identitiesOf(tx, account.id)).length > 0) return;
  throw new AppError('LAST_WAY_IN', 'You would have no way to sign in any more. Choose a password first.');
}

/** What signs in to an account besides its password, in words of a mail; empty where there is nothing. */
export async function otherWays(tx: Db, accountId: string): Promise<string> {
  const ways = (await identitiesOf(tx, accountId)).map(({ provider }) => providerNames[provider]);
  if (await hasPasskey(tx, accountId)) ways.push('a passkey');
  if ((await totpFactor(tx, accountId)) !== undefined) ways.push('a second step');
  return ways.join(', ');
}
