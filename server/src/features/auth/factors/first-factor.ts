import { AppError } from '../../../platform/http/app-error.ts';
import type { Db } from '../../../platform/db/db.ts';
import type { Deps } from '../../../deps.ts';
import { openChallenge } from '../session/challenges.ts';
import { hasPasskey, totpFactor } from './factor.queries.ts';
import type { AccountRow } from '../queries.ts';
import { endDueRemoval } from './removal.ts';
import { newRestoreHandle } from '../retention/leaving.ts';
import { signDeviceIn, type Origin, type SignedIn } from '../session/session-answer.ts';

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
