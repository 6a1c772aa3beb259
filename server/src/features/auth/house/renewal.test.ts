import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { houseSignIn, startHouse } from '#contract/auth/house.ts';
import { login, logout, refreshToken as renew } from '#contract/auth/session.ts';
import { getProfile } from '#contract/profiles/profiles.ts';
import {
  houseClient,
  type HouseProvider,
  refusal,
  signInAt,
  someoneInHouse,
  startWithHouse,
} from '../../../../test/doubles/house-provider.ts';
import { makeMember } from '../../../../test/factories.ts';
import { codeAt, makePasskey, signInByPasskey, signInTwice, turnOn } from '../../../../test/factors.ts';
import { password, passwordHash } from '../../../../test/guards/people.ts';
import type { TestApp } from '../../../../test/harness.ts';
import { lookAtHouse } from './look.ts';
import { readConfig } from '#platform/config/config.ts';

let provider: HouseProvider;
let test: TestApp;
let close: () => Promise<void>;
async function open(environment: Record<string, string> = {}) {
  ({ provider, test, close } = await startWithHouse({
    STAFF_MFA: 'on',
    PUBLIC_URL: 'http://localhost:3000',
    ...environment,
  }));
  provider.says = someoneInHouse();
}
afterEach(() => close());

/** A signed-in person of the house. */
async function someone() {
  const { data } = (await signInAt(test, provider)).body;
  if (!('token' in data)) throw new Error('not signed in');
  return { id: data.user._id, token: data.token, refreshToken: data.refreshToken };
}
type Someone = Awaited<ReturnType<typeof someone>>;

/** Renews the session with its newest token, as a device does. */
async function renewed(one: Someone, minutes = 15): Promise<number> {
  test.clock.advance(minutes * 60);
  const answered = await test.call(renew, { body: { refreshToken: one.refreshToken } });
  if (answered.status === 200) Object.assign(one, answered.body.data);
  return answered.status;
}

const works = async ({ token }: Someone) => (await test.call(getProfile, { token })).status === 200;
const roleOf = async ({ id }: Someone) =>
  (await test.db.selectFrom('account').select('staff_role').where('id', '=', id).executeTakeFirstOrThrow()).staff_role;
const sessionsOf = ({ id }: Someone) =>
  test.db.selectFrom('session').selectAll().where('account_id', '=', id).execute();

