import { msg } from '@lingui/core/runtime-macro';
import type { BodyOf } from '#contract/endpoint.ts';
import type { changePassword as changePasswordCall, resetPassword as resetPasswordCall } from '#contract/auth/auth.ts';
import { resetsPerHour, resetTokenTtlMinutes } from '#contract/constants.ts';
import { AppError } from '#platform/http/app-error.ts';
import type { CommandContext, CallContext } from '#platform/http/mount.ts';
import { secondsAfter } from '#platform/process/clock.ts';
import { inTransaction, type Db } from '#platform/db/db.ts';
import type { Deps } from '../../../deps.ts';
import { addJob } from '#platform/jobs/jobs.ts';
import { queueMail } from '#platform/notify/mail.ts';
import { hashPassword } from './hashing.ts';
import { judgeProof, type JudgedProof, requireProof } from './proof.ts';
import { cancelEmailChanges, checkAddressIsSettled, endRestores, warnEverywhere } from '../address/changes.ts';
import { hashToken, newToken } from '#platform/config/secrets.ts';
import { endSessions } from '#platform/session/sessions.ts';
import { checkPassword, passwordOwner, suitsStaff } from '../policy.ts';
import { accountByEmail, accountById, isResetHeld, lockAccount, mailboxOf, type AccountRow } from '../accounts.ts';
import { endSecondSteps } from '../session/challenges.ts';
import type { ArrivalContext } from '../session/sessions.ts';
import { otherWays, removeSignInMethods, signInMethodsOf } from '../identity/identities.ts';
import { proveAddress } from '../join/first-proof.ts';
import { forgetJoinHandle } from '../join/mailed-codes.ts';
import { forgetAttempts } from '../session/throttle.ts';

/** Queues a password reset for an address. Known and unknown addresses cause the same work before the answer. */
export async function requestReset({ tx }: ArrivalContext, email: string): Promise<void> {
  await addJob(tx, 'auth.forgotPassword', { email });
}

/** The job behind `requestReset`: emails a link to a known address. */
export async function mailReset({ db, clock }: Deps, { email }: { email: string }): Promise<void> {
  await inTransaction(db, async (tx) => {
    const known = await accountByEmail(tx, email);
    if (known !== undefined) await sendReset(tx, await lockAccount(tx, known.id), clock.now());
  });
}

/**
 * Emails a (locked) account a link to choose a new password, at most three an hour while one of them works. Earlier links keep working, so
 * that repeated requests by a stranger take nothing from the owner. Sends nothing for a day after staff corrected the address.
 */
export async function sendReset(tx: Db, account: AccountRow, now: Date): Promise<'sent' | 'too many' | 'held'> {
  if (isResetHeld(account, now)) return 'held';
  await tx.deleteFrom('password_reset').where('account_id', '=', account.id).where('expires_at', '<=', now).execute();
  const { count } = await tx
    .selectFrom('mail')
    .select((eb) => eb.fn.countAll<string>().as('count'))
    .where('recipient', '=', account.email)
    .where('template', '=', 'resetPassword')
    .where('created_at', '>', secondsAfter(now, -3600))
    .executeTakeFirstOrThrow();
  const working = tx.selectFrom('password_reset').select('account_id').where('account_id', '=', account.id).limit(1);
  if (Number(count) >= resetsPerHour && (await working.executeTakeFirst()) !== undefined) return 'too many';
  const token = newToken();
  const expiresAt = secondsAfter(now, resetTokenTtlMinutes * 60);
  await tx
    .insertInto('password_reset')
    .values({
      token_hash: hashToken(token),
      account_id: account.id,
      created_at: now,
      expires_at: expiresAt,
    })
    .execute();
  const mail = { template: 'resetPassword', data: { token }, expiresAt, replacesWaiting: true };
  await queueMail(tx, { ...mailboxOf(account), ...mail }, now);
  return 'sent';
}

const linkIsOver = () => new AppError('INVALID_CODE', msg`This link is no longer valid. Please request a new one.`);

/** The account that an emailed reset link belongs to; 400 for an expired or used link. */
async function accountOfReset(db: Db, token: string, now: Date): Promise<AccountRow> {
  const row = await db
    .selectFrom('password_reset')
    .select('account_id')
    .where('token_hash', '=', hashToken(token))
    .where('expires_at', '>', now)
    .executeTakeFirst();
  if (row === undefined) throw linkIsOver();
  return await accountById(db, row.account_id);
}

/**
 * The sign-in methods that a reset removes unless they are confirmed. Empty before the address is verified, when all
 * are removed, and for staff, whose passkeys are kept.
 */
export async function resetMethods({ db }: Deps, token: string, now: Date) {
  const account = await accountOfReset(db, token, now);
  const isChoosable = account.email_verified_at !== null && account.staff_role === null;
  return isChoosable ? await signInMethodsOf(db, account.id) : [];
}

