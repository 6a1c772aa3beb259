import type { restoreAccount } from '#contract/auth/auth.ts';
import type { Proof } from '#contract/auth/factors.ts';
import type { BodyOf } from '#contract/endpoint.ts';
import { AppError } from '../../../platform/http/app-error.ts';
import type { Caller } from '../../../platform/session/caller.ts';
import type { Deps } from '../../../deps.ts';
import { addJob } from '../../../platform/jobs/jobs.ts';
import { queueMail } from '../../../platform/notify/mail.ts';
import { hashToken } from '../../../platform/config/secrets.ts';
import { endSessions } from '../../../platform/session/sessions.ts';
import { mailboxOf } from '../accounts.ts';
import { formerAddressDays, formerAddresses } from '../address/changes.ts';
import { withFactor, withProof } from '../password/proof.ts';
import { recordAct } from './ledger.ts';
import { newRestoreHandle, restoreUntil } from '../session/challenges.ts';

const linkIsOver = () => new AppError('INVALID_CODE', 'This link is no longer valid.');

/** Hides the caller, ends every session and emails a link to come back; returns until when it works. The proof is that of `withProof`. Staff can't delete their own account (403). */
export async function leave(deps: Deps, caller: Caller, proof: Proof, now: Date): Promise<Date> {
  if (caller.staffRole !== null) throw new AppError('FORBIDDEN', 'Staff accounts are removed by another administrator');
  const until = restoreUntil(now);
  await withProof(deps, caller, proof, now, async (tx, account) => {
    await tx.updateTable('account').set({ leaving_since: now }).where('id', '=', account.id).execute();
    await endSessions(tx, account.id);
    await addJob(tx, 'account.leaving', { accountId: account.id });
    await recordAct(tx, account.id, 'left', now);
    const token = await newRestoreHandle(tx, account.id, now, now);
    await queueMail(
      tx,
      { ...mailboxOf(account), template: 'leaving', data: { token, until: until.toISOString().slice(0, 10) } },
      now,
    );
    for (const to of await formerAddresses(tx, account.id, formerAddressDays, now))
      await queueMail(tx, { to, accountId: account.id, template: 'leavingElsewhere', data: {} }, now);
  });
  return until;
}

/**
 * Restores a leaving account and emails its owner. 400 for an unknown, used or expired handle. Where there is a second factor or a
 * passkey it is needed, too (the errors of `withFactor`), and the handle stays valid until it was shown.
 */
export async function restore(
  deps: Deps,
  { token, ...proof }: BodyOf<typeof restoreAccount>,
  now: Date,
): Promise<void> {
  const handle = await deps.db
    .selectFrom('restore_handle')
    .select('account_id')
    .where('token_hash', '=', hashToken(token))
    .where('expires_at', '>', now)
    .executeTakeFirst();
  if (handle === undefined) throw linkIsOver();
  await withFactor(deps, handle.account_id, proof, now, async (tx, account) => {
    const used = await tx
      .deleteFrom('restore_handle')
      .where('account_id', '=', account.id)
      .returning('token_hash')
      .execute();
    if (!used.some(({ token_hash }) => token_hash.equals(hashToken(token)))) throw linkIsOver();
    await tx.updateTable('account').set({ leaving_since: null }).where('id', '=', account.id).execute();
    await recordAct(tx, account.id, 'returned', now);
    await queueMail(tx, { ...mailboxOf(account), template: 'accountRestored', data: {} }, now);
  });
}
