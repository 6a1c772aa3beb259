import { msg } from '@lingui/core/runtime-macro';
import type { Proof } from '#contract/auth/factors.ts';
import { loginThrottle } from '#contract/constants.ts';
import { AppError, invalid, refusalToCommit } from '#platform/http/app-error.ts';
import { inTransaction, type Db } from '#platform/db/db.ts';
import type { CommandContext, CallContext } from '#platform/http/mount.ts';
import { secondsAfter } from '#platform/process/clock.ts';
import { queueMail } from '#platform/notify/mail.ts';
import { requireSession } from '#platform/session/sessions.ts';
import { type CodeTry, countCode, requireCode } from '../factors/codes.ts';
import { hasPasskey, isProtected, totpFactor } from '../factors/factors.ts';
import { isFresh } from '../session/sessions.ts';
import { countForSignIn, releaseProof, reserveProof, returnProof } from '../session/throttle.ts';
import { ownAssertion, passkeyRefused } from '../passkeys/sign-in.ts';
import { accountById, lockAccount, mailboxOf, mailsSince, type AccountRow } from '../accounts.ts';
import { verifyPassword } from './hashing.ts';

const wrongPassword = () => new AppError('WRONG_PASSWORD', msg`This is not your current password`);

/** What a proof is compared with inside the transaction. */
type Within = Pick<CommandContext, 'tx' | 'deps' | 'caller' | 'now'>;

/** A factor that someone showed: a passkey of the account or a code to check; null if the account has neither. */
export type ShownFactor = { passkeyId: string } | CodeTry | null;

/** A proof, checked as far as possible before the transaction. */
export interface JudgedProof {
  /** The hash of the account's password, null if it has none; undefined if a passkey was shown instead. */
  passwordHash: string | null | undefined;
  factor: ShownFactor;
}

/**
 * Checks how the caller confirmed who they are: with a passkey, or with everything else they have, password and code.
 * 403 for a wrong password, 422 for someone else's passkey, 429 after too many attempts, and the errors of
 * `judgeFactor`.
 */
export async function judgeProof(context: CallContext, proof: Proof): Promise<JudgedProof> {
  const { deps, caller } = context;
  if (proof.passkey !== undefined)
    return { passwordHash: undefined, factor: await judgeFactor(context, caller.accountId, proof) };
  const account = await accountById(deps.db, caller.accountId);
  const { password_hash: passwordHash } = account;
  if (passwordHash !== null)
    await checkPasswordOf(context, account, { hash: passwordHash, given: proof.password ?? '' });
  return { passwordHash, factor: await judgeFactor(context, caller.accountId, proof) };
}

/**
 * Locks and returns the caller's account if the checked proof is still valid in the transaction. Callers who have
 * nothing to show must have signed in recently. 401 if the session ended in the meantime, 403 for a changed password or
 * a missing proof, and the errors of `requireFactor`.
 */
export async function requireProof(context: Within, { passwordHash, factor }: JudgedProof): Promise<AccountRow> {
  const { tx, caller, now } = context;
  const account = await requireFactor(context, caller.accountId, factor);
  if (passwordHash !== undefined) {
    // Another request may have changed the password since it was checked.
    if (account.password_hash !== passwordHash) throw wrongPassword();
    if (passwordHash === null && !(await isProtected(tx, account.id)) && !(await isFresh(tx, caller.sessionId, now)))
      throw new AppError('PROOF_REQUIRED', msg`Please sign in again first, so that we know it is you.`);
  }
  await requireSession(tx, caller.sessionId);
  return account;
}

/**
 * Checks the second factor or passkey that was shown; accounts without one confirm nothing. 400 for a missing code, 403
 * for a missing passkey, 422 for someone else's passkey, 429 after too many attempts.
 */
export async function judgeFactor(
  { deps, now }: CallContext<unknown>,
  accountId: string,
  proof: Pick<Proof, 'code' | 'passkey'>,
): Promise<ShownFactor> {
  if (proof.passkey !== undefined) return { passkeyId: await ownAssertion(deps, accountId, proof.passkey, now) };
  if ((await totpFactor(deps.db, accountId)) !== undefined) {
    if (proof.code === undefined) throw invalid('code', msg`Enter a code from your app too`);
    return await countCode(deps.db, accountId, proof.code, now);
  }
  if (await hasPasskey(deps.db, accountId))
    throw new AppError('PROOF_REQUIRED', msg`Please confirm with your passkey.`);
  return null;
}

/**
 * Locks and returns an account whose checked factor is still valid in the transaction; nothing may be written before.
 * 400 for a wrong code, 422 for a passkey that was removed in the meantime.
 */
export async function requireFactor(
  context: Omit<Within, 'caller'>,
  accountId: string,
  factor: ShownFactor,
): Promise<AccountRow> {
  const { tx } = context;
  const account = await lockAccount(tx, accountId);
  if (factor === null) return account;
  if ('code' in factor) await requireCode(context, account, factor);
  else if (!(await hasPasskey(tx, accountId, factor.passkeyId))) throw passkeyRefused();
  return account;
}

/**
 * Confirms the caller, and runs `work` in its own transaction, for an answer that is streamed. Throws the errors of
 * `judgeProof` and `requireProof`.
 */
export async function withProof<T extends object>(
  context: CallContext,
  proof: Proof,
  work: (tx: Db) => Promise<T>,
): Promise<T> {
  const judged = await judgeProof(context, proof);
  const done = await inTransaction(context.deps.db, async (tx) =>
    requireProof({ ...context, tx }, judged)
      .then(() => work(tx))
      .catch(refusalToCommit),
  );
  if (done instanceof AppError) throw done;
  return done;
}

/**
 * Throws 403 unless `given` matches `hash`, the account's password. Wrong passwords count like failed sign-ins, so that
 * a stolen session can't be used for guessing. Each place has its own count, so that strangers' failed sign-ins don't
 * block the owner here (429 while paused). The owner is emailed once the free attempts are used up.
 */
export async function checkPasswordOf(
  { deps: { db, config }, now }: CallContext<unknown>,
  account: { id: string; email: string },
  { hash, given, place = 'session' }: { hash: string; given: string; place?: 'session' | 'undo' },
): Promise<void> {
  const subject = `${place}:${account.id}`;
  const failures = config.rateLimits ? await reserveProof(db, subject, now) : 0;
  try {
    if (await verifyPassword(hash, given)) {
      if (config.rateLimits) await releaseProof(db, subject);
      return;
    }
  } catch (error) {
    // If the server is too busy to check the password, the attempt does not count.
    if (config.rateLimits) await returnProof(db, subject);
    throw error;
  }
  if (config.rateLimits) await countForSignIn(db, account.email, now);
  if (failures >= loginThrottle.accountFailures) await warnOfGuesses(db, account, now);
  throw wrongPassword();
}

/** Emails the owner, at most once a day, that someone signed in is guessing their password. */
async function warnOfGuesses(db: Db, account: { id: string; email: string }, now: Date): Promise<void> {
  await inTransaction(db, async (tx) => {
    await lockAccount(tx, account.id);
    if ((await mailsSince(tx, account.id, 'passwordGuessed', secondsAfter(now, -86_400))) > 0) return;
    await queueMail(tx, { ...mailboxOf(account), template: 'passwordGuessed', data: {} }, now);
  });
}
