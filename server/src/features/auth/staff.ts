import { msg } from '@lingui/core/runtime-macro';
import { sql } from 'kysely';
import { roleNames } from '#contract/roles.ts';
import type { StaffRole } from '#contract/staff-roles.ts';
import { textOf } from '#platform/texts.ts';
import { AppError, notFound } from '#platform/http/app-error.ts';
import { type Actor, actorOf, audit, writeAudit } from '#platform/db/audit.ts';
import { inTransaction, type Db } from '#platform/db/db.ts';
import { hashPassword } from './password/hashing.ts';
import { checkPassword } from './policy.ts';
import { insertAccount, accountByEmail, lockAccount, mailboxOf, type AccountRow } from './accounts.ts';
import type { CommandContext } from '#platform/http/mount.ts';
import { requireMayAct } from '#platform/session/access.ts';
import { queueMail } from '#platform/notify/mail.ts';
import { endEverySession, endSessions } from '#platform/session/sessions.ts';
import { cancelEmailChanges } from './address/changes.ts';
import { deleteTotp } from './factors/factors.ts';
import { forgetCodes } from './session/throttle.ts';

/**
 * Creates a staff account with a verified address; the first administrator becomes the owner. 409 if the address is in
 * use, 422 for a rejected password.
 */
export async function createStaff(
  db: Db,
  account: { email: string; password: string; role: StaffRole },
  now: Date,
): Promise<{ id: string; role: StaffRole }> {
  checkPassword(account.password, { email: account.email, names: [], isStaff: true });
  const passwordHash = await hashPassword(account.password);
  return await inTransaction(db, async (tx) => {
    const role = await firstOwnerOr(tx, account.role);
    const id = await insertAccount(
      tx,
      {
        email: account.email,
        passwordHash,
        passwordSuitsStaff: true,
        staffRole: role,
        emailVerifiedAt: now,
        firstName: textOf(roleNames[role]),
        lastName: null,
        birthDate: null,
        gender: null,
      },
      now,
    );
    if (id === null) throw new AppError('EMAIL_TAKEN', msg`User already exists`);
    await writeAudit(
      tx,
      {
        actor: { accountId: null, name: 'admin:create', role: 'operator' },
        action: 'administrator.created',
        target: { type: 'user', id },
        changes: { staffRole: { from: null, to: role } },
      },
      now,
    );
    return { id, role };
  });
}

/** The first administrator becomes the owner of the installation. */
async function firstOwnerOr(tx: Db, role: StaffRole): Promise<StaffRole> {
  if (role !== 'admin') return role;
  const ruler = await tx
    .selectFrom('account')
    .select('id')
    .where('staff_role', 'in', ['admin', 'owner'])
    .limit(1)
    .executeTakeFirst();
  return ruler === undefined ? 'owner' : role;
}

/**
 * Removes two-step verification and passkeys of a colleague who lost them, ends their sessions, emails them and writes
 * an audit entry. 403 if the caller may not act on them, and for members, who recover on their own; 404 for an unknown
 * id.
 */
export async function resetColleague(
  { tx, caller, now }: CommandContext,
  { id, reason }: { id: string; reason: string },
): Promise<void> {
  const known = await tx.selectFrom('account').select('id').where('id', '=', id).executeTakeFirst();
  if (known === undefined) throw notFound();
  const account = await lockAccount(tx, id);
  await requireMayAct(tx, caller, 'user', id);
  if (account.staff_role === null)
    throw new AppError(
      'FORBIDDEN',
      msg`Members use recovery codes or the email recovery. This is for staff accounts only.`,
    );
  await reset(tx, account, { actor: actorOf(caller), reason }, now);
}

/**
 * Resets a colleague from the command line, for the last administrator; 404 for an address that belongs to no staff
 * account.
 */
export async function resetByOperator(db: Db, email: string, now: Date): Promise<void> {
  await inTransaction(db, async (tx) => {
    const known = await accountByEmail(tx, email);
    if (known === undefined || known.staff_role === null)
      throw new AppError('NOT_FOUND', msg`There is no staff account with the address ${{ email }}.`);
    const actor = { accountId: null, name: 'admin:create', role: 'operator' };
    await reset(tx, await lockAccount(tx, known.id), { actor, reason: 'On the command line' }, now);
  });
}

/**
 * Signs a user out everywhere, cancels a requested change of address, and writes an audit entry; returns how many
 * sessions ended. 404 for an unknown user; 403 if the caller may not act on them.
 */
export async function endUserSessions(
  { tx, caller, now }: Pick<CommandContext, 'tx' | 'caller' | 'now'>,
  { id, reason }: { id: string; reason: string },
): Promise<number> {
  const known = await tx.selectFrom('account').select('id').where('id', '=', id).executeTakeFirst();
  if (known === undefined) throw notFound();
  await lockAccount(tx, id);
  await requireMayAct(tx, caller, 'user', id);
  const ended = await endSessions(tx, id);
  await cancelEmailChanges(tx, id, now);
  const changes = { sessions: { from: ended, to: 0 } };
  await audit({ tx, caller, now }, { type: 'user', id }, 'user.sessionsEnded', { reason, changes });
  return ended;
}

/**
 * Ends the sessions of everyone, or of the account with this address, from the command line; returns how many. Ending
 * all makes the sessions in a copied database or under a leaked secret worthless. Requested changes of address are
 * canceled, too. 404 for an unknown address.
 */
export async function endSessionsByOperator(db: Db, email: string | null, now: Date): Promise<number> {
  const actor = { accountId: null, name: 'sessions:end', role: 'operator' };
  return await inTransaction(db, async (tx) => {
    const account = email === null ? null : await accountByEmail(tx, email);
    if (account === undefined) throw new AppError('NOT_FOUND', msg`There is no account with the address ${{ email }}.`);
    // Sign-ins in progress open their sessions before or after this lock, and are checked again in the second case.
    if (account === null) await sql`lock table session in share row exclusive mode`.execute(tx);
    else await lockAccount(tx, account.id);
    const ended = account === null ? await endEverySession(tx) : await endSessions(tx, account.id);
    await cancelEmailChanges(tx, account?.id ?? null, now);
    await writeAudit(
      tx,
      {
        actor,
        action: 'user.sessionsEnded',
        target: account === null ? { type: 'users', id: null } : { type: 'user', id: account.id },
        reason: 'On the command line',
        changes: { sessions: { from: ended, to: 0 } },
      },
      now,
    );
    return ended;
  });
}

async function reset(
  tx: Db,
  account: AccountRow,
  { actor, reason }: { actor: Actor; reason: string },
  now: Date,
): Promise<void> {
  const hadTotp = await deleteTotp(tx, account.id);
  const passkeys = await tx.deleteFrom('passkey').where('account_id', '=', account.id).returning('id').execute();
  await forgetCodes(tx, account.id);
  await cancelEmailChanges(tx, account.id, now);
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
