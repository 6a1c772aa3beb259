import { msg } from '@lingui/core/runtime-macro';
import type { StaffRole } from '#contract/staff-roles.ts';
import { AppError, notFound } from '#platform/http/app-error.ts';
import type { Config } from '#platform/config/config.ts';
import { type AuditEntry, writeAudit } from '#platform/db/audit.ts';
import { type Db, refusedConstraint } from '#platform/db/db.ts';
import type { CommandContext } from '#platform/http/mount.ts';
import { isLastRuler, rulers } from '#platform/session/access.policy.ts';
import { endSessions } from '#platform/session/sessions.ts';
import type { Deps } from '../../../deps.ts';
import { type AccountRow, lockAccount } from '../accounts.ts';
import { isProtected } from '../factors/factors.ts';
import { endSecondSteps } from '../session/challenges.ts';
import type { House, HousePerson } from './provider.ts';

type Known = Pick<HousePerson, 'issuer' | 'subject'>;

/** The house's provider; 404 if staff sign in only with passwords. */
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

/** Locks and returns the account of a person of the house; undefined if there is none. */
export async function lockPerson(tx: Db, person: Known): Promise<AccountRow | undefined> {
  const id = await accountOf(tx, person);
  if (id === undefined) return undefined;
  const account = await lockAccount(tx, id);
  return (await accountOf(tx, person)) === id ? account : undefined;
}

/** Links an account to a person of the house; 409 if they already have another one. */
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

type Context = Pick<CommandContext, 'tx' | 'deps' | 'now'>;

/**
 * Gives a locked account the role that its owner's groups determine, or none, which signs it out everywhere and is audited. Returns its
 * role afterwards: the previous one, if that can't be removed. 403 for an account that became a member's, whose role can be given only on
 * the team page.
 */
export async function giveRole(
  context: Context,
  account: AccountRow,
  role: StaffRole | null,
): Promise<StaffRole | null> {
  const { tx, deps } = context;
  const { id, staff_role } = account;
  if (staff_role === role) return role;
  if (await mustKeepRole(context, account, role)) {
    deps.log.warn({ accountId: id, has: staff_role, groupsGive: role }, 'a role stays that no one else could have');
    return staff_role;
  }
  if (staff_role === null) await refuseMembers(tx, account);
  await tx.updateTable('account').set({ staff_role: role }).where('id', '=', id).execute();
  await endSessions(tx, id);
  await endSecondSteps(tx, id);
  await auditRole(context, id, { action: 'role.changed', changes: { staffRole: { from: staff_role, to: role } } });
  return role;
}

/** Records a change of someone's role under the name of the house. */
export async function auditRole(
  { tx, deps, now }: Context,
  id: string,
  entry: Pick<AuditEntry, 'action' | 'changes'>,
): Promise<void> {
  const actor = { accountId: null, name: requireHouse(deps).name, role: 'operator' };
  await writeAudit(tx, { actor, target: { type: 'user', id }, ...entry }, now);
}

/**
 * Whether a locked account keeps its role whatever the groups say: the owner with a password, for days on which the provider is down, and
 * the last owner or administrator.
 */
async function mustKeepRole(
  { tx, deps }: Context,
  { id, email, staff_role, is_active, leaving_since }: AccountRow,
  role: StaffRole | null,
): Promise<boolean> {
  if (staff_role === null || !rulers.includes(staff_role) || !is_active || leaving_since !== null) return false;
  if (isPasswordOwner(deps.config.house, { email, staff_role })) return true;
  const inOffice = await tx
    .selectFrom('account')
    .select(['id', 'staff_role'])
    .where('staff_role', 'in', rulers)
    .where('is_active', '=', true)
    .where('leaving_since', 'is', null)
    .orderBy('id')
    .forNoKeyUpdate()
    .execute();
  return isLastRuler(inOffice, id, role);
}

const isPasswordOwner = (house: Config['house'], { email, staff_role }: Pick<AccountRow, 'email' | 'staff_role'>) =>
  staff_role === 'owner' && email === house?.passwordOwner;

/** A person who lost the role and then joined as a member has matches and messages, which no colleague may have. */
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
 * Throws 403 for staff who must sign in with the house's account: those who are linked to it and, if passwords are switched off, everyone
 * but one owner. Returns whether it is that owner, who needs a second factor.
 */
export async function requireOwnWay(
  { tx, deps }: Pick<CommandContext, 'tx' | 'deps'>,
  account: Pick<AccountRow, 'id' | 'email' | 'staff_role'>,
): Promise<boolean> {
  const { house } = deps.config;
  if (house === null || account.staff_role === null) return false;
  const isOwner = isPasswordOwner(house, account);
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
