import { msg } from '@lingui/core/runtime-macro';
import { AppError, tooMany } from '#platform/http/app-error.ts';
import { hashToken, newToken } from '#platform/config/secrets.ts';
import type { CommandContext } from '#platform/http/mount.ts';
import { queueMail } from '#platform/notify/mail.ts';
import { dayOf } from '#platform/process/clock.ts';
import { mailboxOf } from '../accounts.ts';
import { openVerification, pauseBeforeResend } from '../join/mailed-codes.ts';
import { sendReset } from '../password/password.ts';
import { newRestoreHandle, restoreUntil } from '../session/challenges.ts';
import { endPauses } from '../session/throttle.ts';
import { type HelpRequest, limitHelp, lockPersonToHelp, noteHelp, requireUsable } from './person.ts';

/** Mails the confirmation of an address again. 409 for a confirmed one, 429 under the same limits as for the person's own requests. */
export async function sendConfirmation(context: CommandContext, request: HelpRequest): Promise<void> {
  const { tx, now } = context;
  const account = await lockPersonToHelp(context, request.id);
  requireUsable(account);
  if (account.email_verified_at !== null) throw new AppError('CONFLICT', msg`This address is already confirmed.`);
  const waitSeconds = await pauseBeforeResend(tx, account.id, 'address', now);
  if (waitSeconds > 0) throw tooMany(msg`An email was sent a moment ago, or too many today.`, waitSeconds);
  // No one gets the handle: the code works with the password, a session or the link.
  const handleHash = hashToken(newToken());
  await openVerification(tx, account, { email: account.email, purpose: 'join', askedBy: 'address', handleHash }, now);
  await noteHelp(context, request, 'help.confirmationSent');
}

/** Mails a link to choose a new password. 409 for a day after the address was corrected, 429 after three within an hour. */
export async function sendResetLink(context: CommandContext, request: HelpRequest): Promise<void> {
  const account = await lockPersonToHelp(context, request.id);
  const outcome = await sendReset(context.tx, account, context.now);
  if (outcome === 'held')
    throw new AppError(
      'CONFLICT',
      msg`The address was corrected less than a day ago, so no password can be reset yet.`,
    );
  if (outcome === 'too many') throw tooMany(msg`Several links were sent within the last hour.`, 3600);
  await noteHelp(context, request, 'help.resetLinkSent');
}

/** Ends the pauses after wrong passwords and codes, at most three times a day (429), and mails the person; returns whether there was one. */
export async function unlockSignIn(context: CommandContext, request: HelpRequest): Promise<boolean> {
  const { tx, now } = context;
  const account = await lockPersonToHelp(context, request.id);
  await limitHelp(context, account.id, 'signInUnlocked');
  const wasPaused = await endPauses(tx, account, now);
  await queueMail(tx, { ...mailboxOf(account), template: 'signInUnlocked', data: {} }, now);
  await noteHelp(context, request, 'help.signInUnlocked', { paused: { from: wasPaused, to: false } });
  return wasPaused;
}

/**
 * Mails a link that keeps an account which is about to be deleted; using it requires the second factor, if there is one. 409 for other
 * accounts, 429 after three links within a day.
 */
export async function sendRestoreLink(context: CommandContext, request: HelpRequest): Promise<void> {
  const { tx, now } = context;
  const account = await lockPersonToHelp(context, request.id);
  const { leaving_since: since, is_active } = account;
  if (since === null || !is_active || restoreUntil(since) <= now)
    throw new AppError('CONFLICT', msg`This account is not about to be deleted, or can no longer be restored.`);
  await limitHelp(context, account.id, 'restoreOffered');
  const expiresAt = restoreUntil(since);
  const data = {
    token: await newRestoreHandle(tx, account.id, since, now),
    until: dayOf(expiresAt),
  };
  await queueMail(tx, { ...mailboxOf(account), template: 'restoreOffered', data, expiresAt }, now);
  await noteHelp(context, request, 'help.restoreLinkSent');
}
