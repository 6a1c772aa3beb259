import { msg } from '@lingui/core/runtime-macro';
import { sql } from 'kysely';
import type { StaffRole } from '#contract/staff-roles.ts';
import type { BodyOf, ParamsOf } from '#contract/endpoint.ts';
import type { changeAdminUser } from '#contract/profiles/staff.ts';
import type { FieldConflict } from '#contract/error-body.ts';
import type { Db } from '#platform/db/db.ts';
import { requirePermission } from '#platform/session/caller.ts';
import { AppError, invalid, notFound } from '#platform/http/app-error.ts';
import { actorOf, audit, type AuditEntry } from '#platform/db/audit.ts';
import type { CommandContext } from '#platform/http/mount.ts';
import { requireOwnLinks } from '#platform/http/own-links.ts';
import { requireFewActs } from '#platform/session/act-limits.ts';
import { requireMayAct, requireMaySee, withInvolvement } from '#platform/session/access.ts';
import { endSessions } from '#platform/session/sessions.ts';
import { checkAge, demandStaffPassword, endSecondSteps, recordAct } from '../../auth/public.ts';
import { stopRenewing } from '../../subscriptions/public.ts';
import { isOtherPlace, noPlace, placeFrom } from '../place/place.ts';
import { checkPowerChange } from '../policy.ts';
import { isRenamed, lockProfile, type ProfileChange, type ProfileRow, textOrNone, updateProfile } from '../profiles.ts';
import { liveSessionCount, standingOf, userById } from '../reads.ts';
import { toAdminUser } from '../views.ts';
import { mailOwnersOfAge } from './age-mail.ts';
import { addressesShown, noteListed } from './listed.ts';

/** The facts that determine whether an account can be activated, deactivated or given a role. */
interface AccountState {
  id: string;
  staff_role: StaffRole | null;
  is_active: boolean;
  email_verified_at: Date | null;
  leaving_since: Date | null;
}

/**
 * The account and, for a change of `power`, those of the actor and all administrators and owners, locked until the transaction ends. They
 * are always locked in the order of their ids, so that two administrators who change each other wait instead of deadlocking.
 */
async function lockAccounts(tx: Db, id: string, actorId: string, power: boolean): Promise<AccountState[]> {
  const others = power
    ? await tx
        .selectFrom('account')
        .select('id')
        .where((eb) => eb.or([eb('staff_role', 'in', ['admin', 'owner']), eb('id', '=', actorId)]))
        .execute()
    : [];
  return await tx
    .selectFrom('account')
    .select(['id', 'staff_role', 'is_active', 'email_verified_at', 'leaving_since'])
    // Uses a list of values instead of a subquery: after waiting for a lock, PostgreSQL re-evaluates only conditions without subqueries.
    .where('id', 'in', [id, ...others.map((row) => row.id)])
    .orderBy('id')
    .forNoKeyUpdate()
    .execute();
}

type Given = BodyOf<typeof changeAdminUser>;
type Changes = NonNullable<AuditEntry['changes']>;

/**
 * One user in detail for staff, whether leaving or not; access is audited. Throws 404 for an unknown id, and 403 for someone whose case the
 * caller reviews again.
 */
export async function openUser(context: CommandContext, { id }: { id: string }) {
  const { tx, caller, now } = context;
  await requireMaySee(tx, caller, 'user', id);
  const user = await adminView(context, id, await noteListed({ db: tx, caller, now }, [id]));
  await audit(context, { type: 'user', id }, 'user.read');
  return user;
}

async function adminView({ tx, deps, caller, now }: CommandContext, id: string, shownAddresses: ReadonlySet<string>) {
  const row = await userById(tx, id);
  if (row === undefined) throw notFound();
  const viewer = { ...(await withInvolvement(tx, caller)), shownAddresses };
  const pictures = deps.pictures.forStaff(viewer.accountId, row.id, row.pictures, now);
  const sessionCount = await liveSessionCount(tx, id, now);
  return toAdminUser(row, viewer, now, { pictures, sessionCount, standing: await standingOf(tx, id, now) });
}

