import { msg } from '@lingui/core/runtime-macro';
import type { StaffRole } from '#contract/staff-roles.ts';
import { AppError, notFound } from '#platform/http/app-error.ts';
import { writeAudit } from '#platform/db/audit.ts';
import { type Db, refusedConstraint } from '#platform/db/db.ts';
import type { CommandContext } from '#platform/http/mount.ts';
import { endSessions } from '#platform/session/sessions.ts';
import type { Deps } from '../../../deps.ts';
import { type AccountRow, lockAccount } from '../accounts.ts';
import { isProtected } from '../factors/factors.ts';
import { endSecondSteps } from '../session/challenges.ts';
import type { House, HousePerson } from './provider.ts';

type Known = Pick<HousePerson, 'issuer' | 'subject'>;

/** The house's provider; 404 if staff sign in with passwords only. */
export function requireHouse({ house }: Pick<Deps, 'house'>): House {
  if (house === null) throw notFound();
  return house;
}

async function accountOf(db: Db, { issuer, subject }: Known): Promise<string | undefined> {
  const row = await db
    .selectFrom('house_person')
    .select('account_id')
    .where('issuer', '=', issuer)
    .where('subject', '=', subject)
    .executeTakeFirst();
  return row?.account_id;
}

/** Locks and returns the account of a person of the house; undefined if they have none. */
export async function lockPerson(tx: Db, person: Known): Promise<AccountRow | undefined> {
  const id = await accountOf(tx, person);
  if (id === undefined) return undefined;
  const account = await lockAccount(tx, id);
  return (await accountOf(tx, person)) === id ? account : undefined;
}

/** Makes an account that of a person of the house; 409 if theirs is another one. */
export async function savePerson(tx: Db, { issuer, subject }: Known, accountId: string, now: Date): Promise<void> {
  await tx
    .insertInto('house_person')
    .values({ issuer, subject, account_id: accountId, linked_at: now })
    .onConflict((conflict) =>
      conflict.constraint('house_person_account_key').doUpdateSet({ issuer, subject, linked_at: now }),
    )
    .execute()
    .catch((error: unknown) => {
      if (refusedConstraint(error) !== 'house_person_pkey') throw error;
      throw new AppError('IDENTITY_TAKEN', msg`This work account belongs to another account here already.`);
    });
}

/**
 * Gives a locked account the role that the groups of its owner decide, or none, which signs it out everywhere and is
 * audited. 403 for an account that became a member's: its role is given on the team page only.
 */
export async function giveRole(
  { tx, deps, now }: Pick<CommandContext, 'tx' | 'deps' | 'now'>,
  account: AccountRow,
  role: StaffRole | null,
): Promise<void> {
  if (account.staff_role === role) return;
  if (account.staff_role === null) await refuseMembers(tx, account);
  await tx.updateTable('account').set({ staff_role: role }).where('id', '=', account.id).execute();
  await endSessions(tx, account.id);
  await endSecondSteps(tx, account.id);
  await writeAudit(
    tx,
    {
      actor: { accountId: null, name: requireHouse(deps).name, role: 'operator' },
      action: 'role.changed',
      target: { type: 'user', id: account.id },
      changes: { staffRole: { from: account.staff_role, to: role } },
    },
    now,
  );
}

/** Someone who lost the role, and then joined as a member, has matches and messages that no colleague may have. */
async function refuseMembers(tx: Db, { id }: AccountRow): Promise<void> {
  const { complete, is_vip } = await tx
    .selectFrom('account')
    .innerJoin('profile', 'profile.account_id', 'account.id')
    .select(['profile.complete', 'account.is_vip'])
    .where('account.id', '=', id)
    .executeTakeFirstOrThrow();
  if (complete || is_vip)
    throw new AppError(
      'FORBIDDEN',
      msg`Your account is a member's account now. Ask an administrator to give it your role.`,
    );
}

/**
 * Throws 403 for staff who have to sign in with the house's account: those who are linked to it, and, if passwords are
 * switched off, everyone but one owner. Returns whether that owner signs in, who needs a second factor.
 */
export async function requireOwnWay(
  { tx, deps }: Pick<CommandContext, 'tx' | 'deps'>,
  account: Pick<AccountRow, 'id' | 'email' | 'staff_role'>,
): Promise<boolean> {
  const { house } = deps.config;
  if (house === null || account.staff_role === null) return false;
  const isOwner = account.staff_role === 'owner' && account.email === house.passwordOwner;
  if (isOwner && (await isProtected(tx, account.id))) return true;
  if (!isOwner && house.passwordOwner === null && !(await isLinked(tx, house.issuer, account.id))) return false;
  throw new AppError('FORBIDDEN', msg`Please sign in with ${{ name: house.name }}.`);
}

async function isLinked(tx: Db, issuer: string, accountId: string): Promise<boolean> {
  const link = await tx
    .selectFrom('house_person')
    .select('subject')
    .where('account_id', '=', accountId)
    .where('issuer', '=', issuer)
    .executeTakeFirst();
  return link !== undefined;
}
