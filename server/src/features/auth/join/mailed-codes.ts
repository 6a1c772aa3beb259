import { msg } from '@lingui/core/runtime-macro';
import {
  resendPauseSeconds,
  resendsPerDay,
  verificationCodeTtlMinutes,
  verificationLinkTtlHours,
} from '#contract/constants.ts';
import type { Deps } from '../../../deps.ts';
import { hashToken, keyedHash, newCode, newToken } from '#platform/config/secrets.ts';
import { inTransaction, type Db } from '#platform/db/db.ts';
import { tooMany } from '#platform/http/app-error.ts';
import type { CommandContext } from '#platform/http/mount.ts';
import { addJob } from '#platform/jobs/jobs.ts';
import { queueMail } from '#platform/notify/mail.ts';
import { secondsAfter, secondsOfDayLeft, startOfDay } from '#platform/process/clock.ts';
import type { ArrivalContext } from '../session/sessions.ts';
import { accountByEmail, lockAccount } from '../accounts.ts';
import { cancelEmailChanges } from '../address/changes.ts';

/**
 * Who requested a code: the person who joined, who also has the password; someone signed in to the account; or anyone
 * who typed the address.
 */
export type AskedBy = 'join' | 'owner' | 'address';

/** A code and a link to be emailed. */
interface CodeRequest {
  email: string;
  purpose: 'join' | 'change';
  askedBy: AskedBy;
  handleHash: Buffer;
  /**
   * The session that requested a change of address, and whether the address belongs to someone else, in which case
   * nothing is sent.
   */
  change?: { sessionId: string | null; cancelHash: Buffer | null; isDecoy: boolean };
  /** The address that staff corrected, and the link that puts it back. */
  correction?: { from: string; cancelHash: Buffer };
}

/** Emails a code and a link that verify an address. The handle is useless without the code, which only the email contains. */
export async function openVerification(
  tx: Db,
  account: { id: string },
  { email, purpose, askedBy, handleHash, change, correction }: CodeRequest,
  now: Date,
): Promise<void> {
  const code = newCode();
  const token = newToken();
  const codeEnds = secondsAfter(now, verificationCodeTtlMinutes * 60);
  await tx
    .insertInto('verification')
    .values({
      account_id: account.id,
      email,
      purpose,
      asked_by: askedBy,
      handle_hash: handleHash,
      token_hash: hashToken(token),
      code_hash: codeHash(handleHash, code),
      created_at: now,
      code_expires_at: codeEnds,
      expires_at: secondsAfter(now, verificationLinkTtlHours * 3600),
      session_id: change?.sessionId ?? null,
      cancel_hash: change?.cancelHash ?? correction?.cancelHash ?? null,
      corrected_from: correction?.from ?? null,
      is_decoy: change?.isDecoy ?? false,
    })
    .execute();
  // The code and link of a decoy are never sent to anyone.
  if (change?.isDecoy === true) return;
  // Only the newest change is valid, but several people may have requested a code for a new account.
  const isChange = purpose === 'change';
  const mail = {
    template: isChange ? 'confirmNewEmail' : 'verifyEmail',
    replacesWaiting: isChange,
    expiresAt: codeEnds,
  };
  await queueMail(tx, { to: email, accountId: account.id, ...mail, data: { code, token } }, now);
}

/** The stored hash of a code, which is bound to one handle. */
export const codeHash = (handleHash: Buffer, code: string): Buffer => keyedHash(handleHash.toString('hex'), code);

/** The handle from joining no longer proves the account's password, because the password was changed. */
export async function forgetJoinHandle(tx: Db, accountId: string): Promise<void> {
  await tx
    .updateTable('verification')
    .set({ asked_by: 'address' })
    .where('account_id', '=', accountId)
    .where('asked_by', '=', 'join')
    .execute();
}

/** Emails the signed-in caller a new code, at most once a minute and five times a day (429). Returns the new handle. */
export async function resendToCaller({ tx, caller, now }: CommandContext): Promise<string | null> {
  const account = await lockAccount(tx, caller.accountId);
  const newest = await tx
    .selectFrom('verification')
    .selectAll()
    .where('account_id', '=', account.id)
    .orderBy('created_at', 'desc')
    .limit(1)
    .executeTakeFirst();
  const isChange = newest?.purpose === 'change' && newest.expires_at > now;
  if (account.email_verified_at !== null && !isChange) return null;
  const waitSeconds = await pauseBeforeResend(tx, account.id, 'owner', now);
  if (waitSeconds > 0)
    throw tooMany(msg`We already sent an email. Please wait before requesting another one.`, waitSeconds);
  const handle = newToken();
  const request = { askedBy: 'owner' as const, handleHash: hashToken(handle) };
  if (!isChange) {
    await openVerification(tx, account, { ...request, email: account.email, purpose: 'join' }, now);
    return handle;
  }
  await cancelEmailChanges(tx, account.id, now);
  // Keeps the link in the first email working.
  const change = { sessionId: newest.session_id, cancelHash: newest.cancel_hash, isDecoy: newest.is_decoy };
  await openVerification(tx, account, { ...request, email: newest.email, purpose: 'change', change }, now);
  return handle;
}

/**
 * Seconds until another email may be requested; 0 means now. Requests by people who only typed the address are counted
 * separately, because they could otherwise block the owner's requests.
 */
export async function pauseBeforeResend(
  tx: Db,
  accountId: string,
  askedBy: 'owner' | 'address',
  now: Date,
): Promise<number> {
  const lastDay = await tx
    .selectFrom('verification')
    .select('created_at')
    .where('account_id', '=', accountId)
    // The email sent on joining counts for both.
    .where('asked_by', 'in', ['join', askedBy])
    .where('created_at', '>', secondsAfter(now, -86_400))
    .orderBy('created_at', 'desc')
    .execute();
  const secondsSince = (at: Date | undefined) => (at === undefined ? Infinity : (now.getTime() - at.getTime()) / 1000);
  const today = lastDay.filter(({ created_at }) => created_at >= startOfDay(now));
  // The email sent on joining comes on top.
  if (today.length > resendsPerDay) return secondsOfDayLeft(now);
  // Rows from the future were written by a wrong clock and are ignored.
  const newest = lastDay.find(({ created_at }) => created_at <= now);
  return Math.max(0, resendPauseSeconds - secondsSince(newest?.created_at));
}

/**
 * Queues a resend to an address. Known and unknown addresses cause the same work and get the same answer. Returns a
 * handle.
 */
export async function requestResend({ tx }: ArrivalContext, email: string): Promise<string> {
  const handle = newToken();
  await addJob(tx, 'auth.resendVerification', { email, handleHash: hashToken(handle).toString('base64url') });
  return handle;
}

/** The job behind `requestResend`: emails only unverified accounts, and no more often than allowed. */
export async function resendToAddress(deps: Deps, email: string, handleHash: Buffer, now: Date): Promise<void> {
  await inTransaction(deps.db, async (tx) => {
    const known = await accountByEmail(tx, email);
    if (known === undefined || known.email_verified_at !== null || !known.is_active) return;
    const account = await lockAccount(tx, known.id);
    if ((await pauseBeforeResend(tx, account.id, 'address', now)) > 0) return;
    const request = { email: account.email, purpose: 'join' as const, askedBy: 'address' as const, handleHash };
    await openVerification(tx, account, request, now);
  });
}
