import {
  resendPauseSeconds,
  resendsPerDay,
  verificationCodeMaxTries,
  verificationCodeTtlMinutes,
  verificationLinkTtlHours,
} from '#contract/constants.ts';
import { AppError, tooMany, unauthenticated } from '../../../platform/http/app-error.ts';
import type { Caller } from '../../../platform/session/caller.ts';
import { secondsAfter } from '../../../platform/process/clock.ts';
import { inTransaction, refusedConstraint, type Db } from '../../../platform/db/db.ts';
import type { Deps } from '../../../deps.ts';
import { addJob } from '../../../platform/jobs/jobs.ts';
import { queueMail } from '../../../platform/notify/mail.ts';
import { hashToken, keyedHash, newCode, newToken } from '../../../platform/config/secrets.ts';
import { endSessions } from '../../../platform/session/sessions.ts';
import { totpFactor } from '../factors/factors.ts';
import { deleteIdentities } from '../identity/identities.ts';
import { accountByEmail, lockAccount, mailboxOf, isRefused } from '../accounts.ts';
import { signDeviceIn, type Origin, type SignedIn } from '../session/sessions.ts';

export type Proof = { token: string } | { verificationToken: string; code: string } | { code: string };

const refused = () => new AppError('INVALID_CODE', 'This code or link is no longer valid. Please request a new one.');

/** Emails a code and a link that verify `email`. The handle is useless without the code, which only the email contains. */
export async function openVerification(
  tx: Db,
  account: { id: string; firstName: string | null },
  email: string,
  purpose: 'join' | 'change',
  handleHash: Buffer,
  now: Date,
): Promise<void> {
  const code = newCode();
  const token = newToken();
  await tx
    .insertInto('verification')
    .values({
      account_id: account.id,
      email,
      purpose,
      handle_hash: handleHash,
      token_hash: hashToken(token),
      code_hash: keyedHash(handleHash.toString('hex'), code),
      created_at: now,
      code_expires_at: secondsAfter(now, verificationCodeTtlMinutes * 60),
      expires_at: secondsAfter(now, verificationLinkTtlHours * 3600),
    })
    .execute();
  const template = purpose === 'join' ? 'verifyEmail' : 'confirmNewEmail';
  const data = { code, token, name: account.firstName ?? '' };
  await queueMail(tx, { to: email, accountId: account.id, template, data }, now);
}

/**
 * Verifies an address by link, by handle and code, or by code alone when signed in; 400 for anything else.
 * Every other session of the account ends, since someone may have joined with another person's address; when the link is opened
 * without being signed in, linked identities are removed too.
 * Visitors are signed in; staff, deactivated accounts and accounts with two-step verification are not.
 */
export async function verifyEmail(
  deps: Deps,
  caller: Caller | null,
  proof: Proof,
  origin: Origin,
  now: Date,
): Promise<Partial<SignedIn>> {
  const found = await findProof(deps.db, caller, proof, now);
  try {
    return await inTransaction(deps.db, async (tx) => {
      const taken = await tx
        .deleteFrom('verification')
        .where('account_id', '=', found.accountId)
        .returning(['id', 'email', 'purpose'])
        .execute();
      const proven = taken.find((row) => row.id === found.id);
      if (proven === undefined) throw refused();
      const account = await lockAccount(tx, found.accountId);
      if (proven.purpose === 'join' && proven.email !== account.email) throw refused();
      await tx
        .updateTable('account')
        .set({ email: proven.email, email_verified_at: now })
        .where('id', '=', account.id)
        .execute();
      const isOwnSession = caller?.accountId === account.id;
      await endSessions(tx, account.id, isOwnSession ? caller.sessionId : null);
      // Someone else may have joined with an identity whose provider did not vouch for the address.
      if (proven.purpose === 'join' && 'token' in proof && !isOwnSession) await deleteIdentities(tx, account.id);
      if (proven.purpose === 'change')
        await queueMail(tx, { ...mailboxOf(account), template: 'emailChanged', data: {} }, now);
      if (isOwnSession || !account.is_active || account.leaving_since !== null || account.staff_role !== null)
        return {};
      // A mailbox is not a second factor.
      if ((await totpFactor(tx, account.id)) !== undefined) return {};
      return await signDeviceIn(deps, tx, account, origin, now);
    });
  } catch (error) {
    if (refusedConstraint(error) === 'account_email_key') throw new AppError('EMAIL_TAKEN', 'User already exists');
    throw error;
  }
}

/** The newest open verification of an account. */
function newestVerification(db: Db, accountId: string) {
  return db
    .selectFrom('verification')
    .selectAll()
    .where('account_id', '=', accountId)
    .orderBy('created_at', 'desc')
    .limit(1)
    .executeTakeFirst();
}

