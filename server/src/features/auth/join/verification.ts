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
import type { Selectable } from 'kysely';
import type { Database } from '../../../platform/db/schema.ts';
import { inTransaction, refusedConstraint, type Db } from '../../../platform/db/db.ts';
import type { Deps } from '../../../deps.ts';
import { addJob } from '../../../platform/jobs/jobs.ts';
import { queueMail } from '../../../platform/notify/mail.ts';
import { hashToken, keyedHash, newCode, newToken } from '../../../platform/config/secrets.ts';
import { endSessions } from '../../../platform/session/sessions.ts';
import { totpFactor } from '../factors/factors.ts';
import { transferAccount } from '../identity/identities.ts';
import { cancelEmailChanges, keepFormerAddress } from '../address/changes.ts';
import { hashPassword } from '../password/hashing.ts';
import { checkPassword, passwordOwner, suitsStaff } from '../policy.ts';
import { accountByPassword } from '../session/sign-in.ts';
import { accountByEmail, accountById, lockAccount, noteTrace, type AccountRow } from '../accounts.ts';
import { signDeviceIn, type Origin, type SignedIn } from '../session/sessions.ts';

export type Proof =
  | { token: string; password?: string | undefined; newPassword?: string | undefined }
  | { verificationToken: string; code: string }
  | { code: string };

const refused = () =>
  new AppError('INVALID_CODE', 'This code or link is wrong or no longer valid. Check it, or request a new one.');

/**
 * Emails a code and a link that verify `email`. The handle is useless without the code, which only the email contains. `change`:
 * who asked for the change, and whether the address belongs to someone else, so that nothing is sent.
 */
export async function openVerification(
  tx: Db,
  account: { id: string },
  email: string,
  purpose: 'join' | 'change',
  handleHash: Buffer,
  now: Date,
  change: { sessionId: string | null; cancelHash: Buffer | null; isDecoy: boolean } | null = null,
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
      session_id: change?.sessionId ?? null,
      cancel_hash: change?.cancelHash ?? null,
      is_decoy: change?.isDecoy ?? false,
    })
    .execute();
  // No one ever learns the code and the link of a decoy.
  if (change?.isDecoy === true) return;
  const template = purpose === 'join' ? 'verifyEmail' : 'confirmNewEmail';
  await queueMail(tx, { to: email, accountId: account.id, template, data: { code, token } }, now);
}

/**
 * Verifies an address by link, by handle and code, or by code alone when signed in; 400 for anything else.
 * Anyone who reads that mailbox has the link, so it isn't enough on its own: 403 `PROOF_REQUIRED` without a session of the
 * account (for a changed address: the one that asked), its password, or, on joining, a new password, which removes every other
 * sign-in method. All sessions but the caller's end. Visitors who verify a new account are signed in; staff, deactivated accounts
 * and accounts with two-step verification are not, and neither is anyone by a changed address.
 */
export async function verifyEmail(
  deps: Deps,
  caller: Caller | null,
  proof: Proof,
  origin: Origin,
  now: Date,
): Promise<Partial<SignedIn>> {
  const found = await findProof(deps.db, caller, proof, now);
  const account = await accountById(deps.db, found.account_id);
  const authority = await authorityOf(deps, caller, proof, found, account, origin, now);
  const newHash =
    authority === 'takes over' && 'token' in proof ? await newPasswordHash(account, proof.newPassword) : null;
  try {
    return await inTransaction(deps.db, async (tx) => {
      const locked = await lockAccount(tx, account.id);
      const taken = await tx
        .deleteFrom('verification')
        .where('account_id', '=', locked.id)
        .returning(['id', 'expires_at'])
        .execute();
      // It may have been canceled while the password was checked.
      if (!taken.some(({ id, expires_at }) => id === found.id && expires_at > now)) throw refused();
      if (found.purpose === 'join' && found.email !== locked.email) throw refused();
      if (newHash !== null) await transferAccount(tx, locked, now);
      await tx
        .updateTable('account')
        .set({ email: found.email, email_verified_at: now, ...newHash })
        .where('id', '=', locked.id)
        .execute();
      await noteTrace(tx, locked.id);
      await endSessions(tx, locked.id, authority === 'session' ? (caller?.sessionId ?? null) : found.session_id);
      if (found.purpose === 'change') {
        await keepFormerAddress(tx, locked, now);
        return {};
      }
      if (authority === 'session' || !locked.is_active || locked.leaving_since !== null || locked.staff_role !== null)
        return {};
      // A mailbox is not a second factor.
      if ((await totpFactor(tx, locked.id)) !== undefined) return {};
      return await signDeviceIn(deps, tx, locked, origin, now, { isNew: true });
    });
  } catch (error) {
    if (refusedConstraint(error) === 'account_email_key') throw new AppError('EMAIL_TAKEN', 'User already exists');
    throw error;
  }
}

