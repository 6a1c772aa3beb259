import { describe, expect, it } from 'vitest';
import * as z from 'zod/mini';
import type { EndpointSpec } from '#contract/endpoint.ts';
import { startAppForTests } from '../harness.ts';
import { callName, contractEndpoints } from './contract-endpoints.ts';
import { makePerson, passwordHash, roles, type Role } from './people.ts';
import { requestFor, send, type Scene } from './requests.ts';
import { accessMatrix } from './access-matrix.ts';

/** Fields that no caller may set, under every possible name. */
const protectedFields: Record<string, unknown> = {
  _id: '00000000-0000-4000-8000-000000000000',
  id: '00000000-0000-4000-8000-000000000000',
  userId: '00000000-0000-4000-8000-000000000000',
  accountId: '00000000-0000-4000-8000-000000000000',
  account_id: '00000000-0000-4000-8000-000000000000',
  isAdmin: true,
  is_admin: true,
  admin: true,
  role: 'admin',
  roles: ['admin'],
  staffRole: 'admin',
  staff_role: 'admin',
  isVIP: true,
  is_vip: true,
  vip: true,
  subscription: { status: 'active', currentPeriodEnd: '2099-01-01T00:00:00.000Z' },
  isEmailVerified: true,
  emailVerified: true,
  emailVerifiedAt: '2020-01-01T00:00:00.000Z',
  email_verified_at: '2020-01-01T00:00:00.000Z',
  isActive: false,
  is_active: false,
  status: 'active',
  deactivatedAt: null,
  deactivationReason: null,
  leavingSince: '2020-01-01T00:00:00.000Z',
  leaving_since: '2020-01-01T00:00:00.000Z',
  createdAt: '2001-01-01T00:00:00.000Z',
  created_at: '2001-01-01T00:00:00.000Z',
  lastActive: '2001-01-01T00:00:00.000Z',
  isOnline: true,
  profileComplete: true,
  isPhotoVerified: true,
  photoVerifiedAt: '2020-01-01T00:00:00.000Z',
  photo_verified_at: '2020-01-01T00:00:00.000Z',
  complete: true,
  age: 99,
  password: 'another-password',
  passwordHash: 'x',
  password_hash: 'x',
  emailVerificationSent: true,
  settings: { showLastActive: false },
  showLastActive: false,
  latitude: 1,
  longitude: 1,
  profilePicture: 'https://evil.test/x.png',
  more_pictures: [{ url: 'https://evil.test/x.png' }],
  email: 'taken-over@example.test',
  sessionId: '00000000-0000-4000-8000-000000000000',
  expiresAt: '2099-01-01T00:00:00.000Z',
  termsVersion: '1999-01-01',
  permissions: ['*'],
  can: { edit: true },
};

const writes = (await contractEndpoints())
  .filter(({ method, uploads }) => method !== 'GET' && uploads !== true)
  .map((endpoint) => [callName(endpoint), endpoint] as const)
  // The payment provider signs the body of the first. The others are off here, and do nothing for anyone.
  .filter(([name]) => !['POST /webhooks/payments', 'POST /auth/house', 'POST /auth/house/link'].includes(name));
const test = startAppForTests();

/** The protected fields, except those that the endpoint accepts. */
function smuggled(endpoint: EndpointSpec): Record<string, unknown> {
  const body = endpoint.body ?? z.object({});
  const taken = JSON.stringify(z.toJSONSchema(body, { io: 'input', unrepresentable: 'any' }));
  return Object.fromEntries(Object.entries(protectedFields).filter(([name]) => !taken.includes(`"${name}":`)));
}

