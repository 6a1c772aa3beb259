import { msg, plural } from '@lingui/core/runtime-macro';
import { resendPauseSeconds, verificationLinkTtlHours } from '#contract/constants.ts';
import type { BodyOf } from '#contract/endpoint.ts';
import type { changeEmail } from '#contract/auth/auth.ts';
import { AppError, tooMany } from '#platform/http/app-error.ts';
import type { CommandContext, CallContext } from '#platform/http/mount.ts';
import { secondsAfter } from '#platform/process/clock.ts';
import { inTransaction } from '#platform/db/db.ts';
import { addJob } from '#platform/jobs/jobs.ts';
import { queueMail } from '#platform/notify/mail.ts';
import { hashToken, newToken } from '#platform/config/secrets.ts';
import type { Deps } from '../../../deps.ts';
import { accountByEmail, isRefused, lockAccount, mailboxOf, mailsSince } from '../accounts.ts';
import { stopCorrection } from '../help/correct-address.ts';
import { cancelEmailChanges } from './changes.ts';
import { openVerification, pauseBeforeResend } from '../join/mailed-codes.ts';
import { mailWayBack } from '../join/taken-address.ts';
import { judgeProof, type JudgedProof, requireProof } from '../password/proof.ts';
import { checkProven } from '../policy.ts';
import type { ArrivalContext } from '../session/sessions.ts';

const linkIsOver = () => new AppError('INVALID_CODE', msg`This link is no longer valid.`);
const day = 86_400;

/**
 * Checks the proof for a change of address. 403 before the current address is verified, 429 for too many requests from
 * a network.
 */
export async function prepareEmailChange(
  context: CallContext,
  proof: BodyOf<typeof changeEmail>,
): Promise<JudgedProof> {
  checkProven(context.caller);
  await context.deps.limits.spend('addressChange', context.network);
  return await judgeProof(context, proof);
}

/**
 * Requests another email address, which takes effect once it is verified. Only the newest request counts, and the old
 * address gets a link that cancels it. Returns the handle. Registered addresses are answered, counted and stored like
 * free ones, so that no one learns which are registered. 429 for too many requests from an account.
 */
export async function requestEmailChange(
  context: CommandContext,
  { email, proof }: { email: string; proof: JudgedProof },
): Promise<string> {
  const { tx, deps, caller, now } = context;
  const account = await requireProof(context, proof);
  const waitSeconds = await pauseBeforeResend(tx, account.id, 'owner', now);
  if (waitSeconds > resendPauseSeconds)
    throw tooMany(
      msg`Too many changes today. Please try again in ${plural({ hours: Math.ceil(waitSeconds / 3600) }, { one: '# hour', other: '# hours' })}.`,
      waitSeconds,
    );
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
  const expiresAt = secondsAfter(now, verificationLinkTtlHours * 3600);
  const mail = { template: 'emailChangeRequested', data, expiresAt, replacesWaiting: true };
  await queueMail(tx, { ...mailboxOf(account), ...mail }, now);
  return handle;
}

/**
 * The job that notifies the owner of an address that someone else requested, at most once a day. Owners who are leaving
 * also get a link to restore their account.
 */
export async function notifyAddressInUse(deps: Deps, email: string, askedBy: string, now: Date): Promise<void> {
  await inTransaction(deps.db, async (tx) => {
    const owner = await accountByEmail(tx, email);
    if (owner === undefined || owner.id === askedBy) return;
    if (await mailWayBack(tx, await lockAccount(tx, owner.id), now)) return;
    if ((await mailsSince(tx, owner.id, 'addressInUse', secondsAfter(now, -day))) > 0) return;
    await queueMail(tx, { ...mailboxOf(owner), template: 'addressInUse', data: {} }, now);
  });
}

/**
 * Cancels a requested change with the link mailed to the old address, and signs out the device that requested it; or puts
 * an address back that staff corrected. 400 once the request has ended or the new address was confirmed.
 */
export async function cancelByLink({ tx, now }: ArrivalContext, token: string): Promise<void> {
  const open = tx
    .selectFrom('verification')
    .select(['account_id', 'session_id', 'corrected_from', 'created_at'])
    .where('cancel_hash', '=', hashToken(token))
    // A later correction ends the codes of an earlier one, but not the link of the mailbox before it.
    .where('created_at', '>', secondsAfter(now, -verificationLinkTtlHours * 3600));
  const found = await open.executeTakeFirst();
  if (found === undefined) throw linkIsOver();
  const account = await lockAccount(tx, found.account_id);
  // Until the lock, the link may have been used, or the new address confirmed.
  const asked = await open.executeTakeFirst();
  if (asked === undefined) throw linkIsOver();
  if (asked.corrected_from !== null) {
    if (!account.is_active || account.leaving_since !== null) throw linkIsOver();
    await stopCorrection(tx, account, { email: asked.corrected_from, since: asked.created_at }, now);
    return;
  }
  await cancelEmailChanges(tx, asked.account_id, now);
  if (asked.session_id !== null) await tx.deleteFrom('session').where('id', '=', asked.session_id).execute();
}