describe('a session opened with the house’s account', () => {
  beforeEach(() => open());

  it('is confirmed by the provider at each renewal, which returns a new grant', async () => {
    const one = await someone();
    for (const times of [1, 2, 3]) {
      expect(await renewed(one)).toBe(200);
      expect(provider.asked).toBe(times);
    }
    expect(await works(one)).toBe(true);
  });

  it('keeps the grant encrypted', async () => {
    const grants: string[] = [];
    provider.answers = ({ body }) => void grants.push(String(body['refresh_token']));
    const [session] = await sessionsOf(await someone());
    expect(grants).toHaveLength(1);
    expect(session?.house_grant?.toString('latin1')).not.toContain(grants[0]);
    expect(test.logLines()).not.toContain(grants[0]);
  });

  it('ends within a quarter of an hour after its group was removed', async () => {
    const [one, other] = [await someone(), await someone()];
    provider.says['groups'] = ['choir'];
    expect(await renewed(one)).toBe(401);
    expect(await roleOf(one)).toBeNull();
    expect(await sessionsOf(one)).toEqual([]);
    expect([await works(one), await renewed(other, 0)]).toEqual([false, 401]);
    const acts = await test.db
      .selectFrom('audit_event')
      .select('changes')
      .where('action', '=', 'role.changed')
      .execute();
    expect(acts).toEqual([{ changes: { staffRole: { from: 'support', to: null } } }]);
  });

  it('can do nothing after a quarter of an hour without a renewal', async () => {
    const one = await someone();
    test.clock.advance(906);
    expect(await works(one)).toBe(false);
  });

  it('ends when the groups give another role, which applies from the next sign-in', async () => {
    const one = await someone();
    provider.says['groups'] = ['leads'];
    expect(await renewed(one)).toBe(401);
    expect(await roleOf(one)).toBe('senior');
    expect(await works(await someone())).toBe(true);
  });

  it('is checked with the provider even while its device sleeps', async () => {
    const one = await someone();
    provider.says['groups'] = [];
    test.clock.advance(601);
    await test.app.background.tasks['auth.confirmHouse']?.({}, {} as never);
    expect([await roleOf(one), await sessionsOf(one)]).toEqual([null, []]);
  });

  it.each<[string, NonNullable<HouseProvider['answers']>]>([
    ['its provider refuses', (answer) => Object.assign(answer, refusal('invalid_grant'))],
    ['its token is someone else’s', (a, c, t) => (a.body['id_token'] = t.own({ ...c, sub: 'someone else' }))],
    ['its token isn’t signed', (a, c, t) => (a.body['id_token'] = t.unsigned(c))],
    ['its token is for another client', (a, c, t) => (a.body['id_token'] = t.own({ ...c, aud: 'another' }))],
    ['its token is missing, and its groups with it', (a) => delete a.body['id_token']],
  ])('ends alone when %s, and the role stays', async (_what, answers) => {
    const one = await someone();
    provider.answers = answers;
    expect(await renewed(one)).toBe(401);
    expect([await sessionsOf(one), await roleOf(one)]).toEqual([[], 'support']);
  });

  it('ends at its first renewal if the provider issued no grant', async () => {
    provider.answers = ({ body }) => delete body['refresh_token'];
    const one = await someone();
    expect(await works(one)).toBe(true);
    expect(await renewed(one)).toBe(401);
  });

  it('returns where the browser can also sign out of the house’s account, once it has ended', async () => {
    const one = await someone();
    const { status, body } = await test.call(logout, { token: one.token });
    const address = new URL(body.data.leaveAt ?? '');
    expect([status, address.origin, await sessionsOf(one)]).toEqual([200, new URL(provider.url).origin, []]);
    const { id_token_hint: hint = '', ...more } = Object.fromEntries(address.searchParams);
    expect(more).toEqual({ client_id: houseClient.id, post_logout_redirect_uri: 'http://localhost:3000/login' });
    const claims = JSON.parse(Buffer.from(hint.split('.')[1] ?? '', 'base64url').toString()) as object;
    expect(claims).toMatchObject({ aud: houseClient.id, sub: provider.says['sub'] });
    expect(test.logLines()).not.toContain(hint);
    const { asked } = provider;
    const others = [await makeMember(test, { staffRole: 'support' }), await makeMember(test)];
    for (const { token } of others) expect((await test.call(logout, { token })).body.data).toEqual({});
    expect(provider.asked).toBe(asked);
  });

  const answering = (answers: NonNullable<HouseProvider['answers']>) => async () => void (provider.answers = answers);
  it.each<[string, (one: Someone) => Promise<unknown>]>([
    ['gives no ID token', answering((a) => delete a.body['id_token'])],
    ['gives someone else’s', answering((a, c, t) => (a.body['id_token'] = t.own({ ...c, sub: 'someone else' })))],
    ['gives one by another key', answering((a, c, t) => (a.body['id_token'] = t.byStranger(c)))],
    ['gives one that isn’t signed', answering((a, c, t) => (a.body['id_token'] = t.unsigned(c)))],
    ['gives one for another client', answering((a, c, t) => (a.body['id_token'] = t.own({ ...c, aud: 'another' })))],
    ['gives one that has expired', answering((a, c, t) => (a.body['id_token'] = t.own({ ...c, exp: 1 })))],
    ['gives too long a one', async () => (provider.says['groups'] = ['helpdesk', 'x'.repeat(4000)])],
    ['refuses', answering((a) => Object.assign(a, refusal('invalid_grant')))],
    ['fails', answering((a) => Object.assign(a, { statusCode: 500, body: {} }))],
    ['is down', () => provider.stop()],
    [
      'can’t be asked, because the grant can’t be decrypted',
      ({ id }) =>
        test.db
          .updateTable('session')
          .set({ house_grant: Buffer.alloc(60, 1) })
          .where('account_id', '=', id)
          .execute(),
    ],
  ])('signs out there without a hint if the provider %s', async (_what, prepare) => {
    const one = await someone();
    await prepare(one);
    const { status, body } = await test.call(logout, { token: one.token });
    const names = [...new URL(body.data.leaveAt ?? '').searchParams.keys()].toSorted();
    expect([status, names, await sessionsOf(one)]).toEqual([200, ['client_id', 'post_logout_redirect_uri'], []]);
  });

  it('ends if its grant can no longer be decrypted', async () => {
    const one = await someone();
    await test.db
      .updateTable('session')
      .set({ house_grant: Buffer.alloc(60, 1) })
      .where('account_id', '=', one.id)
      .execute();
    expect(await renewed(one)).toBe(401);
    expect(await sessionsOf(one)).toEqual([]);
  });

  it('gets nothing from a provider’s answer that arrives after it has ended', async () => {
    const one = await someone();
    const ending = await test.pool.connect();
    await ending.query('begin');
    await ending.query('select from account where id = $1 for update', [one.id]);
    const renewing = renewed(one);
    await expect.poll(() => provider.asked).toBe(1);
    await ending.query('delete from session where account_id = $1', [one.id]);
    await ending.query('update account set staff_role = null where id = $1', [one.id]);
    await ending.query('commit');
    ending.release();
    expect(await renewing).toBe(401);
    expect([await roleOf(one), await sessionsOf(one)]).toEqual([null, []]);
  });

  it('is checked only once for two renewals at the same time', async () => {
    const one = await someone();
    test.clock.advance(900);
    const body = { refreshToken: one.refreshToken };
    const headers = { 'idempotency-key': 'the-same-renewal-twice' };
    const answers = await Promise.all([test.call(renew, { body, headers }), test.call(renew, { body, headers })]);
    expect(answers.map(({ status }) => status)).toEqual([200, 200]);
    expect(provider.asked).toBe(1);
  });

  it.each<[string, () => Promise<unknown>]>([
    ['is down', () => provider.stop()],
    ['fails', async () => (provider.answers = (answer) => Object.assign(answer, { statusCode: 500, body: {} }))],
    [
      'no longer knows the client',
      async () => (provider.answers = (answer) => Object.assign(answer, refusal('invalid_client'))),
    ],
  ])('lasts an hour at most while the provider %s, and no one signs in', async (_what, fail) => {
    const one = await someone();
    await fail();
    for (const _quarter of [1, 2, 3]) expect(await renewed(one)).toBe(200);
    expect(await renewed(one, 12)).toBe(200);
    expect(await works(one)).toBe(true);
    test.clock.advance(181);
    expect([await works(one), await renewed(one, 0)]).toEqual([false, 401]);
    const started = await test.call(startHouse);
    const returned = { body: { code: 'x', state: 'y' }, headers: { cookie: String(started.headers['set-cookie']) } };
    expect((await test.call(houseSignIn, returned)).status).toBeGreaterThanOrEqual(401);
  });

  it('is never checked for members and password sign-ins', async () => {
    const member = await makeMember(test);
    expect((await test.call(renew, { body: { refreshToken: member.refreshToken } })).status).toBe(200);
    expect(provider.asked).toBe(0);
  });
});