/** What entitles someone with a mailed link or code to verify the address; 403 when nothing does. */
async function authorityOf(
  deps: Deps,
  caller: Caller | null,
  proof: Proof,
  found: FoundProof,
  account: AccountRow,
  origin: Origin,
  now: Date,
): Promise<'session' | 'password' | 'takes over' | 'handle'> {
  const isChange = found.purpose === 'change';
  if (caller?.accountId === account.id && (!isChange || !('token' in proof) || caller.sessionId === found.session_id))
    return 'session';
  if (!('token' in proof) && !isChange) return 'handle';
  if ('token' in proof && proof.password !== undefined) {
    const credentials = { email: account.email, password: proof.password };
    const owner = await accountByPassword(deps, credentials, origin.network, now);
    if (owner?.id !== account.id) throw new AppError('WRONG_PASSWORD', 'That is not the password of this account.');
    return 'password';
  }
  if ('token' in proof && proof.newPassword !== undefined && !isChange) return 'takes over';
  const known = {
    purpose: found.purpose,
    hasPassword: account.password_hash !== null,
    hasFactor: false,
    hasPasskey: false,
  };
  throw new AppError('PROOF_REQUIRED', 'Please confirm that this is your account.', { data: { proof: known } });
}

async function newPasswordHash(account: AccountRow, password = '') {
  checkPassword(password, passwordOwner(account));
  return { password_hash: await hashPassword(password), password_suits_staff: suitsStaff(password) };
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

type FoundProof = Pick<Selectable<Database['verification']>, 'id' | 'account_id' | 'email' | 'purpose' | 'session_id'>;

async function findProof(db: Db, caller: Caller | null, proof: Proof, now: Date): Promise<FoundProof> {
  if ('token' in proof) {
    const row = await db
      .selectFrom('verification')
      .select(['id', 'account_id', 'email', 'purpose', 'session_id'])
      .where('token_hash', '=', hashToken(proof.token))
      .where('expires_at', '>', now)
      .executeTakeFirst();
    if (row === undefined) throw refused();
    return row;
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
    .returningAll()
    .executeTakeFirst();
  if (counted === undefined || !counted.code_hash.equals(keyedHash(counted.handle_hash.toString('hex'), proof.code)))
    throw refused();
  return counted;
}

/** Emails the signed-in caller a new code, at most once a minute and five times a day (429). Returns the new handle. */
export async function resendToCaller(deps: Deps, caller: Caller, now: Date): Promise<string | null> {
  return await inTransaction(deps.db, async (tx) => {
    const account = await lockAccount(tx, caller.accountId);
    const newest = await newestVerification(tx, account.id);
    const isChange = newest?.purpose === 'change' && newest.expires_at > now;
    if (account.email_verified_at !== null && !isChange) return null;
    const waitSeconds = await pauseBeforeResend(tx, account.id, now);
    if (waitSeconds > 0)
      throw tooMany('We already sent an email. Please wait before requesting another one.', waitSeconds);
    const handle = newToken();
    const email = isChange ? newest.email : account.email;
    if (isChange) await cancelEmailChanges(tx, account.id, now);
    await openVerification(tx, account, email, isChange ? 'change' : 'join', hashToken(handle), now, {
      sessionId: isChange ? newest.session_id : null,
      // The link in the first email keeps working.
      cancelHash: isChange ? newest.cancel_hash : null,
      isDecoy: isChange && newest.is_decoy,
    });
    return handle;
  });
}

/** Seconds until another email may be requested; 0 means now. */
export async function pauseBeforeResend(tx: Db, accountId: string, now: Date): Promise<number> {
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
    await openVerification(tx, account, account.email, 'join', handleHash, now);
  });
}
