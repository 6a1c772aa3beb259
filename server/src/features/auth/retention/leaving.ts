import { restoreDays } from '#contract/constants.ts';
import { AppError } from '../../../platform/http/app-error.ts';
import type { Caller } from '../../../platform/session/caller.ts';
import { secondsAfter } from '../../../platform/process/clock.ts';
import { inTransaction, type Db } from '../../../platform/db/db.ts';
import type { Deps } from '../../../deps.ts';
import { addJob } from '../../../platform/jobs/jobs.ts';
import { queueMail } from '../../../platform/notify/mail.ts';
import { hashToken, newToken } from '../../../platform/config/secrets.ts';
import { endSessions } from '../../../platform/session/sessions.ts';
import { lockAccount, mailboxOf } from '../accounts.ts';

const restoreUntil = (leavingSince: Date) => secondsAfter(leavingSince, restoreDays * 86_400);

/** Hides the caller, ends every session and emails a link to come back; returns until when it works. Staff can't delete their own account (403). */
export async function leave(deps: Deps, caller: Caller, now: Date): Promise<Date> {
  if (caller.staffRole !== null) throw new AppError('FORBIDDEN', 'Staff accounts are removed by another administrator');
  const until = restoreUntil(now);
  await inTransaction(deps.db, async (tx) => {
    const account = await lockAccount(tx, caller.accountId);
    await tx.updateTable('account').set({ leaving_since: now }).where('id', '=', account.id).execute();
    await endSessions(tx, account.id);
    await addJob(tx, 'account.leaving', { accountId: account.id });
    const token = await newRestoreHandle(tx, account.id, now, now);
    await queueMail(
      tx,
      { ...mailboxOf(account), template: 'leaving', data: { token, until: until.toISOString().slice(0, 10) } },
      now,
    );
  });
  return until;
}

/** A new handle that undoes leaving until the 14 days are over. */
export async function newRestoreHandle(db: Db, accountId: string, leavingSince: Date, now: Date): Promise<string> {
  const token = newToken();
  await db.deleteFrom('restore_handle').where('account_id', '=', accountId).where('expires_at', '<=', now).execute();
  await db
    .insertInto('restore_handle')
    .values({ token_hash: hashToken(token), account_id: accountId, expires_at: restoreUntil(leavingSince) })
    .execute();
  return token;
}

/** Restores a leaving account; 400 for an unknown, used or expired handle. */
export async function restore(deps: Deps, token: string, now: Date): Promise<void> {
  await inTransaction(deps.db, async (tx) => {
    const handle = await tx
      .deleteFrom('restore_handle')
      .where('token_hash', '=', hashToken(token))
      .where('expires_at', '>', now)
      .returning('account_id')
      .executeTakeFirst();
    if (handle === undefined) throw new AppError('INVALID_CODE', 'This link is no longer valid.');
    await tx.updateTable('account').set({ leaving_since: null }).where('id', '=', handle.account_id).execute();
    await tx.deleteFrom('restore_handle').where('account_id', '=', handle.account_id).execute();
  });
}