async function findProof(
  db: Db,
  caller: Caller | null,
  proof: Proof,
  now: Date,
): Promise<{ id: string; accountId: string }> {
  if ('token' in proof) {
    const row = await db
      .selectFrom('verification')
      .select(['id', 'account_id'])
      .where('token_hash', '=', hashToken(proof.token))
      .where('expires_at', '>', now)
      .executeTakeFirst();
    if (row === undefined) throw refused();
    return { id: row.id, accountId: row.account_id };
  }
  if (!('verificationToken' in proof) && caller === null) throw unauthenticated();
  const asked =
    'verificationToken' in proof
      ? await db
          .selectFrom('verification')
          .selectAll()
          .where('handle_hash', '=', hashToken(proof.verificationToken))
          .executeTakeFirst()
      : await newestVerification(db, caller?.accountId ?? '');
  if (asked === undefined) throw refused();
  // The try is counted before the code is checked, so that a thousand parallel guesses still count as five.
  const counted = await db
    .updateTable('verification')
    .set((eb) => ({ tries: eb('tries', '+', 1) }))
    .where('id', '=', asked.id)
    .where('tries', '<', verificationCodeMaxTries)
    .where('code_expires_at', '>', now)
    .returning(['id', 'account_id', 'code_hash', 'handle_hash'])
    .executeTakeFirst();
  if (counted === undefined || !counted.code_hash.equals(keyedHash(counted.handle_hash.toString('hex'), proof.code)))
    throw refused();
  return { id: counted.id, accountId: counted.account_id };
}

/** Emails the signed-in caller a new code, at most once a minute and five times a day (429). Returns the new handle. */
export async function resendToCaller(deps: Deps, caller: Caller, now: Date): Promise<string | null> {
  return await inTransaction(deps.db, async (tx) => {
    const account = await lockAccount(tx, caller.accountId);
    const newest = await newestVerification(tx, account.id);
    const isChange = newest?.purpose === 'change';
    if (account.email_verified_at !== null && !isChange) return null;
    const waitSeconds = await pauseBeforeResend(tx, account.id, now);
    if (waitSeconds > 0)
      throw tooMany('We already sent an email. Please wait before requesting another one.', waitSeconds);
    const handle = newToken();
    const email = isChange ? newest.email : account.email;
    await openVerification(
      tx,
      { id: account.id, firstName: account.first_name },
      email,
      isChange ? 'change' : 'join',
      hashToken(handle),
      now,
    );
    return handle;
  });
}

/** Seconds until another email may be requested; 0 means now. */
async function pauseBeforeResend(tx: Db, accountId: string, now: Date): Promise<number> {
  const lastDay = await tx
    .selectFrom('verification')
    .select('created_at')
    .where('account_id', '=', accountId)
    .where('created_at', '>', secondsAfter(now, -86_400))
    .orderBy('created_at', 'desc')
    .execute();
  const secondsSince = (at: Date | undefined) => (at === undefined ? Infinity : (now.getTime() - at.getTime()) / 1000);
  // The first email of the day is the one sent on joining.
  if (lastDay.length > resendsPerDay) return 86_400 - secondsSince(lastDay.at(-1)?.created_at);
  // Ignore rows from the future: a wrong clock wrote them.
  const newest = lastDay.find(({ created_at }) => created_at <= now);
  return Math.max(0, resendPauseSeconds - secondsSince(newest?.created_at));
}

/** Queues a resend to an address. Known or not, the work and the answer are the same. Returns a handle. */
export async function requestResend(deps: Deps, email: string): Promise<string> {
  const handle = newToken();
  await addJob(deps.db, 'auth.resendVerification', { email, handleHash: hashToken(handle).toString('base64url') });
  return handle;
}

/** The job behind `requestResend`: emails only unverified accounts, and no more often than allowed. */
export async function resendToAddress(deps: Deps, email: string, handleHash: Buffer, now: Date): Promise<void> {
  await inTransaction(deps.db, async (tx) => {
    const known = await accountByEmail(tx, email);
    if (known === undefined || known.email_verified_at !== null || !known.is_active) return;
    const account = await lockAccount(tx, known.id);
    if ((await pauseBeforeResend(tx, account.id, now)) > 0) return;
    await openVerification(
      tx,
      { id: account.id, firstName: account.first_name },
      account.email,
      'join',
      handleHash,
      now,
    );
  });
}

/** Requests another email address, which takes effect once it is verified; the old address is notified. Returns the handle. */
export async function requestEmailChange(deps: Deps, caller: Caller, email: string, now: Date): Promise<string> {
  const handle = newToken();
  await inTransaction(deps.db, async (tx) => {
    const asker = await lockAccount(tx, caller.accountId);
    const waitSeconds = await pauseBeforeResend(tx, caller.accountId, now);
    if (waitSeconds > resendPauseSeconds)
      throw tooMany('Too many changes today. Please try again tomorrow.', waitSeconds);
    const owner = await accountByEmail(tx, email);
    if (owner === undefined && !(await isRefused(tx, deps.addressKey, email, now))) {
      await openVerification(
        tx,
        { id: caller.accountId, firstName: caller.firstName },
        email,
        'change',
        hashToken(handle),
        now,
      );
    } else if (owner !== undefined && owner.id !== caller.accountId) {
      await queueMail(tx, { ...mailboxOf(owner), template: 'addressInUse', data: {} }, now);
    }
    await queueMail(tx, { ...mailboxOf(asker), template: 'emailChangeRequested', data: { newEmail: email } }, now);
  });
  return handle;
}
