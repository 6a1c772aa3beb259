import { msg } from '@lingui/core/runtime-macro';
import type { FastifyRequest } from 'fastify';
import type { houseSignIn } from '#contract/auth/house.ts';
import { nonceMinutes } from '#contract/constants.ts';
import type { BodyOf } from '#contract/endpoint.ts';
import { outranks, roleNames } from '#contract/roles.ts';
import type { StaffRole } from '#contract/staff-roles.ts';
import { hashToken } from '#platform/config/secrets.ts';
import { writeAudit } from '#platform/db/audit.ts';
import { Raced } from '#platform/db/db.ts';
import { AppError, committed } from '#platform/http/app-error.ts';
import type { CallContext } from '#platform/http/mount.ts';
import { secondsAfter } from '#platform/process/clock.ts';
import { textOf } from '#platform/texts.ts';
import { accountByEmail, accountById, type AccountRow, insertAccount, isRefused } from '../accounts.ts';
import { sealSecret } from '../factors/factors.ts';
import { fromProvider } from '../identity/arrival.ts';
import { useUp } from '../identity/identities.ts';
import { RefusedToken } from '../identity/providers/provider.ts';
import { type ArrivalContext, signDeviceIn } from '../session/sessions.ts';
import { afterFirstFactor, type FirstFactorAnswer, noteArrival, requireWelcome } from '../session/sign-in.ts';
import { sealLink } from './link.ts';
import { auditRole, giveRole, lockPerson, requireHouse, savePerson } from './people.ts';
import type { HousePerson } from './provider.ts';

const inLog = (name: string) => ({ id: 'house', name });

/** Starts a sign-in in one browser: returns where to send it, and the cookie that binds it. 503 if the provider is unavailable. */
export async function beginHouse({ deps, now }: CallContext<unknown>): Promise<{ url: string; cookie: string }> {
  const house = requireHouse(deps);
  const { nonce, cookie } = house.nonces.issue(now);
  const url = await fromProvider(deps, inLog(house.name), 'UNAVAILABLE', () => house.begin(nonce));
  return { url, cookie };
}

/**
 * Reads who came back from the provider, once for each start. 401 for anything that the provider or the rules of OpenID refuse, 503 if it
 * is unavailable.
 */
export async function judgeReturn(
  { deps, request, now }: CallContext<unknown> & { request: FastifyRequest },
  returned: BodyOf<typeof houseSignIn>,
): Promise<HousePerson> {
  const house = requireHouse(deps);
  return await fromProvider(deps, inLog(house.name), 'INVALID_CREDENTIALS', async () => {
    const nonce = house.nonces.read(request.headers.cookie, now);
    if (nonce === null) throw new RefusedToken('browser');
    // Runs before the provider is called, so that no code is tried twice.
    const once = { hash: hashToken(`house ${nonce}`), until: secondsAfter(now, nonceMinutes * 60) };
    if (!(await useUp(deps.db, [once]))) throw new RefusedToken('used');
    return await house.finish(returned, nonce);
  });
}

/**
 * Signs in a person of the house with the role of their groups, or the one that can't be removed. The first time, they get an account; a
 * person who already has one links it. 403 without a role, 409 if the address is in use here.
 */
export async function signInWithHouse(context: ArrivalContext, person: HousePerson): Promise<FirstFactorAnswer> {
  const { tx, deps, now } = context;
  let { role } = person;
  const known = await lockPerson(tx, person);
  if (known !== undefined) {
    // A role is also removed from a person who may not sign in.
    if (role !== null) await requireWelcome(context, known);
    role = await giveRole(context, known, role);
    if (role !== person.role) await auditRole(context, known.id, { action: 'role.kept' });
  }
  const { name } = requireHouse(deps);
  if (role === null)
    throw committed(new AppError('FORBIDDEN', msg`None of your groups at ${{ name }} has a role here.`));
  const account = known === undefined ? await makeStaff(context, person, role) : { ...known, staff_role: role };
  const grant = person.grant === null ? null : sealSecret(deps.factorKey, account.id, person.grant);
  const by = { isNew: known === undefined, house: { confirmedAt: now, grant } };
  const answer = person.hasSecondFactor
    ? await signDeviceIn(context, account, { ...by, secondFactor: true })
    : await afterFirstFactor(context, account, by);
  if ('token' in answer) noteArrival(context, account.id);
  return answer;
}

/**
 * Creates the staff account of a person who has none. An address that is in use never gives them its account: a member's account stays a
 * member's, and a colleague's is linked by its owner.
 */
async function makeStaff({ tx, deps, now }: ArrivalContext, person: HousePerson, role: StaffRole): Promise<AccountRow> {
  const { name } = requireHouse(deps);
  const { email } = person;
  if (email === null)
    throw new AppError(
      'FORBIDDEN',
      msg`${{ name }} names no confirmed email address of yours, which an account needs.`,
    );
  const taken = await accountByEmail(tx, email);
  if (taken?.staff_role != null) throw linkFirst(taken, { ...person, email }, role);
  if (taken !== undefined || (await isRefused(tx, deps.addressKey, email, now)))
    throw new AppError(
      'CONFLICT',
      msg`Your email address belongs to a member here. Staff need an address of their own.`,
    );

  function linkFirst({ staff_role }: AccountRow, claim: HousePerson & { email: string }, given: StaffRole): AppError {
    if (outranks(staff_role, given))
      return new AppError('FORBIDDEN', msg`Your groups at ${{ name }} give you less than your staff account has.`);
    const text = msg`There is already a staff account with your address. Sign in to it once to link ${{ name }} to it.`;
    return new AppError('LINK_NEEDS_PASSWORD', text, { data: { linkToken: sealLink(deps, claim, now) } });
  }

  const id = await insertAccount(
    tx,
    {
      email,
      passwordHash: null,
      passwordSuitsStaff: false,
      staffRole: role,
      emailVerifiedAt: now,
      firstName: person.firstName ?? textOf(roleNames[role]),
      lastName: person.lastName,
      birthDate: null,
      gender: null,
    },
    now,
  );
  if (id === null) throw new Raced('the address was taken');
  await savePerson(tx, person, id, now);
  await writeAudit(
    tx,
    {
      actor: { accountId: null, name, role: 'operator' },
      action: 'administrator.created',
      target: { type: 'user', id },
      changes: { staffRole: { from: null, to: role } },
    },
    now,
  );
  return await accountById(tx, id);
}
