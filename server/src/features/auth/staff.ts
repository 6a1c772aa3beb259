import type { StaffRole } from '#contract/profiles/user.ts';
import { AppError, notFound } from '../../platform/http/app-error.ts';
import { writeAudit, actorOf, type Actor } from '../../platform/db/audit.ts';
import { inTransaction, refusedConstraint, type Db } from '../../platform/db/db.ts';
import { hashPassword } from './password/hashing.ts';
import { checkPassword } from './policy.ts';
import { insertAccount, accountByEmail, lockAccount, mailboxOf, type AccountRow } from './accounts.ts';
import { isUuid, type Caller } from '../../platform/session/caller.ts';
import { queueMail } from '../../platform/notify/mail.ts';
import { endSessions } from '../../platform/session/sessions.ts';
import { deleteTotp } from './factors/factors.ts';
import { forgetCodes } from './session/throttle.ts';

/** Makes a member of staff with a verified address; 409 when the address is in use, 422 for a refused password. */
export async function createStaff(
  db: Db,
  account: { email: string; password: string; role: StaffRole },
  now: Date,
): Promise<string> {
  checkPassword(account.password, { email: account.email, names: [], isStaff: true });
  const passwordHash = await hashPassword(account.password);
  try {
    return await inTransaction(db, async (tx) => {
      const id = await insertAccount(
        tx,
        {
          email: account.email,
          passwordHash,
          passwordSuitsStaff: true,
          staffRole: account.role,
          emailVerifiedAt: now,
          firstName: account.role === 'admin' ? 'Administrator' : 'Moderator',
          lastName: null,
          birthDate: null,
          gender: null,
        },
        now,
      );
      await writeAudit(
        tx,
        {
          actor: { accountId: null, name: 'admin:create', role: 'operator' },
          action: 'administrator.created',
          target: { type: 'user', id },
          changes: { staffRole: { from: null, to: account.role } },
        },
        now,
      );
      return id;
    });
  } catch (error) {
    if (refusedConstraint(error) === 'account_email_key') throw new AppError('EMAIL_TAKEN', 'User already exists');
    throw error;
  }
}

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
