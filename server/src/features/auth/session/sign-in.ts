import { AppError } from '../../../platform/http/app-error.ts';
import { inTransaction, type Db } from '../../../platform/db/db.ts';
import type { Deps } from '../../../deps.ts';
import { hashPassword, needsRehash, verifyPassword } from '../password/hashing.ts';
import { noteAccount } from '../../../platform/process/log.ts';
import { accountByEmail, type AccountRow, accountById } from '../accounts.ts';
import { type Origin, signDeviceIn, type SignedIn } from './sessions.ts';
import { attemptSubjects, releaseAttempt, reserveAttempt, returnAttempt } from './throttle.ts';
import {
  newRestoreHandle,
  openChallenge,
  challengedAccount,
  challengeExpired,
  isLastTry,
  takeChallenge,
} from './challenges.ts';
import { hasPasskey, totpFactor, dropRemoval } from '../factors/factors.ts';
import { endDueRemoval } from '../factors/removal.ts';
import { withCode } from '../factors/codes.ts';

/**
 * Signs in by address and password. 401 for both an unknown address and a wrong password, 429 while throttled. With the right
 * password: 403 with the reason for a deactivated account, 403 with a restore handle for a leaving one, or a challenge where a
 * code has to follow.
 */
export async function signIn(
  deps: Deps,
  credentials: { email: string; password: string },
  origin: Origin,
  now: Date,
): Promise<FirstFactorAnswer> {
  const { db } = deps;
  const account = await accountByPassword(deps, credentials, origin.network, now);
  if (account === null) throw new AppError('INVALID_CREDENTIALS', 'Invalid email or password');
  await refuseUnlessWelcome(db, account, now);
  const answer = await inTransaction(db, (tx) => afterFirstFactor(tx, deps, account, { origin, now }));
  if ('token' in answer) deps.activity.note(account.id, -Infinity);
  return answer;
}

/** The account that an address and a password belong to, or null; 429 while throttled. */
export async function accountByPassword(
  { db, config, metrics }: Deps,
  credentials: { email: string; password: string },
  network: string,
  now: Date,
): Promise<AccountRow | null> {
  const subjects = attemptSubjects(credentials.email, network);
  if (config.rateLimits) await reserveAttempt(db, subjects, now);
  const account = await accountByEmail(db, credentials.email);
  if (account !== undefined) noteAccount(account.id);
  const isRight = await verifyPassword(account?.password_hash ?? null, credentials.password).catch(
    async (error: unknown) => {
      // The server was too busy to check the password, so the attempt does not count.
      if (config.rateLimits) await returnAttempt(db, subjects);
      throw error;
    },
  );
  if (!isRight || account === undefined) {
    metrics.loginFailures.inc();
    return null;
  }
  if (config.rateLimits) await releaseAttempt(db, subjects);
  if (account.password_hash !== null && needsRehash(account.password_hash)) {
    const passwordHash = await hashPassword(credentials.password);
    await db.updateTable('account').set({ password_hash: passwordHash }).where('id', '=', account.id).execute();
  }
  return account;
}

/** The answer to a right first factor: signed in, or a code is still needed. */
export type FirstFactorAnswer = SignedIn | { totpRequired: true; challenge: string };

/**
 * The end of every sign-in whose first factor, a password or an identity, was right. `isNew`: the account was just created.
 * 403 for staff who need a second factor and have a passkey, which counts as both.
 */
export async function afterFirstFactor(
  tx: Db,
  deps: Deps,
  account: Pick<AccountRow, 'id' | 'staff_role' | 'factor_removal_at'>,
  { origin, now, isNew = false }: { origin: Origin; now: Date; isNew?: boolean },
): Promise<FirstFactorAnswer> {
  if (account.factor_removal_at !== null) await endDueRemoval(tx, account.id, now);
  if ((await totpFactor(tx, account.id)) !== undefined)
    return { totpRequired: true, challenge: await openChallenge(tx, account.id, now) };
  if (deps.config.staffMfa && account.staff_role !== null && (await hasPasskey(tx, account.id)))
    throw new AppError('SECOND_FACTOR_REQUIRED', 'Please sign in with your passkey.');
  return await signDeviceIn(deps, tx, account, origin, now, { isNew });
}

/** After a right first factor: 403 with a restore handle for a leaving account, 403 with the reason for a deactivated one. */
export async function refuseUnlessWelcome(db: Db, account: AccountRow, now: Date): Promise<void> {
  if (account.leaving_since !== null) {
    throw new AppError('ACCOUNT_LEAVING', 'You deleted this account. You can still restore it.', {
      data: { restoreToken: await newRestoreHandle(db, account.id, account.leaving_since, now) },
    });
  }
  if (!account.is_active) {
    const reason = account.deactivation_reason;
    throw new AppError('ACCOUNT_DEACTIVATED', `Your account was deactivated${reason === null ? '.' : `: ${reason}`}`);
  }
}

/** Completes a sign-in with a code, after the first factor. The fifth wrong code ends the challenge. */
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
