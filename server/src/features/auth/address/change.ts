import { addressRestoreDays, resendPauseSeconds } from '#contract/constants.ts';
import type { BodyOf } from '#contract/endpoint.ts';
import type { changeEmail, restoreEmail } from '#contract/auth/auth.ts';
import { AppError, tooMany } from '../../../platform/http/app-error.ts';
import type { Caller } from '../../../platform/session/caller.ts';
import { secondsAfter } from '../../../platform/process/clock.ts';
import { inTransaction, refusedConstraint, type Db } from '../../../platform/db/db.ts';
import { addJob } from '../../../platform/jobs/jobs.ts';
import { queueMail } from '../../../platform/notify/mail.ts';
import { hashToken, newToken } from '../../../platform/config/secrets.ts';
import { endSessions } from '../../../platform/session/sessions.ts';
import type { Deps } from '../../../deps.ts';
import { accountByEmail, accountById, isRefused, lockAccount, mailboxOf, mailsSince } from '../accounts.ts';
import { withCode } from '../factors/codes.ts';
import { deleteTotp, dropRemoval, totpFactor } from '../factors/factors.ts';
import { cancelEmailChanges } from './changes.ts';
import { openVerification, pauseBeforeResend } from '../join/mailed-codes.ts';
import { ownAssertion } from '../passkeys/sign-in.ts';
import { hashPassword } from '../password/hashing.ts';
import { checkPasswordOf, withProof, wrongPassword } from '../password/proof.ts';
import { checkPassword, checkProven, passwordOwner, suitsStaff } from '../policy.ts';
import { endSecondSteps } from '../session/challenges.ts';

const linkIsOver = () => new AppError('INVALID_CODE', 'This link is no longer valid.');
const day = 86_400;

/**
 * Requests another email address, which takes effect once it is verified; only the newest request counts, and the old address
 * gets a link that cancels it. Returns the handle. A registered address is answered, counted and stored like a free one, so that
 * no one learns which it is. 403 before the caller's own address is verified, 429 for too many requests of a network or account.
 */
export async function requestEmailChange(
  deps: Deps,
  caller: Caller,
  { email, ...proof }: BodyOf<typeof changeEmail>,
  network: string,
  now: Date,
): Promise<string> {
  checkProven(caller);
  await deps.limits.spend('addressChange', network);
  return await withProof(deps, caller, proof, now, async (tx, account) => {
    const waitSeconds = await pauseBeforeResend(tx, account.id, 'owner', now);
    if (waitSeconds > resendPauseSeconds)
      throw tooMany('Too many changes today. Please try again tomorrow.', waitSeconds);
    await cancelEmailChanges(tx, account.id, now);
    const owner = await accountByEmail(tx, email);
    const isDecoy = owner !== undefined || (await isRefused(tx, deps.addressKey, email, now));
    const handle = newToken();
    const cancel = newToken();
    const change = { sessionId: caller.sessionId, cancelHash: hashToken(cancel), isDecoy };
    const request = {
      email,
      purpose: 'change' as const,
      askedBy: 'owner' as const,
      handleHash: hashToken(handle),
      change,
    };
    await openVerification(tx, account, request, now);
    if (isDecoy) await addJob(tx, 'auth.addressInUse', { email, askedBy: account.id });
    const data = { newEmail: email, token: cancel };
    await queueMail(tx, { ...mailboxOf(account), template: 'emailChangeRequested', data }, now);
    return handle;
  });
}

/** The job that notifies the owner of an address someone else asked for, at most once a day. */
export async function notifyAddressInUse(deps: Deps, email: string, askedBy: string, now: Date): Promise<void> {
  await inTransaction(deps.db, async (tx) => {
    const owner = await accountByEmail(tx, email);
    if (owner === undefined || owner.id === askedBy) return;
    await lockAccount(tx, owner.id);
    if ((await mailsSince(tx, owner.id, 'addressInUse', secondsAfter(now, -day))) > 0) return;
    await queueMail(tx, { ...mailboxOf(owner), template: 'addressInUse', data: {} }, now);
  });
}

/** Cancels a requested change with the link mailed to the old address, and signs out the device that asked; 400 once it is over. */
export async function cancelByLink({ db }: Deps, token: string, now: Date): Promise<void> {
  await inTransaction(db, async (tx) => {
    const asked = await tx
      .selectFrom('verification')
      .select(['account_id', 'session_id'])
      .where('cancel_hash', '=', hashToken(token))
      .where('expires_at', '>', now)
      .executeTakeFirst();
    if (asked === undefined) throw linkIsOver();
    await lockAccount(tx, asked.account_id);
    await cancelEmailChanges(tx, asked.account_id, now);
    if (asked.session_id !== null) await tx.deleteFrom('session').where('id', '=', asked.session_id).execute();
  });
}

/**
 * Undoes a change of address with the link mailed to the old one and the password, code or passkey that was valid before: the
 * old address and a new password count again, every session ends, and ways in that were added since, or in the week before,
 * are removed. 403 without such a
 * proof, which leaves the link valid; 400 for a link that is over; 409 when the old address has another account by now.
 */
