import { msg } from '@lingui/core/runtime-macro';
import { sql } from 'kysely';
import { resetHeldHours, verificationLinkTtlHours } from '#contract/constants.ts';
import { hashToken, newToken } from '#platform/config/secrets.ts';
import { writeAudit } from '#platform/db/audit.ts';
import { type Db, refusedConstraint } from '#platform/db/db.ts';
import { AppError, committed, tooMany } from '#platform/http/app-error.ts';
import type { CommandContext, PreparationContext } from '#platform/http/mount.ts';
import { queueMail } from '#platform/notify/mail.ts';
import { secondsAfter } from '#platform/process/clock.ts';
import { endSessions } from '#platform/session/sessions.ts';
import { accountByEmail, type AccountRow, isRefused, mailboxOf } from '../accounts.ts';
import { addressIsTaken } from '../address/restore.ts';
import { openVerification, pauseBeforeResend } from '../join/mailed-codes.ts';
import { countToldAddress } from '../join/taken-address.ts';
import { endSecondSteps } from '../session/challenges.ts';
import { type HelpRequest, lockPersonToHelp, noteHelp, requireUsable } from './person.ts';

const weekSeconds = 7 * 86_400;
/**
 * How many addresses one colleague corrects in a week before an alert is raised. A mistyped address is rare, and a correction gives the
 * account to another mailbox.
 */
const correctionsPerWeek = 3;

/** The number of colleagues who corrected more addresses in the last week. */
export async function countEagerCorrectors(db: Db, now: Date): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*)::int as count from (
      select actor_id from audit_event
      where action = 'help.addressCorrected' and at > ${secondsAfter(now, -weekSeconds)}::timestamptz
      group by actor_id having count(*) > ${correctionsPerWeek}
    ) eager`.execute(db);
  return rows[0]?.count ?? 0;
}

interface Correction extends HelpRequest {
  email: string;
  /** Counts the request as one that revealed that an address is in use. */
  keepCount: () => void;
}

/**
 * Counts the request, as registration does, until it is known whether it reveals that an address is in use; 429 for too many by one
 * colleague.
 */
export const countAddress = (context: PreparationContext): Promise<() => void> =>
  countToldAddress(context, `staff ${context.caller.accountId}`);

/**
 * Replaces the address of an account that was never confirmed. For a day, only the password or an existing sign-in method can confirm the
 * new one: all sessions, codes and reset links end, and no password can be reset. The confirmation goes to the new address. A warning goes
 * to the old one, with a link that restores it until the new one is confirmed. 403 for staff, 409 for a confirmed address, and the same
 * errors as registration for one that is in use or blocked.
 */
export async function correctAddress(context: CommandContext, correction: Correction): Promise<void> {
  const { tx, deps, now, after } = context;
  const { email, keepCount } = correction;
  const account = await lockPersonToHelp(context, correction.id);
  if (account.staff_role !== null) throw new AppError('FORBIDDEN', msg`The address of a colleague can't be corrected.`);
  requireUsable(account);
  if (account.email_verified_at !== null)
    throw new AppError('CONFLICT', msg`This address is confirmed. Only the person can change it.`);
  const waitSeconds = await pauseBeforeResend(tx, account.id, 'address', now);
  if (waitSeconds > 0) throw tooMany(msg`An email was sent a moment ago, or too many today.`, waitSeconds);
  const isTaken = (await accountByEmail(tx, email)) !== undefined || (await isRefused(tx, deps.addressKey, email, now));
  if (isTaken) {
    after(keepCount);
    // The answer reveals that an address is in use.
    await noteHelp(context, correction, 'help.addressRefused');
    throw committed(new AppError('EMAIL_TAKEN', msg`User already exists`));
  }
  await replaceAddress(tx, account, { email, reset_held_until: secondsAfter(now, resetHeldHours * 3600) });
  await mailBoth(tx, account, email, now);
  // The addresses are kept out of the audit trail, which more colleagues read.
  await noteHelp(context, correction, 'help.addressCorrected', { resetHeldHours: { from: null, to: resetHeldHours } });
}

/**
 * Restores the address that was corrected at `since`, which also invalidates the links of later corrections. Like a correction, it ends all
 * sessions, codes and reset links; the time until which no password can be reset does not change. 409 if another account uses the address.
 */
export async function stopCorrection(
  tx: Db,
  account: AccountRow,
  { email, since }: { email: string; since: Date },
  now: Date,
): Promise<void> {
  if ((await accountByEmail(tx, email)) !== undefined) throw addressIsTaken();
  await replaceAddress(tx, account, { email });
  await tx
    .updateTable('verification')
    .set({ cancel_hash: null })
    .where('account_id', '=', account.id)
    .where('created_at', '>=', since)
    .execute();
  await queueMail(tx, { ...mailboxOf(account), template: 'correctionStopped', data: {} }, now);
  const actor = { accountId: null, name: 'Old mailbox', role: 'system' };
  await writeAudit(tx, { actor, action: 'help.correctionStopped', target: { type: 'user', id: account.id } }, now);
}

async function replaceAddress(
  tx: Db,
  account: AccountRow,
  changes: { email: string; reset_held_until?: Date },
): Promise<void> {
  await tx
    .updateTable('account')
    .set(changes)
    .where('id', '=', account.id)
    .execute()
    .catch((error: unknown) => {
      if (refusedConstraint(error) === 'account_email_key') throw new AppError('EMAIL_TAKEN', msg`User already exists`);
      throw error;
    });
  await endSessions(tx, account.id);
  await endSecondSteps(tx, account.id);
  await tx.deleteFrom('password_reset').where('account_id', '=', account.id).execute();
  // The rows are kept, because the limits count them.
  await tx
    .updateTable('verification')
    .set((eb) => ({ expires_at: eb.ref('created_at'), code_expires_at: eb.ref('created_at') }))
    .where('account_id', '=', account.id)
    .execute();
}

async function mailBoth(tx: Db, account: AccountRow, email: string, now: Date): Promise<void> {
  const token = newToken();
  const expiresAt = secondsAfter(now, verificationLinkTtlHours * 3600);
  await queueMail(tx, { ...mailboxOf(account), template: 'addressCorrected', data: { token }, expiresAt }, now);
  const correction = { from: account.email, cancelHash: hashToken(token) };
  const request = { email, purpose: 'join' as const, askedBy: 'address' as const, handleHash: hashToken(newToken()) };
  await openVerification(tx, account, { ...request, correction }, now);
}