describe('a role that only one person has', () => {
  const kept = async ({ id }: Someone) =>
    await test.db
      .selectFrom('audit_event')
      .select('actor_name')
      .where('target_id', '=', id)
      .where('action', '=', 'role.kept')
      .execute();

  it.each([
    ['chiefs', 'owner', []],
    ['chiefs', 'owner', ['directors']],
    ['directors', 'admin', ['helpdesk']],
  ] as const)('stays with the last of %s, %s, until there is another', async (group, role, next) => {
    await open();
    provider.says['groups'] = [group];
    const one = await someone();
    provider.says['groups'] = next;
    expect(await renewed(one)).toBe(200);
    expect(await works(one)).toBe(true);
    const again = await someone();
    expect([await works(again), await roleOf(again), again.id]).toEqual([true, role, one.id]);
    expect(await kept(one)).toEqual([{ actor_name: 'Acme' }]);
    await makeMember(test, { staffRole: role });
    expect(await renewed(again)).toBe(401);
    expect(await roleOf(one)).not.toBe(role);
  });

  it('can be lost by a deactivated account', async () => {
    await open();
    provider.says['groups'] = ['chiefs'];
    const one = await someone();
    await test.db
      .updateTable('account')
      .set({ is_active: false, deactivated_at: test.clock.now(), deactivation_reason: 'Left' })
      .where('id', '=', one.id)
      .execute();
    provider.says['groups'] = [];
    await signInAt(test, provider);
    expect(await roleOf(one)).toBeNull();
  });

  it('stays with an owner who has a password, even if there are other owners', async () => {
    await open({ STAFF_PASSWORD_OWNER: 'owner@acme.test' });
    await makeMember(test, { staffRole: 'owner' });
    provider.says = someoneInHouse({ email: 'owner@acme.test', groups: ['chiefs'] });
    const one = await someone();
    provider.says['groups'] = ['helpdesk'];
    expect([await renewed(one), await roleOf(one)]).toEqual([200, 'owner']);
  });
});