/**
 * Edits, activates or deactivates a user or changes their role, all or nothing, with one audit row per kind of change. Deactivating a user
 * and changing their role sign them out everywhere. Throws 404 for an unknown id; 403 beyond the caller's role, which includes birth dates
 * the caller may not read, and for people they may not act on; 409 for the last administrator or owner, and if a field no longer has the
 * value its editor saw; 422 for a minor or for staff with an unverified address; 429 for too many edits within an hour.
 */
export async function changeUser(context: CommandContext, given: ParamsOf<typeof changeAdminUser> & Given) {
  const { tx, deps, caller, now } = context;
  const { id } = given;
  const fields = [given.firstName, given.lastName, given.gender, given.bio, given.birthDate, given.location];
  if (id !== caller.accountId && fields.some((value) => value !== undefined))
    await requireFewActs(context, 'profileEdit');
  const concernsPower = given.isActive === false || given.staffRole !== undefined;
  const locked = await lockAccounts(tx, id, caller.accountId, concernsPower);
  const account = locked.find((row) => row.id === id);
  if (account === undefined) throw notFound();
  // Checked even if nothing would change: a success would confirm a guess of masked data. Staff edit their own profile here.
  if (id !== caller.accountId) await requireMayAct(tx, caller, 'user', id);
  const record = (action: AuditEntry['action'], changes: Changes) =>
    audit(context, { type: 'user', id }, action, { reason: given.reason, changes });

  if (given.birthDate !== undefined) requirePermission(caller, 'users.seePrivate');
  const profile = await lockProfile(tx, id);
  const { change, changes: edited } = await profileChangeOf(context, profile, given);
  const isOtherRole = given.staffRole !== undefined && given.staffRole !== account.staff_role;
  refuseConflicts(given.was, {
    ...edited,
    ...(isOtherRole && { staffRole: { from: account.staff_role, to: given.staffRole ?? null } }),
  });
  if (id !== caller.accountId) refuseOtherLinks(edited, deps.config);
  await updateProfile(tx, id, change);
  if (isRenamed(profile, change)) await deps.emit(tx, 'renamed', { accountId: id });
  if (Object.keys(edited).length > 0) {
    await record('user.edited', edited);
    const fields = Object.keys(edited);
    if (id !== caller.accountId) await deps.emit(tx, 'profileEdited', { accountId: id, fields, by: caller, now });
  }
  if (edited['birthDate'] !== undefined) {
    const [from, to] = [profile.birth_date, change.birth_date ?? null];
    await mailOwnersOfAge(tx, actorOf(caller), { id, from, to }, now);
  }
  if (given.isActive !== undefined && given.isActive !== account.is_active) {
    if (!given.isActive) checkPowerChange(locked, caller.accountId, id, 'inactive');
    else requirePermission(caller, 'sanctions.revoke');
    await applyActive(tx, { id, isActive: given.isActive, reason: given.reason }, now);
    const act = { accountId: id, reason: given.reason, by: actorOf(caller), now };
    await deps.emit(tx, given.isActive ? 'activated' : 'deactivated', act);
    const changes = { isActive: { from: account.is_active, to: given.isActive } };
    await record(given.isActive ? 'user.activated' : 'user.deactivated', changes);
  }
  if (isOtherRole && given.staffRole !== undefined) {
    checkPowerChange(locked, caller.accountId, id, given.staffRole);
    await changeRole(tx, account, given.staffRole);
    await record('role.changed', { staffRole: { from: account.staff_role, to: given.staffRole } });
  }
  // Counts no one as read, because that would lock the caller's account after the other person's.
  return await adminView(context, id, await addressesShown({ db: tx, caller, now }, [id]));
}

/** Activates an account, or deactivates it with a reason the member can read, which takes it offline. */
export async function applyActive(
  tx: Db,
  { id, isActive, reason }: { id: string; isActive: boolean; reason: string },
  now: Date,
): Promise<void> {
  const state = isActive
    ? { is_active: true, deactivated_at: null, deactivation_reason: null }
    : { is_active: false, deactivated_at: now, deactivation_reason: reason };
  await tx.updateTable('account').set(state).where('id', '=', id).execute();
  await recordAct(tx, id, { act: isActive ? 'activated' : 'deactivated' }, now);
  if (isActive) return;
  await tx.updateTable('presence').set({ online: false }).where('account_id', '=', id).execute();
  await sql`select logic.refresh_online(${[id]}::uuid[])`.execute(tx);
  await stopRenewing(tx, id);
  await endSessions(tx, id);
}

