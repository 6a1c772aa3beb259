import type { Assertion, RequestOptions } from '#contract/auth/passkey.ts';
import { AppError } from '../../../platform/http/app-error.ts';
import { inTransaction } from '../../../platform/db/db.ts';
import type { Deps } from '../../../deps.ts';
import { refuseUnlessWelcome } from '../factors/first-factor.ts';
import { readAssertion } from './passkey-assertion.ts';
import { newPasskeyChallenge, passkeyTimeoutMs, relyingParty } from './passkey-challenges.ts';
import { accountById, lockAccount } from '../queries.ts';
import { signDeviceIn, type Origin, type SignedIn } from '../session/session-answer.ts';

const refused = () =>
  new AppError(
    'INVALID_CREDENTIALS',
    'This passkey did not work here. Please try again, or sign in with your password.',
  );

/** What a browser needs to ask for any passkey of this place. */
export async function passkeyRequest({ db, config }: Deps, now: Date): Promise<RequestOptions> {
  return {
    challenge: await newPasskeyChallenge(db, null, now),
    timeout: passkeyTimeoutMs,
    rpId: relyingParty(config).rpId,
    userVerification: 'required',
  };
}

/** Signs in by a passkey, which stands for both factors; 401 alike for whatever is not right about it. */
export async function signInWithPasskey(
  deps: Deps,
  credential: Assertion,
  origin: Origin,
  now: Date,
): Promise<SignedIn> {
  const asserted = await readAssertion(deps, credential, now);
  if (asserted === null) {
    deps.metrics.loginFailures.inc();
    throw refused();
  }
  await refuseUnlessWelcome(deps.db, await accountById(deps.db, asserted.accountId), now);
  const signedIn = await inTransaction(deps.db, async (tx) => {
    const account = await lockAccount(tx, asserted.accountId);
    if (!account.is_active || account.leaving_since !== null) throw refused();
    return await signDeviceIn(deps, tx, account, origin, now, { secondFactor: true });
  });
  deps.activity.note(asserted.accountId, -Infinity);
  return signedIn;
}
