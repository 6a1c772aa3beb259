import { msg } from '@lingui/core/runtime-macro';
import { AppError, committed } from '#platform/http/app-error.ts';
import type { CallContext } from '#platform/http/mount.ts';
import type { Db } from '#platform/db/db.ts';
import { hashPassword, needsRehash, verifyPassword } from '../password/hashing.ts';
import { noteAccount } from '#platform/process/log.ts';
import type { HouseStamp } from '#platform/session/sessions.ts';
import { accountByEmail, type AccountRow, accountById, lockAccount } from '../accounts.ts';
import { type ArrivalContext, signDeviceIn, type SignedIn } from './sessions.ts';
import { subjectsOfAttempt, releaseAttempt, reserveAttempt, returnAttempt } from './throttle.ts';
import {
  newRestoreHandle,
  openChallenge,
  challengedAccount,
  challengeExpired,
  isLastTry,
  restoreUntil,
  takeChallenge,
} from './challenges.ts';
import { hasPasskey, totpFactor } from '../factors/factors.ts';
import { endDueRemoval } from '../factors/removal.ts';
import { requireOwnWay } from '../house/people.ts';
import { type CodeTry, countCode, requireCode } from '../factors/codes.ts';

/** The account with this address and password. 401 for an unknown address or a wrong password, 429 while throttled. */
export async function judgePassword(
  context: CallContext<unknown>,
  credentials: { email: string; password: string },
): Promise<AccountRow> {
  const judged = await accountByPassword(context, credentials);
  if (judged === null) throw wrongCredentials();
  return judged;
}

/**
 * Signs in to the account whose password was right. 401 if it was changed in the meantime, 403 with the reason for a
 * deactivated account, 403 with a restore handle for a leaving one, or a challenge if a code is required.
 */
export async function signIn(context: ArrivalContext, judged: AccountRow): Promise<FirstFactorAnswer> {
  const account = await lockJudged(context.tx, judged);
  if (account.password_hash !== judged.password_hash) throw passwordChanged();
  await requireWelcome(context, account);
  const answer = await afterFirstFactor(context, account);
  if ('token' in answer) noteArrival(context, account.id);
  return answer;
}

/** Marks an account as active once its sign-in is committed. */
export function noteArrival({ deps, after }: ArrivalContext, accountId: string): void {
  after(() => deps.activity.note(accountId, -Infinity));
}

const wrongCredentials = () => new AppError('INVALID_CREDENTIALS', msg`Invalid email or password`);

/** The 401 error for a password that was right when it was checked, but changed before its session opened. */
export const passwordChanged = (): AppError =>
  new AppError('INVALID_CREDENTIALS', msg`The password was changed just now. Please sign in with the new one.`);

/**
 * Locks an account whose credential was right, so that the caller can compare that credential with the current one: its
 * owner or an administrator may have changed it in the meantime. 401 if the role has changed or the account was
 * deleted.
 */
export async function lockJudged(tx: Db, judged: Pick<AccountRow, 'id' | 'staff_role'>): Promise<AccountRow> {
  const account = await lockAccount(tx, judged.id);
  if (account.staff_role !== judged.staff_role)
    throw new AppError('INVALID_CREDENTIALS', msg`Your account was changed just now. Please sign in again.`);
  return account;
}

/** Whether people may sign in to a locked account. */
export const isWelcome = (account: AccountRow): boolean => account.is_active && account.leaving_since === null;

/**
 * Refuses to sign in to a locked account that is deactivated or leaving; what was recorded with the refusal is kept.
 */
export async function requireWelcome({ tx, now }: ArrivalContext, account: AccountRow): Promise<void> {
  if (!isWelcome(account)) throw committed(await refusalOf(tx, account, now));
}

