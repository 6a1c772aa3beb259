import { AppError } from '../../../platform/http/app-error.ts';
import type { Deps } from '../../../deps.ts';
import { challengedAccount, challengeExpired, isLastTry, takeChallenge } from '../session/challenges.ts';
import { withCode } from '../join/codes.ts';
import { dropRemoval } from './factor.queries.ts';
import { refuseUnlessWelcome } from './first-factor.ts';
import { accountById } from '../queries.ts';
import { signDeviceIn, type Origin, type SignedIn } from '../session/session-answer.ts';

/** Signs in who has shown the first factor, by a code of the second. The fifth wrong code is the challenge's last. */
export async function signInWithCode(
  deps: Deps,
  { challenge, code }: { challenge: string; code: string },
  origin: Origin,
  now: Date,
): Promise<SignedIn> {
  const accountId = await challengedAccount(deps.db, challenge, now);
  await refuseUnlessWelcome(deps.db, await accountById(deps.db, accountId), now);
  try {
    const signedIn = await withCode(deps, accountId, code, now, async (tx, account) => {
      await takeChallenge(tx, challenge);
      if (!account.is_active || account.leaving_since !== null) throw challengeExpired();
      await dropRemoval(tx, account.id);
      return await signDeviceIn(deps, tx, account, origin, now, { secondFactor: true });
    });
    deps.activity.note(accountId, -Infinity);
    return signedIn;
  } catch (error) {
    if (error instanceof AppError && error.code === 'INVALID_CODE') {
      deps.metrics.loginFailures.inc();
      if (await isLastTry(deps.db, challenge)) throw challengeExpired();
    }
    throw error;
  }
}
