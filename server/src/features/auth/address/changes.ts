import { msg } from '@lingui/core/runtime-macro';
import { addressRestoreDays, formerAddressDays } from '#contract/constants.ts';
import { AppError } from '#platform/http/app-error.ts';
import { secondsAfter } from '#platform/process/clock.ts';
import type { Db } from '#platform/db/db.ts';
import { queueMail } from '#platform/notify/mail.ts';
import { hashToken, newToken } from '#platform/config/secrets.ts';
import { mailboxOf, type AccountRow } from '../accounts.ts';
import { dropRemoval } from '../factors/factors.ts';

/**
 * Cancels the requested changes of address of one account, or of all accounts (null): their codes and links stop
 * working.
 */
export async function cancelEmailChanges(tx: Db, accountId: string | null, now: Date): Promise<void> {
  // The rows are kept because the limits count them. They expire in the past, so that they are also over for a server
  // whose clock is behind.
  let query = tx
    .updateTable('verification')
    .set((eb) => ({ expires_at: eb.ref('created_at'), code_expires_at: eb.ref('created_at'), cancel_hash: null }))
    .where('purpose', '=', 'change')
    .where('expires_at', '>', now);
  if (accountId !== null) query = query.where('account_id', '=', accountId);
  await query.execute();
}

/**
 * Stores the previous address of an account, and mails it a link that undoes the change. Reset links mailed to that
 * address stop working, and a pending removal of the second factor is canceled, because undoing the change may require
 * that factor.
 */
export async function keepFormerAddress(tx: Db, account: AccountRow, now: Date): Promise<void> {
  const token = newToken();
  await tx
    .insertInto('former_address')
    .values({
      restore_hash: hashToken(token),
      account_id: account.id,
      email: account.email,
      changed_at: now,
      password_hash: account.password_hash,
    })
    .execute();
  await tx.deleteFrom('password_reset').where('account_id', '=', account.id).execute();
  await dropRemoval(tx, account.id);
  const expiresAt = secondsAfter(now, addressRestoreDays * 86_400);
  await queueMail(tx, { ...mailboxOf(account), template: 'emailChanged', data: { token }, expiresAt }, now);
}

/**
 * Invalidates the links that undo changes of address, and cancels a pending restore; returns whether there was one.
 * Called when someone who reads the new mailbox sets a new password, and so keeps the account.
 */
export async function endRestores(tx: Db, accountId: string): Promise<boolean> {
  await tx.updateTable('former_address').set({ is_restorable: false }).where('account_id', '=', accountId).execute();
  return await dropRestore(tx, accountId);
}

/** Cancels the pending restore of an address; returns whether there was one. */
export async function dropRestore(tx: Db, accountId: string): Promise<boolean> {
  await tx.deleteFrom('address_restore').where('account_id', '=', accountId).execute();
  const stopped = await tx
    .updateTable('account')
    .set({ address_restore_at: null })
    .where('id', '=', accountId)
    .where('address_restore_at', 'is not', null)
    .returning('id')
    .executeTakeFirst();
  return stopped !== undefined;
}

/** The addresses an account had in the last `days` days, the oldest first. */
export async function formerAddresses(db: Db, accountId: string, days: number, now: Date): Promise<string[]> {
  const rows = await db
    .selectFrom('former_address')
    .select('email')
    .where('account_id', '=', accountId)
    .where('changed_at', '>', secondsAfter(now, -days * 86_400))
    .orderBy('changed_at')
    .execute();
  return rows.map(({ email }) => email);
}

/**
 * Throws 409 within a week of a change of address: an intruder who changed it must not be able to remove a second
 * factor or passkey as well.
 */
export async function checkAddressIsSettled(db: Db, accountId: string, now: Date): Promise<void> {
  if ((await formerAddresses(db, accountId, addressRestoreDays, now)).length > 0)
    throw new AppError(
      'CONFLICT',
      msg`Your email address was changed recently. This is possible ${{ addressRestoreDays }} days after the change.`,
    );
}

/** Emails the owner of an account at the current address and at those of the last two weeks. */
export async function warnEverywhere(
  tx: Db,
  account: Pick<AccountRow, 'id' | 'email'>,
  mail: { template: string; data: Record<string, string | Date>; expiresAt?: Date },
  now: Date,
): Promise<void> {
  const former = await formerAddresses(tx, account.id, formerAddressDays, now);
  for (const to of new Set([account.email, ...former]))
    await queueMail(tx, { to, accountId: account.id, expiresAt: null, ...mail }, now);
}
