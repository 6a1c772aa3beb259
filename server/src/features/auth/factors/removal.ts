import { msg } from '@lingui/core/runtime-macro';
import { formerAddressDays, removalDelayHours, removalLinkMinutes, removalsPerDay } from '#contract/constants.ts';
import { AppError } from '#platform/http/app-error.ts';
import type { CommandContext } from '#platform/http/mount.ts';
import type { Caller } from '#platform/session/caller.ts';
import { secondsAfter, startOfDay } from '#platform/process/clock.ts';
import { inTransaction, type Db } from '#platform/db/db.ts';
import type { Deps } from '../../../deps.ts';
import { eachInTurn } from '#platform/jobs/turns.ts';
import { queueMail } from '#platform/notify/mail.ts';
import { hashToken, newToken } from '#platform/config/secrets.ts';
import { challengedAccount } from '../session/challenges.ts';
import { deleteTotp, dropRemoval } from './factors.ts';
import { cancelEmailChanges, checkAddressIsSettled, formerAddresses, warnEverywhere } from '../address/changes.ts';
import { lockAccount, mailboxOf, mailsSince, accountToStop } from '../accounts.ts';
import type { ArrivalContext } from '../session/sessions.ts';

const refused = () => new AppError('INVALID_CODE', msg`This link is no longer valid.`);

/**
 * Emails a link to someone who passed the first factor and lost the second, at most three times a day; only the newest
 * link works. 403 for staff, because access to their mailbox must not be enough to sign in; a colleague resets their
 * factors. 409 within a week of a change of address, and while a removal is already scheduled, so that the link that
 * stops it keeps working.
 */
export async function askForRemoval({ tx, now }: ArrivalContext, challenge: string): Promise<void> {
  const accountId = await challengedAccount(tx, challenge, now);
  const account = await lockAccount(tx, accountId);
  if (account.staff_role !== null)
    throw new AppError('FORBIDDEN', msg`Please ask another administrator to reset your two-step verification.`);
  if (account.factor_removal_at !== null)
    throw new AppError(
      'CONFLICT',
      msg`The removal is already scheduled. Our email says when two-step verification will be turned off.`,
    );
  await checkAddressIsSettled(tx, accountId, now);
  if ((await mailsSince(tx, accountId, 'removalAsked', startOfDay(now))) >= removalsPerDay) return;
  const token = newToken();
  const link = { link_hash: hashToken(token), link_expires_at: secondsAfter(now, removalLinkMinutes * 60) };
  await tx
    .insertInto('factor_removal')
    .values({ account_id: accountId, ...link, stop_hash: null })
    .onConflict((conflict) => conflict.column('account_id').doUpdateSet(link))
    .execute();
  const expiresAt = link.link_expires_at;
  const mail = { template: 'removalAsked', data: { token }, expiresAt, replacesWaiting: true };
  await queueMail(tx, { ...mailboxOf(account), ...mail }, now);
  // Previous addresses are warned too, but without the link.
  for (const to of await formerAddresses(tx, accountId, formerAddressDays, now))
    await queueMail(tx, { to, accountId, template: 'removalAskedElsewhere', data: {} }, now);
}

/** Uses the emailed link to schedule the removal in 72 hours. An email offers to stop it, and every device shows it. */
export async function confirmRemoval({ tx, now }: ArrivalContext, token: string): Promise<Date> {
  const stop = newToken();
  const removalAt = secondsAfter(now, removalDelayHours * 3600);
  const asked = await tx
    .updateTable('factor_removal')
    .set({ link_hash: null, link_expires_at: null, stop_hash: hashToken(stop) })
    .where('link_hash', '=', hashToken(token))
    .where('link_expires_at', '>', now)
    .returning('account_id')
    .executeTakeFirst();
  if (asked === undefined) throw refused();
  const account = await lockAccount(tx, asked.account_id);
  if (account.staff_role !== null) throw refused();
  await tx.updateTable('account').set({ factor_removal_at: removalAt }).where('id', '=', account.id).execute();
  const data = { token: stop, at: removalAt };
  await warnEverywhere(tx, account, { template: 'removalBegun', data, expiresAt: removalAt }, now);
  return removalAt;
}

/**
 * Cancels the removal: with the emailed link (400 if it is no longer valid) or for the signed-in caller (401 without
 * one).
 */
export async function stopRemoval(
  { tx, caller, now }: CommandContext<Caller | null>,
  { token }: { token?: string | undefined },
): Promise<void> {
  const account = await accountToStop(tx, 'factor_removal', caller, token);
  if (await dropRemoval(tx, account.id))
    await queueMail(tx, { ...mailboxOf(account), template: 'removalStopped', data: {} }, now);
}

/** Deletes the second factor of a member after their 72 hours; staff keep theirs. */
export async function endDueRemoval(tx: Db, accountId: string, now: Date): Promise<void> {
  const due = await tx
    .updateTable('account')
    .set({ factor_removal_at: null })
    .where('id', '=', accountId)
    .where('factor_removal_at', '<=', now)
    .returning(['id', 'email', 'staff_role'])
    .executeTakeFirst();
  if (due === undefined) return;
  if (due.staff_role !== null) return void (await dropRemoval(tx, due.id));
  await deleteTotp(tx, due.id);
  await cancelEmailChanges(tx, due.id, now);
  await warnEverywhere(tx, due, { template: 'secondFactorOff', data: {} }, now);
}

/** The job that carries out due removals, one account at a time. */
export async function endDueRemovals({ db }: Deps, now: Date): Promise<void> {
  const due = await db.selectFrom('account').select('id').where('factor_removal_at', '<=', now).execute();
  await eachInTurn(due, ({ id }) => inTransaction(db, (tx) => endDueRemoval(tx, id, now)), {
    round: 'auth.removeFactors',
    keyOf: ({ id }) => id,
  });
}
