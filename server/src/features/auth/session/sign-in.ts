import { AppError } from '../../../platform/http/app-error.ts';
import { inTransaction, type Db } from '../../../platform/db/db.ts';
import type { Deps } from '../../../deps.ts';
import { hashPassword, needsRehash, verifyPassword } from '../password/hashing.ts';
import { noteAccount } from '../../../platform/process/log.ts';
import { accountByEmail, type AccountRow, accountById, lockAccount } from '../accounts.ts';
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
import { hasPasskey, totpFactor } from '../factors/factors.ts';
import { endDueRemoval } from '../factors/removal.ts';
import { withCode } from '../factors/codes.ts';

/**
 * Signs in by address and password. 401 for an unknown address, a wrong password and one that was changed meanwhile, 429 while
 * throttled. With the right password: 403 with the reason for a deactivated account, 403 with a restore handle for a leaving one,
 * or a challenge where a code has to follow.
 */
export async function signIn(
  deps: Deps,
  credentials: { email: string; password: string },
  origin: Origin,
  now: Date,
): Promise<FirstFactorAnswer> {
  const judged = await accountByPassword(deps, credentials, origin.network, now);
  if (judged === null) throw wrongCredentials();
  const admission = await inTransaction(deps.db, async (tx) => {
    const account = await lockJudged(tx, judged);
    if (account.password_hash !== judged.password_hash) throw passwordChanged();
    return await admit(account, () => afterFirstFactor(tx, deps, account, { origin, now }));
  });
  const answer = await answerOf(deps, admission, now);
  if ('token' in answer) deps.activity.note(judged.id, -Infinity);
  return answer;
}

const wrongCredentials = () => new AppError('INVALID_CREDENTIALS', 'Invalid email or password');

/** 401 for a password that was right when it was checked, and was changed before its session opened. */
export const passwordChanged = (): AppError =>
  new AppError('INVALID_CREDENTIALS', 'The password was changed just now. Please sign in with the new one.');

/**
 * Locks an account whose credential was found right, so that the caller can compare that credential with today's: while it was
 * checked, its owner or an administrator may have changed it. 401 when the account has another role or is gone.
 */
export async function lockJudged(tx: Db, judged: Pick<AccountRow, 'id' | 'staff_role'>): Promise<AccountRow> {
  const account = await lockAccount(tx, judged.id);
  if (account.staff_role !== judged.staff_role)
    throw new AppError('INVALID_CREDENTIALS', 'Your account was changed just now. Please sign in again.');
  return account;
}

/** Whether people may sign in to a (locked) account. */
export const isWelcome = (account: AccountRow): boolean => account.is_active && account.leaving_since === null;

/** The outcome of a sign-in. Refusals are raised after the commit, so that what was recorded with them stays. */
export type Admission<T> = { answer: T } | { unwelcome: AccountRow };

/** Runs `signIn` unless the locked account is deactivated or leaving. */
export async function admit<T>(account: AccountRow, signIn: () => Promise<T>): Promise<Admission<T>> {
  return isWelcome(account) ? { answer: await signIn() } : { unwelcome: account };
}

/** The answer to a sign-in; throws the refusal of an account that is deactivated or leaving. */
export async function answerOf<T>({ db }: Pick<Deps, 'db'>, admission: Admission<T>, now: Date): Promise<T> {
  if ('unwelcome' in admission) throw await refusalOf(db, admission.unwelcome, now);
  return admission.answer;
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
  return account.password_hash !== null && needsRehash(account.password_hash)
    ? await rehashed(db, account, credentials.password)
    : account;
}

/** Hashes a right password with the current parameters, unless it was changed meanwhile. */
async function rehashed(db: Db, account: AccountRow, password: string): Promise<AccountRow> {
  const password_hash = await hashPassword(password);
  const stored = await db
    .updateTable('account')
    .set({ password_hash })
    .where('id', '=', account.id)
    .where('password_hash', '=', account.password_hash)
    .returning('id')
    .executeTakeFirst();
  return stored === undefined ? account : { ...account, password_hash };
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
export async function refusalOf(db: Db, account: AccountRow, now: Date): Promise<AppError> {
  if (account.leaving_since !== null)
    return new AppError('ACCOUNT_LEAVING', 'You deleted this account. You can still restore it.', {
      data: { restoreToken: await newRestoreHandle(db, account.id, account.leaving_since, now) },
    });
  const reason = account.deactivation_reason;
  return new AppError('ACCOUNT_DEACTIVATED', `Your account was deactivated${reason === null ? '.' : `: ${reason}`}`);
}

/** Completes a sign-in with a code, after the first factor. The fifth wrong code ends the challenge. */
export async function signInWithCode(
  deps: Deps,
  { challenge, code }: { challenge: string; code: string },
  origin: Origin,
  now: Date,
): Promise<SignedIn> {
  const accountId = await challengedAccount(deps.db, challenge, now);
  const challenged = await accountById(deps.db, accountId);
  // Before a code is used up.
  if (!isWelcome(challenged)) throw await refusalOf(deps.db, challenged, now);
  try {
    const admission = await withCode(deps, accountId, code, now, async (tx, account) => {
      return await admit(account, async () => {
        await takeChallenge(tx, challenge, now);
        return await signDeviceIn(deps, tx, account, origin, now, { secondFactor: true });
      });
    });
    const signedIn = await answerOf(deps, admission, now);
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
