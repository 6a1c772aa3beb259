import type { Proof } from '#contract/auth/factors.ts';
import { AppError, invalid } from '../../../platform/http/app-error.ts';
import type { Caller } from '../../../platform/session/caller.ts';
import { inTransaction, type Db } from '../../../platform/db/db.ts';
import type { Deps } from '../../../deps.ts';
import { withCode } from '../factors/codes.ts';
import { hasPasskey, totpFactor } from '../factors/factors.ts';
import { isFresh } from '../session/sessions.ts';
import { ownAssertion } from '../passkeys/sign-in.ts';
import { checkCurrentPassword } from './password.ts';
import { accountById, lockAccount, type AccountRow } from '../accounts.ts';

/**
 * Runs `work` in one transaction after the caller confirmed who they are: with one of their passkeys, or with everything else
 * they have, password and code. Callers with none of these must have signed in recently.
 * 403 for a wrong password or no proof, 400 for a wrong code, 422 for a passkey that is not theirs.
 */
export async function withProof<T>(
  deps: Deps,
  caller: Caller,
  proof: Proof,
  now: Date,
  work: (tx: Db, account: AccountRow) => Promise<T>,
): Promise<T> {
  const { db } = deps;
  const { accountId } = caller;
  const proven = () => inTransaction(db, async (tx) => work(tx, await lockAccount(tx, accountId)));
  if (proof.passkey !== undefined) {
    await ownAssertion(deps, accountId, proof.passkey, now);
    return await proven();
  }
  const hasPassword = (await accountById(db, accountId)).password_hash !== null;
  if (hasPassword) await checkCurrentPassword(db, caller, proof.password, now);
  if ((await totpFactor(db, accountId)) !== undefined) {
    if (proof.code === undefined) throw invalid('code', 'Enter a code from your app too');
    return await withCode(deps, accountId, proof.code, now, work);
  }
  if (!hasPassword) {
    if (await hasPasskey(db, accountId)) throw new AppError('PROOF_REQUIRED', 'Please use your passkey first.');
    if (!(await isFresh(db, caller.sessionId, now)))
      throw new AppError('PROOF_REQUIRED', 'Please sign in again first, so that we know it is you.');
  }
  return await proven();
}
