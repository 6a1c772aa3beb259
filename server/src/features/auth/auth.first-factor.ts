import { AppError } from '../../platform/app-error.ts';
import type { Db } from '../../platform/db.ts';
import type { Deps } from '../../platform/deps.ts';
import { openChallenge } from './auth.challenges.ts';
import { hasPasskey, totpFactor } from './auth.factor.queries.ts';
import type { AccountRow } from './auth.queries.ts';
import { endDueRemoval } from './auth.removal.service.ts';
import { newRestoreHandle } from './auth.leaving.service.ts';
import { signDeviceIn, type Origin, type SignedIn } from './auth.session-answer.ts';

/** What a device is told once the first factor is right: it is signed in, or a code of the second is still to come. */
export type FirstFactorAnswer = SignedIn | { totpRequired: true; challenge: string };

/**
 * Where every way of signing in ends once its first factor, a password or an identity, is right. `isNew` says that the account
 * was made just now. 403 for staff who must have a second factor and have it in a passkey, which stands for both.
 */
export async function afterFirstFactor(
  tx: Db,
  deps: Deps,
  account: { id: string; staff_role: string | null },
  { origin, now, isNew = false }: { origin: Origin; now: Date; isNew?: boolean },
): Promise<FirstFactorAnswer> {
  await endDueRemoval(tx, account.id, now);
  if ((await totpFactor(tx, account.id)) !== undefined)
    return { totpRequired: true, challenge: await openChallenge(tx, account.id, now) };
  if (deps.config.staffMfa && account.staff_role !== null && (await hasPasskey(tx, account.id)))
    throw new AppError('SECOND_FACTOR_REQUIRED', 'Please sign in with your passkey.');
  return await signDeviceIn(deps, tx, account, origin, now, { isNew });
}

/** With the right first factor: 403 with a restore handle for a leaving account, and with the reason for a deactivated one. */
export async function refuseUnlessWelcome(db: Db, account: AccountRow, now: Date): Promise<void> {
  if (account.leaving_since !== null) {
    throw new AppError('ACCOUNT_LEAVING', 'You asked to leave. You can still come back.', {
      data: { restoreToken: await newRestoreHandle(db, account.id, account.leaving_since, now) },
    });
  }
  if (!account.is_active) {
    const reason = account.deactivation_reason;
    throw new AppError('ACCOUNT_DEACTIVATED', `Your account was deactivated${reason === null ? '.' : `: ${reason}`}`);
  }
}