async function changeRole(tx: Db, account: AccountState, role: AccountState['staff_role']): Promise<void> {
  if (role !== null && account.email_verified_at === null) {
    throw invalid('staffRole', msg`Staff need a verified e-mail address`, 'STAFF_UNVERIFIED');
  }
  if (role !== null && account.staff_role === null) {
    await demandStaffPassword(tx, account.id);
    await stopRenewing(tx, account.id);
  }
  await tx.updateTable('account').set({ staff_role: role }).where('id', '=', account.id).execute();
  await endSessions(tx, account.id);
  await endSecondSteps(tx, account.id);
}

/** The changes by the given parts of a profile: the columns, and each field that differs, before and after. */
async function profileChangeOf(
  { tx, deps, now }: CommandContext,
  before: ProfileRow,
  given: Given,
): Promise<{ change: ProfileChange; changes: FieldChanges }> {
  const { firstName, lastName, gender, bio, birthDate, location } = given;
  if (birthDate !== undefined && birthDate !== null) {
    const { minimumAge: minimum } = deps.service.now().settings.registration;
    // Those who have said their birth date may be younger than new members must be.
    checkAge(birthDate, now, before.birth_date === null ? { minimum } : {});
  }
  const change: ProfileChange = {};
  const changes: FieldChanges = {};
  const set = <K extends 'first_name' | 'last_name' | 'gender' | 'bio' | 'birth_date'>(
    field: string,
    column: K,
    value: ProfileRow[K] | undefined,
  ) => {
    if (value === undefined || value === before[column]) return;
    change[column] = value;
    changes[field] = { from: before[column], to: value };
  };
  set('firstName', 'first_name', firstName);
  set('lastName', 'last_name', lastName === undefined ? undefined : textOrNone(lastName));
  set('gender', 'gender', gender);
  set('bio', 'bio', bio === undefined ? undefined : textOrNone(bio));
  set('birthDate', 'birth_date', birthDate);
  if (location !== undefined) {
    const place = location === null ? noPlace : await placeFrom(tx, location, before);
    if (isOtherPlace(before, place)) {
      Object.assign(change, place);
      changes['location'] = {
        from: { city: before.city, country: before.country },
        to: { city: place.city, country: place.country },
      };
    }
  }
  return { change, changes };
}

type Seen = NonNullable<BodyOf<typeof changeAdminUser>['was']>;
type Value = FieldConflict['current'];

/** The stored and the given value of each field that a change would make different. */
type FieldChanges = Record<string, { from: Value; to: Value }>;

/** Throws 400 for a text with a link to another site, which readers would take for the member's own. */
function refuseOtherLinks(changes: FieldChanges, config: CommandContext['deps']['config']): void {
  for (const [field, { to }] of Object.entries(changes)) {
    const texts = to !== null && typeof to === 'object' ? Object.values(to) : [to];
    for (const text of texts) if (typeof text === 'string') requireOwnLinks(field, text, config);
  }
}

function isSame(stored: Value, seen: Value): boolean {
  const [one, other] = [stored, seen].map((value) =>
    value !== null && typeof value === 'object' ? [value.city, value.country] : value,
  );
  const isNoPlace = (value: typeof one) =>
    value === null || (Array.isArray(value) && value.every((part) => part === null));
  return (isNoPlace(one) && isNoPlace(other)) || JSON.stringify(one) === JSON.stringify(other);
}

/**
 * Throws 409 with both values of each field that no longer has the value its editor saw. Fields without an earlier value from the editor
 * are changed in any case.
 */
function refuseConflicts(was: Seen | undefined, changes: FieldChanges): void {
  if (was === undefined) return;
  const seen = new Map<string, Value | undefined>(Object.entries(was));
  const conflicts = Object.entries(changes).flatMap(([field, { from, to }]): FieldConflict[] => {
    const value = seen.get(field);
    return value === undefined || isSame(from, value) ? [] : [{ field, current: from, given: to }];
  });
  if (conflicts.length === 0) return;
  throw new AppError('CONFLICT', msg`Someone else changed this user since you opened them`, { data: { conflicts } });
}