/** All stored data of an account, with generated values replaced, or null if it is gone; `email` is the expected address. */
async function keptOf(id: string | undefined, email: string): Promise<unknown> {
  if (id === undefined) return null;
  const account = await test.db.selectFrom('account').selectAll().where('id', '=', id).executeTakeFirst();
  if (account === undefined) return null;
  const profile = await test.db
    .selectFrom('profile')
    .selectAll()
    .where('account_id', '=', id)
    .executeTakeFirstOrThrow();
  const presence = await test.db
    .selectFrom('presence')
    .selectAll()
    .where('account_id', '=', id)
    .executeTakeFirstOrThrow();
  const sessions = await test.db
    .selectFrom('session')
    .select(['created_at', 'expires_at', 'idle_expires_at'])
    .where('account_id', '=', id)
    .orderBy('expires_at')
    .execute();
  const consents = await test.db
    .selectFrom('consent')
    .select(['kind', 'version'])
    .where('account_id', '=', id)
    .execute();
  const hash = account.password_hash ?? 'none';
  const isHash = hash.startsWith('$argon2id$v=19$m=19456,');
  const words = hash === (await passwordHash()) ? 'the old password' : isHash ? 'a new password' : hash;
  const pictures = profile.pictures.map(({ name, state, place }) => ({ name, state, place }));
  const kept = {
    account: { ...account, password_hash: words },
    profile: { ...profile, pictures },
    presence,
    sessions,
    consents,
  };
  return JSON.parse(JSON.stringify(kept).replaceAll(id, 'ID').replaceAll(email, 'EMAIL'));
}

/** Sends the request as a new account with `more` in every part; returns the stored rows of everyone involved. */
async function afterwards(endpoint: EndpointSpec, role: Role, more: Record<string, unknown>): Promise<unknown> {
  const start = test.clock.now();
  const options = { firstName: 'Rosa', createdAt: new Date('2026-01-01T00:00:00Z') };
  const other = await makePerson(test, 'member', options);
  if (other === null) throw new Error('a member was expected');
  const scene: Scene = { test, actor: await makePerson(test, role, options), other };
  const request = await requestFor(endpoint, scene);
  const body =
    endpoint.body === undefined && Object.keys(more).length === 0
      ? request.body
      : { ...more, user: more, data: more, $set: more, ...request.body };
  const isStaff = role === 'moderator' || role === 'administrator';
  // Staff are refused undeclared parameters.
  const query = isStaff ? {} : Object.fromEntries(Object.entries(more).map(([name, value]) => [name, String(value)]));
  const answer = await send(scene, endpoint, {
    ...request,
    query: { ...query, ...request.query },
    ...(body === undefined ? {} : { body }),
  });
  // Both runs of a pair begin at the same time.
  test.clock.advance((start.getTime() - test.clock.now().getTime()) / 1000);
  const made = answer.status === 201 ? (answer.body as { user?: { _id: string } } | undefined)?.user?._id : undefined;
  return {
    status: answer.status,
    actor: await keptOf(scene.actor?.id, scene.actor?.email ?? ''),
    other: await keptOf(other.id, other.email),
    made: await keptOf(made, String(request.body?.['email'])),
  };
}

describe('fields that would promote the caller', () => {
  it('are tried with at least thirty names, in bodies, nested objects and queries', () => {
    expect(Object.keys(protectedFields).length).toBeGreaterThanOrEqual(30);
    for (const [name, endpoint] of writes)
      expect(Object.keys(smuggled(endpoint)).length, name).toBeGreaterThanOrEqual(30);
  });

  it.each(writes)('are ignored by %s', async (name, endpoint) => {
    const welcome = roles.filter((role) => (accessMatrix[name]?.cells[role] ?? 400) < 300);
    expect(welcome, 'Someone may call it: add who to access-matrix.ts, or to a file in cases/').not.toEqual([]);
    for (const role of welcome.filter((each) =>
      ['visitor', 'member', 'unverified', 'moderator', 'administrator'].includes(each),
    )) {
      expect(await afterwards(endpoint, role, smuggled(endpoint)), role).toEqual(await afterwards(endpoint, role, {}));
    }
  });
});