export async function restoreAddress(deps: Deps, body: BodyOf<typeof restoreEmail>, now: Date): Promise<void> {
  const { db } = deps;
  const former = await db
    .selectFrom('former_address')
    .selectAll()
    .where('restore_hash', '=', hashToken(body.token))
    .where('changed_at', '>', secondsAfter(now, -addressRestoreDays * day))
    .executeTakeFirst();
  if (former === undefined) throw linkIsOver();
  const account = await accountById(db, former.account_id);
  const factor = await totpFactor(db, account.id);
  const passkeys = await db
    .selectFrom('passkey')
    .select('id')
    .where('account_id', '=', account.id)
    .where('created_at', '<=', former.changed_at)
    .execute();
  const hasFactor = factor !== undefined && factor.since <= former.changed_at;
  const { newPassword } = body;
  if (
    newPassword === undefined ||
    (body.password === undefined && body.code === undefined && body.passkey === undefined)
  ) {
    const proof = {
      purpose: 'restore' as const,
      hasPassword: former.password_hash !== null,
      hasFactor,
      hasPasskey: passkeys.length > 0,
    };
    throw new AppError('PROOF_REQUIRED', 'Confirm that this is your account, and choose a new password.', {
      data: { proof },
    });
  }
  checkPassword(newPassword, passwordOwner({ ...account, email: former.email }));
  const passwordHash = await hashPassword(newPassword);
  const restore = (tx: Db, proof: Kept = {}) =>
    undoChange(tx, { ...former, passwordHash, isStaffPassword: suitsStaff(newPassword) }, proof, now);
  try {
    if (body.passkey !== undefined) {
      const asserted = await ownAssertion(deps, account.id, body.passkey, now);
      if (!passkeys.some(({ id }) => id === asserted))
        throw new AppError('PASSKEY_REFUSED', 'This passkey is newer than the change.');
      await inTransaction(db, (tx) => restore(tx, { passkeyId: asserted }));
    } else if (body.code !== undefined && hasFactor) {
      await withCode(deps, account.id, body.code, now, (tx) => restore(tx, { totp: true }));
    } else {
      if (former.password_hash === null) throw wrongPassword();
      const hashes = [former.password_hash, ...(await replacedBefore(db, account.id, former.changed_at))];
      const guarded = { id: account.id, email: former.email };
      await checkPasswordOf(deps, guarded, hashes, body.password ?? '', now, 'undo');
      await inTransaction(db, (tx) => restore(tx));
    }
  } catch (error) {
    if (refusedConstraint(error) === 'account_email_key')
      throw new AppError('EMAIL_TAKEN', 'Another account uses this address now. Please contact our support.');
    throw error;
  }
}

/** The password hashes of an account that were replaced in the week before its address: the same intruder may have done both. */
async function replacedBefore(db: Db, accountId: string, changedAt: Date): Promise<string[]> {
  const rows = await db
    .selectFrom('former_password')
    .select('password_hash')
    .where('account_id', '=', accountId)
    .where('replaced_at', '>', secondsAfter(changedAt, -addressRestoreDays * day))
    // The oldest are the owner's, however often it was changed since.
    .orderBy('replaced_at')
    .limit(5)
    .execute();
  return rows.map(({ password_hash }) => password_hash);
}

/** What proved the restore, and stays. */
interface Kept {
  passkeyId?: string;
  totp?: true;
}

async function undoChange(
  tx: Db,
  former: { account_id: string; email: string; changed_at: Date; passwordHash: string; isStaffPassword: boolean },
  kept: Kept,
  now: Date,
): Promise<void> {
  // Someone who changed the address may have added their own way in shortly before.
  const since = secondsAfter(former.changed_at, -addressRestoreDays * day);
  const account = await lockAccount(tx, former.account_id);
  // Later changes are undone with this one, and this link is used up.
  const undone = await tx
    .deleteFrom('former_address')
    .where('account_id', '=', account.id)
    .where('changed_at', '>=', former.changed_at)
    .returning('email')
    .execute();
  if (!undone.some(({ email }) => email === former.email)) throw linkIsOver();
  await tx
    .updateTable('account')
    .set({
      email: former.email,
      email_verified_at: now,
      password_hash: former.passwordHash,
      password_suits_staff: former.isStaffPassword,
    })
    .where('id', '=', account.id)
    .execute();
  await endSessions(tx, account.id);
  await tx.deleteFrom('identity').where('account_id', '=', account.id).where('linked_at', '>', since).execute();
  await tx
    .deleteFrom('passkey')
    .where('account_id', '=', account.id)
    .where('created_at', '>', since)
    .where((eb) => (kept.passkeyId === undefined ? eb.lit(true) : eb('id', '!=', kept.passkeyId)))
    .execute();
  const factor = await totpFactor(tx, account.id);
  if (factor !== undefined && factor.since > since && kept.totp !== true) await deleteTotp(tx, account.id);
  for (const table of ['verification', 'password_reset', 'restore_handle', 'known_device', 'former_password'] as const)
    await tx.deleteFrom(table).where('account_id', '=', account.id).execute();
  await endSecondSteps(tx, account.id);
  await dropRemoval(tx, account.id);
  await queueMail(tx, { ...mailboxOf(account), template: 'emailRestored', data: {} }, now);
  await queueMail(tx, { to: former.email, accountId: account.id, template: 'emailRestored', data: {} }, now);
}
