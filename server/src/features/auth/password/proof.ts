import type { Proof } from '#contract/auth/factors.ts';
import { loginThrottle } from '#contract/constants.ts';
import { AppError, invalid } from '../../../platform/http/app-error.ts';
import { inTransaction, type Db } from '../../../platform/db/db.ts';
import { secondsAfter } from '../../../platform/process/clock.ts';
import { queueMail } from '../../../platform/notify/mail.ts';
import { requireSession } from '../../../platform/session/sessions.ts';
import type { Deps } from '../../../deps.ts';
import { withCode } from '../factors/codes.ts';
import { hasPasskey, totpFactor } from '../factors/factors.ts';
import { isFresh } from '../session/sessions.ts';
import { countForSignIn, releaseProof, reserveProof, returnProof } from '../session/throttle.ts';
import { ownAssertion, passkeyRefused } from '../passkeys/sign-in.ts';
import { accountById, lockAccount, mailboxOf, mailsSince, type AccountRow } from '../accounts.ts';
import { verifyPassword } from './hashing.ts';

type Work<T> = (tx: Db, account: AccountRow) => Promise<T>;

const wrongPassword = () => new AppError('WRONG_PASSWORD', 'This is not your current password');

/**
 * Runs `work` in one transaction after the caller confirmed who they are: with one of their passkeys, or with everything else
 * they have, password and code. Callers with none of these must have signed in recently.
 * 401 when the session ended meanwhile, 403 for a wrong password or no proof, 400 for a wrong code, 422 for a passkey that is not theirs, 429 after too many tries.
 */
export async function withProof<T>(
  deps: Deps,
  caller: { accountId: string; sessionId: string },
  proof: Proof,
  now: Date,
  work: Work<T>,
): Promise<T> {
  const { accountId } = caller;
  const asCaller: Work<T> = async (tx, locked) => {
    await requireSession(tx, caller.sessionId);
    return await work(tx, locked);
  };
  if (proof.passkey !== undefined) return await withFactor(deps, accountId, proof, now, asCaller);
  const account = await accountById(deps.db, accountId);
  if (account.password_hash !== null)
    await checkPasswordOf(deps, account, account.password_hash, proof.password ?? '', now);
  return await withFactor(deps, accountId, proof, now, async (tx, locked) => {
    // Another request may have changed the password since it was checked.
    if (locked.password_hash !== account.password_hash) throw wrongPassword();
    if (
      account.password_hash === null &&
      !(await isProtected(tx, accountId)) &&
      !(await isFresh(tx, caller.sessionId, now))
    )
      throw new AppError('PROOF_REQUIRED', 'Please sign in again first, so that we know it is you.');
    return await asCaller(tx, locked);
  });
}

/**
 * Runs `work` in one transaction after the second factor or a passkey was shown, where the account has one; other accounts
 * confirm nothing. The errors of `withProof`.
 */
export async function withFactor<T>(
  deps: Deps,
  accountId: string,
  proof: Pick<Proof, 'code' | 'passkey'>,
  now: Date,
  work: Work<T>,
): Promise<T> {
  if (proof.passkey !== undefined) {
    const id = await ownAssertion(deps, accountId, proof.passkey, now);
    return await inTransaction(deps.db, async (tx) => {
      const account = await lockAccount(tx, accountId);
      if (!(await hasPasskey(tx, accountId, id))) throw passkeyRefused();
      return await work(tx, account);
    });
  }
  if ((await totpFactor(deps.db, accountId)) !== undefined) {
    if (proof.code === undefined) throw invalid('code', 'Enter a code from your app too');
    return await withCode(deps, accountId, proof.code, now, work);
  } else if (await hasPasskey(deps.db, accountId)) {
    throw new AppError('PROOF_REQUIRED', 'Please confirm with your passkey.');
  }
  return await inTransaction(deps.db, async (tx) => work(tx, await lockAccount(tx, accountId)));
}

/** Whether an account has two-step verification or a passkey, so that a password alone proves too little. */
export async function isProtected(db: Db, accountId: string): Promise<boolean> {
  return (await totpFactor(db, accountId)) !== undefined || (await hasPasskey(db, accountId));
}

/**
 * 403 unless `password` matches `hash`, a password of this account. Wrong ones count like failed sign-ins, so that a stolen
 * session is no place to guess, but failed sign-ins of strangers pause no one here: each place has a count of its own (429 while
 * paused). The owner is emailed once the free tries are used up.
 */
export async function checkPasswordOf(
  { db, config }: Pick<Deps, 'db' | 'config'>,
  account: { id: string; email: string },
  hash: string,
  password: string,
  now: Date,
  place: 'session' | 'undo' = 'session',
): Promise<void> {
  const subject = `${place}:${account.id}`;
  const failures = config.rateLimits ? await reserveProof(db, subject, now) : 0;
  try {
    if (await verifyPassword(hash, password)) {
      if (config.rateLimits) await releaseProof(db, subject);
      return;
    }
  } catch (error) {
    // A server too busy to check the password counts nothing.
    if (config.rateLimits) await returnProof(db, subject);
    throw error;
  }
  if (config.rateLimits) await countForSignIn(db, account.email, now);
  if (failures >= loginThrottle.accountFailures) await warnOfGuesses(db, account, now);
  throw wrongPassword();
}

/** Emails the owner that someone signed in guesses their password, at most once a day. */
async function warnOfGuesses(db: Db, account: { id: string; email: string }, now: Date): Promise<void> {
  await inTransaction(db, async (tx) => {
    await lockAccount(tx, account.id);
    if ((await mailsSince(tx, account.id, 'passwordGuessed', secondsAfter(now, -86_400))) > 0) return;
    await queueMail(tx, { ...mailboxOf(account), template: 'passwordGuessed', data: {} }, now);
  });
}
