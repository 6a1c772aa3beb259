import { resetsPerHour, resetTokenTtlMinutes } from '#contract/constants.ts';
import { AppError } from '../../../platform/http/app-error.ts';
import type { Caller } from '../../../platform/session/caller.ts';
import { secondsAfter } from '../../../platform/process/clock.ts';
import { inTransaction, type Db } from '../../../platform/db/db.ts';
import type { Deps } from '../../../deps.ts';
import { addJob } from '../../../platform/jobs/jobs.ts';
import { queueMail } from '../../../platform/notify/mail.ts';
import { hashPassword, verifyPassword } from './hashing.ts';
import { hashToken, newToken } from '../../../platform/config/secrets.ts';
import { endSessions } from '../../../platform/session/sessions.ts';
import { checkPassword, suitsStaff } from '../policy.ts';
import { accountByEmail, accountById, lockAccount, mailboxOf, type AccountRow } from '../accounts.ts';
import { endSecondSteps } from '../session/challenges.ts';
import { dropRemoval } from '../factors/factors.ts';
import { isFresh } from '../session/sessions.ts';
import { handOver, otherWays } from '../identity/identities.ts';
import { forgetAttempts } from '../session/throttle.ts';

const ownerOf = (account: AccountRow) => ({
  email: account.email,
  names: [account.first_name, account.last_name],
  isStaff: account.staff_role !== null,
});

/** Queues a password reset for an address. Known or not, the work before the answer is the same. */
export async function requestReset(deps: Deps, email: string): Promise<void> {
  await addJob(deps.db, 'auth.forgotPassword', { email });
}

/** The job behind `requestReset`: emails a link to a known address, at most three an hour; only the newest works. */
export async function mailReset(deps: Deps, email: string, now: Date): Promise<void> {
  await inTransaction(deps.db, async (tx) => {
    const known = await accountByEmail(tx, email);
    if (known === undefined) return;
    const account = await lockAccount(tx, known.id);
    const { count } = await tx
      .selectFrom('mail')
      .select((eb) => eb.fn.countAll<string>().as('count'))
      .where('recipient', '=', account.email)
      .where('template', '=', 'resetPassword')
      .where('created_at', '>', secondsAfter(now, -3600))
      .executeTakeFirstOrThrow();
    if (Number(count) >= resetsPerHour) return;
    const token = newToken();
    await tx.deleteFrom('password_reset').where('account_id', '=', account.id).execute();
    await tx
      .insertInto('password_reset')
      .values({
        token_hash: hashToken(token),
        account_id: account.id,
        created_at: now,
        expires_at: secondsAfter(now, resetTokenTtlMinutes * 60),
      })
      .execute();
    await queueMail(tx, { ...mailboxOf(account), template: 'resetPassword', data: { token } }, now);
  });
}

/**
 * Sets a new password with an emailed token, once (400 otherwise). The token proves access to the mailbox, so the address
 * becomes verified, every session ends and a pending change of address is dropped. If the address was unverified before, the
 * account is transferred to its new owner.
 */
export async function resetPassword(deps: Deps, token: string, password: string, now: Date): Promise<void> {
  const refused = () => new AppError('INVALID_CODE', 'This link is no longer valid. Please request a new one.');
  const hash = hashToken(token);
  const row = await deps.db
    .selectFrom('password_reset')
    .select('account_id')
    .where('token_hash', '=', hash)
    .where('expires_at', '>', now)
    .executeTakeFirst();
  if (row === undefined) throw refused();
  checkPassword(password, ownerOf(await accountById(deps.db, row.account_id)));
  const passwordHash = await hashPassword(password);
  await inTransaction(deps.db, async (tx) => {
    const used = await tx
      .deleteFrom('password_reset')
      .where('token_hash', '=', hash)
      .returning('account_id')
      .executeTakeFirst();
    if (used === undefined) throw refused();
    const account = await lockAccount(tx, used.account_id);
    if (account.email_verified_at === null) await handOver(tx, account, now);
    await tx
      .updateTable('account')
      .set({
        password_hash: passwordHash,
        password_suits_staff: suitsStaff(password),
        email_verified_at: account.email_verified_at ?? now,
      })
      .where('id', '=', account.id)
      .execute();
    await endSessions(tx, account.id);
    await tx.deleteFrom('verification').where('account_id', '=', account.id).execute();
    await forgetAttempts(tx, account.email);
    await endSecondSteps(tx, account.id);
    // Someone else with access to the mailbox has to start the removal again, which the owner is notified of.
    await dropRemoval(tx, account.id);
    const data = { methods: await otherWays(tx, account.id) };
    await queueMail(tx, { ...mailboxOf(account), template: 'passwordChanged', data }, now);
  });
}

/** Before an account becomes staff: removes a password that is too short for staff and emails its owner a link to choose another. */
export async function demandStaffPassword(tx: Db, accountId: string): Promise<void> {
  const dropped = await tx
    .updateTable('account')
    .set({ password_hash: null })
    .where('id', '=', accountId)
    .where('password_suits_staff', '=', false)
    .returning('email')
    .executeTakeFirst();
  if (dropped !== undefined) await addJob(tx, 'auth.forgotPassword', { email: dropped.email });
}

/** 403 unless `password` is the caller's. Callers without a password must have signed in, or confirmed their identity, recently. */
export async function checkCurrentPassword(
  db: Db,
  caller: Caller,
  password: string | undefined,
  now: Date,
): Promise<void> {
  const { password_hash } = await accountById(db, caller.accountId);
  if (password_hash === null && password === undefined) {
    if (await isFresh(db, caller.sessionId, now)) return;
    throw new AppError('PROOF_REQUIRED', 'Please sign in again first, so that we know it is you.');
  }
  if (!(await verifyPassword(password_hash, password ?? ''))) {
    const msg = 'This is not your current password';
    throw new AppError('WRONG_PASSWORD', msg);
  }
}

/** Changes the caller's password, or sets their first, ends their other sessions and emails them. */
export async function changePassword(
  deps: Deps,
  caller: Caller,
  body: { currentPassword?: string | undefined; password: string },
  now: Date,
): Promise<void> {
  await checkCurrentPassword(deps.db, caller, body.currentPassword, now);
  checkPassword(body.password, ownerOf(await accountById(deps.db, caller.accountId)));
  const passwordHash = await hashPassword(body.password);
  await inTransaction(deps.db, async (tx) => {
    const account = await lockAccount(tx, caller.accountId);
    await tx
      .updateTable('account')
      .set({ password_hash: passwordHash, password_suits_staff: suitsStaff(body.password) })
      .where('id', '=', account.id)
      .execute();
    await endSessions(tx, account.id, caller.sessionId);
    await tx.deleteFrom('password_reset').where('account_id', '=', account.id).execute();
    await endSecondSteps(tx, account.id);
    const data = { methods: await otherWays(tx, account.id) };
    await queueMail(tx, { ...mailboxOf(account), template: 'passwordChanged', data }, now);
  });
}