/** The account with this address and password, or null; 429 while throttled. */
export async function accountByPassword(
  { deps: { db, config, metrics }, network, now }: CallContext<unknown>,
  credentials: { email: string; password: string },
): Promise<AccountRow | null> {
  const subjects = await subjectsOfAttempt(db, { email: credentials.email, network }, now);
  if (config.rateLimits) await reserveAttempt(db, subjects, now);
  const account = await accountByEmail(db, credentials.email);
  if (account !== undefined) noteAccount(account.id);
  const isRight = await verifyPassword(account?.password_hash ?? null, credentials.password).catch(
    async (error: unknown) => {
      // If the server is too busy to check the password, the attempt does not count.
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

/** Rehashes a right password with the current parameters, unless it was changed in the meantime. */
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

/** The answer to a right first factor: signed in, or a code or a passkey is still required. */
export type FirstFactorAnswer =
  SignedIn | { totpRequired: true; challenge: string } | { passkeyRequired: true; challenge: string };

/**
 * Completes every sign-in whose first factor, a password or an identity, was right. `isNew`: the account was just created. `house`: the
 * first factor was the house's account, after which a passkey is the second factor. Without `house`, 403 for staff who sign in only with
 * it, and for staff who need a second factor and have a passkey, which counts as both.
 */
export async function afterFirstFactor(
  context: ArrivalContext,
  account: Pick<AccountRow, 'id' | 'email' | 'staff_role' | 'factor_removal_at'>,
  { isNew = false, house }: { isNew?: boolean; house?: HouseStamp } = {},
): Promise<FirstFactorAnswer> {
  const { tx, deps, now } = context;
  const isLastPassword = house === undefined && (await requireOwnWay(context, account));
  if (account.factor_removal_at !== null) await endDueRemoval(tx, account.id, now);
  if ((await totpFactor(tx, account.id)) !== undefined)
    return { totpRequired: true, challenge: await openChallenge(tx, account.id, now, { house }) };
  const needsFactor = isLastPassword || (deps.config.staffMfa && account.staff_role !== null);
  if (needsFactor && (await hasPasskey(tx, account.id))) {
    if (house === undefined) throw new AppError('SECOND_FACTOR_REQUIRED', msg`Please sign in with your passkey.`);
    return { passkeyRequired: true, challenge: await openChallenge(tx, account.id, now, { house }) };
  }
  return await signDeviceIn(context, account, { isNew, house });
}

/**
 * The error after a right first factor: 403 with a restore handle for a leaving account; 401, as for an unknown account, once it can no
 * longer be restored, because a legal hold may keep it for long; and 403 with the reason for a deactivated one.
 */
export async function refusalOf(db: Db, account: AccountRow, now: Date): Promise<AppError> {
  if (account.leaving_since !== null && restoreUntil(account.leaving_since) <= now) return wrongCredentials();
  if (account.leaving_since !== null)
    return new AppError('ACCOUNT_LEAVING', msg`You deleted this account. You can still restore it.`, {
      data: { restoreToken: await newRestoreHandle(db, account.id, account.leaving_since, now) },
    });
  const reason = account.deactivation_reason;
  return new AppError(
    'ACCOUNT_DEACTIVATED',
    reason === null ? msg`Your account was deactivated.` : msg`Your account was deactivated: ${{ reason }}`,
  );
}

interface ChallengeAnswer {
  challenge: string;
  accountId: string;
  attempt: CodeTry;
}

/** Counts a code for a first factor's challenge. Throws the errors of an expired challenge and of `countCode`. */
export async function countChallenge(
  { deps, now }: CallContext<unknown>,
  { challenge, code }: { challenge: string; code: string },
): Promise<ChallengeAnswer> {
  const accountId = await challengedAccount(deps.db, challenge, now);
  const challenged = await accountById(deps.db, accountId);
  // Checked before a code is used up.
  if (!isWelcome(challenged)) throw await refusalOf(deps.db, challenged, now);
  return { challenge, accountId, attempt: await countCode(deps.db, accountId, code, now) };
}

/** Completes a sign-in with a code, after the first factor. The fifth wrong code ends the challenge. */
export async function signInWithCode(
  context: ArrivalContext,
  { challenge, accountId, attempt }: ChallengeAnswer,
): Promise<SignedIn> {
  const { tx, deps, now, after } = context;
  const account = await lockAccount(tx, accountId);
  try {
    await requireCode(context, account, attempt);
  } catch (error) {
    if (!(error instanceof AppError) || error.code !== 'INVALID_CODE') throw error;
    after(() => deps.metrics.loginFailures.inc());
    throw (await isLastTry(tx, challenge)) ? committed(challengeExpired()) : error;
  }
  await requireWelcome(context, account);
  const house = await takeChallenge(tx, challenge, now);
  const signedIn = await signDeviceIn(context, account, { secondFactor: true, house });
  noteArrival(context, accountId);
  return signedIn;
}
