import { isUuid } from '../../../platform/session/access-token.ts';
import { AppError, notFound } from '../../../platform/http/app-error.ts';
import { actorOf, writeAudit, type Actor } from '../../../platform/db/audit.ts';
import type { Caller } from '../../../platform/session/caller.ts';
import { inTransaction, type Db } from '../../../platform/db/db.ts';
import { queueMail } from '../../../platform/notify/mail.ts';
import { endSessions } from '../../../platform/session/sessions.ts';
import { deleteTotp } from './factor.queries.ts';
import { accountByEmail, lockAccount, mailboxOf, type AccountRow } from '../queries.ts';
import { forgetCodes } from '../session/throttle.ts';

/**
 * Takes second factor and passkeys of a colleague away who lost them, ends their sessions, tells their mailbox and leaves an
 * audit row. 403 for oneself, and for members, who have a way of their own; 404 for an unknown id.
 */
export async function resetColleague(db: Db, caller: Caller, id: string, reason: string, now: Date): Promise<void> {
  if (!isUuid(id)) throw notFound();
  if (id === caller.accountId) throw new AppError('FORBIDDEN', 'Another administrator has to do this for you.');
  await inTransaction(db, async (tx) => {
    const known = await tx.selectFrom('account').select('id').where('id', '=', id).executeTakeFirst();
    if (known === undefined) throw notFound();
    const account = await lockAccount(tx, id);
    if (account.staff_role === null)
      throw new AppError('FORBIDDEN', 'Members have recovery codes, and a way back by mail. This is for staff.');
    await reset(tx, account, actorOf(caller), reason, now);
  });
}

/** The same on the machine itself, for the last administrator; 404 for an address that is not of staff. */
export async function resetByOperator(db: Db, email: string, now: Date): Promise<void> {
  await inTransaction(db, async (tx) => {
    const known = await accountByEmail(tx, email);
    if (known === undefined || known.staff_role === null)
      throw new AppError('NOT_FOUND', `There is no member of staff with the address ${email}.`);
    const actor = { accountId: null, name: 'admin:create', role: 'operator' };
    await reset(tx, await lockAccount(tx, known.id), actor, 'On the machine itself', now);
  });
}

async function reset(tx: Db, account: AccountRow, actor: Actor, reason: string, now: Date): Promise<void> {
  const hadTotp = await deleteTotp(tx, account.id);
  const passkeys = await tx.deleteFrom('passkey').where('account_id', '=', account.id).returning('id').execute();
  await forgetCodes(tx, account.id);
  await endSessions(tx, account.id);
  await writeAudit(
    tx,
    {
      actor,
      action: 'user.factorsReset',
      target: { type: 'user', id: account.id },
      reason,
      changes: { secondFactor: { from: hadTotp, to: false }, passkeys: { from: passkeys.length, to: 0 } },
    },
    now,
  );
  await queueMail(tx, { ...mailboxOf(account), template: 'factorsReset', data: {} }, now);
}
