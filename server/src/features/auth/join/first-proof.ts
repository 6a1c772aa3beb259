import { msg } from '@lingui/core/runtime-macro';
import type { Db } from '#platform/db/db.ts';
import { AppError } from '#platform/http/app-error.ts';
import { endSessions } from '#platform/session/sessions.ts';
import { type AccountRow, isResetHeld, noteTrace } from '../accounts.ts';
import { deleteTotp } from '../factors/factors.ts';
import { forgetAttempts, forgetCodes } from '../session/throttle.ts';

/** Evidence that someone is the person who joined: a live session of the account, which is kept, or its password. */
export type JoinerShown = { sessionId: string } | 'password';

/**
 * Records the first verification of an account's address, by link, code, password reset or provider. Anyone can join with someone else's
 * address, so all sign-in methods, sessions and pending requests are removed unless the same request shows that it comes from the person
 * who joined (`shown`); then only the other sessions end. The account must be locked. Without that proof it throws 409 for a day after
 * staff corrected the address, because a reader of the new mailbox would take the account over.
 */
export async function proveAddress(
  tx: Db,
  account: Pick<AccountRow, 'id' | 'email' | 'reset_held_until'>,
  shown: JoinerShown | null,
  now: Date,
): Promise<void> {
  if (shown === null && isResetHeld(account, now))
    throw new AppError(
      'CONFLICT',
      msg`Our team changed this address less than a day ago. Until then, only the password you joined with can confirm it.`,
    );
  await tx.updateTable('account').set({ email_verified_at: now }).where('id', '=', account.id).execute();
  if (shown === null) await removeWaysIn(tx, account);
  await endSessions(tx, account.id, shown === null || shown === 'password' ? null : shown.sessionId);
  await tx.deleteFrom('verification').where('account_id', '=', account.id).execute();
  await noteTrace(tx, account.id, now);
}

async function removeWaysIn(tx: Db, account: { id: string; email: string }): Promise<void> {
  await tx
    .updateTable('account')
    .set({ password_hash: null, password_suits_staff: false })
    .where('id', '=', account.id)
    .execute();
  await deleteTotp(tx, account.id);
  for (const table of [
    'identity',
    'passkey',
    'passkey_challenge',
    'known_device',
    'password_reset',
    'restore_handle',
    'former_address',
    'former_password',
  ] as const)
    await tx.deleteFrom(table).where('account_id', '=', account.id).execute();
  await forgetAttempts(tx, account.email);
  await forgetCodes(tx, account.id);
}