describe('when password sign-in for staff is switched off', () => {
  const owner = 'owner@acme.test';
  beforeEach(() => open({ STAFF_PASSWORD_OWNER: owner }));
  const byPassword = (email: string) => test.call(login, { body: { email, password } });
  const staff = async (staffRole: 'owner' | 'admin', email?: string) =>
    makeMember(test, { staffRole, passwordHash: await passwordHash(), ...(email !== undefined && { email }) });

  it('staff can use no password and no passkey, and members sign in as before', async () => {
    for (const one of [await staff('admin'), await staff('owner')]) {
      const { authenticator } = await makePasskey(test, one, password);
      for (const { status, error } of [await byPassword(one.email), await signInByPasskey(test, authenticator)])
        expect([status, error.message]).toEqual([403, 'Please sign in with Acme.']);
    }
    const member = await makeMember(test, { passwordHash: await passwordHash() });
    expect((await byPassword(member.email)).status).toBe(200);
  });

  it('one owner can still sign in, but only with a second factor', async () => {
    const one = await staff('owner', owner);
    expect((await byPassword(owner)).status).toBe(403);
    expect(await faults()).toEqual([expect.stringContaining('STAFF_PASSWORD_OWNER')]);
    const { secret } = await turnOn(test, one, password);
    expect((await signInTwice(test, owner, password, codeAt(secret, test.clock.now()))).status).toBe(200);
    expect(await faults()).toEqual([]);
  });

  it('an owner’s address alone is not enough', async () => {
    const one = await staff('admin', owner);
    await turnOn(test, one, password);
    expect((await byPassword(owner)).status).toBe(403);
  });

  const faults = () =>
    lookAtHouse({ config: readConfig({ ...provider.environment, STAFF_PASSWORD_OWNER: owner }), db: test.db });

  it('the doctor names colleagues who aren’t linked, and a provider that doesn’t respond', async () => {
    await turnOn(test, await staff('owner', owner), password);
    await staff('admin');
    await someone();
    expect(await faults()).toEqual([expect.stringMatching(/passwords are off: 1\.$/)]);
    await provider.stop();
    expect((await faults())[0]).toContain('STAFF_OIDC_ISSUER');
  });
});