/** An accepted new password, and its hash. */
interface NewPassword {
  password: string;
  passwordHash: string;
}

/**
 * Checks and hashes the new password for an emailed token; 400 for an expired or used token, 422 for a rejected
 * password.
 */
export async function prepareReset(
  { deps, now }: CallContext<unknown>,
  { token, password }: BodyOf<typeof resetPasswordCall>,
): Promise<NewPassword> {
  checkPassword(password, passwordOwner(await accountOfReset(deps.db, token, now)));
  return { password, passwordHash: await hashPassword(password) };
}

/**
 * Sets a new password with an emailed token, once (400 otherwise). The token proves access to the mailbox, so the
 * address becomes verified, every session ends, and a requested change of address is canceled. Sign-in methods not in
 * `keep` are removed, because someone else may have added them. Two-step verification and the passkeys of staff are
 * kept, because a mailbox is not a second factor. If the address was unverified before, the account is transferred to
 * the mailbox's owner.
 */
export async function resetPassword(
  { tx, now }: ArrivalContext,
  { token, keep = [], password, passwordHash }: NewPassword & { token: string; keep?: string[] | undefined },
): Promise<void> {
  const account = await lockAccount(tx, (await accountOfReset(tx, token, now)).id);
  const used = await tx
    .deleteFrom('password_reset')
    .where('token_hash', '=', hashToken(token))
    .returning('account_id')
    .executeTakeFirst();
  if (used === undefined) throw linkIsOver();
  await tx.deleteFrom('password_reset').where('account_id', '=', account.id).execute();
  if (account.email_verified_at === null) await proveAddress(tx, account, null, now);
  await tx
    .updateTable('account')
    .set({
      password_hash: passwordHash,
      password_suits_staff: suitsStaff(password),
    })
    .where('id', '=', account.id)
    .execute();
  await endSessions(tx, account.id);
  await endRestores(tx, account.id);
  if (account.staff_role === null) await removeSignInMethods(tx, account.id, keep);
  await tx.deleteFrom('verification').where('account_id', '=', account.id).execute();
  await forgetAttempts(tx, account.email);
  // Someone else with access to the mailbox would have to start removing the factor again, and its owner would be
  // notified.
  await endSecondSteps(tx, account.id);
  // Deletes handles that were given to anyone who knew the old password.
  await tx.deleteFrom('restore_handle').where('account_id', '=', account.id).execute();
  const data = { methods: await otherWays(tx, account) };
  await warnEverywhere(tx, account, { template: 'passwordChanged', data }, now);
}

/**
 * Before an account becomes staff: removes a password that is too short for staff and emails its owner a link to set
 * another. Changes of address can no longer be undone, because that would set a password checked by members' rules.
 */
export async function demandStaffPassword(tx: Db, accountId: string): Promise<void> {
  await endRestores(tx, accountId);
  const dropped = await tx
    .updateTable('account')
    .set({ password_hash: null })
    .where('id', '=', accountId)
    .where('password_suits_staff', '=', false)
    .returning('email')
    .executeTakeFirst();
  if (dropped !== undefined) await addJob(tx, 'auth.forgotPassword', { email: dropped.email });
}

/** Checks and hashes the caller's new password, and checks their proof. */
export async function prepareChange(
  context: CallContext,
  { currentPassword, password, code, passkey }: BodyOf<typeof changePasswordCall>,
): Promise<NewPassword & { proof: JudgedProof }> {
  checkPassword(password, passwordOwner(await accountById(context.deps.db, context.caller.accountId)));
  const passwordHash = await hashPassword(password);
  const proof = await judgeProof(context, { password: currentPassword, code, passkey });
  return { password, passwordHash, proof };
}

/** Changes the caller's password or sets their first one, ends their other sessions and emails them. */
export async function changePassword(
  context: CommandContext,
  { password, passwordHash, proof }: NewPassword & { proof: JudgedProof },
): Promise<void> {
  const { tx, caller, now } = context;
  const account = await requireProof(context, proof);
  if (account.password_hash === null) await checkAddressIsSettled(tx, account.id, now);
  await tx
    .updateTable('account')
    .set({ password_hash: passwordHash, password_suits_staff: suitsStaff(password) })
    .where('id', '=', account.id)
    .execute();
  await endSessions(tx, account.id, caller.sessionId);
  await cancelEmailChanges(tx, account.id, now);
  await forgetJoinHandle(tx, account.id);
  await endRestores(tx, account.id);
  await tx.deleteFrom('password_reset').where('account_id', '=', account.id).execute();
  await endSecondSteps(tx, account.id);
  const data = { methods: await otherWays(tx, account) };
  await warnEverywhere(tx, account, { template: 'passwordChanged', data }, now);
}
