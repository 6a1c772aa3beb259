import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { register, undoRegister } from '#contract/auth/auth.ts';
import { facebookSignIn, googleSignIn, joinWithIdentity } from '#contract/auth/identities.ts';
import { login } from '#contract/auth/session.ts';
import type { BodyInput } from '#contract/endpoint.ts';
import { editProfile, getProfile } from '#contract/profiles/profiles.ts';
import { changeAdminUser } from '#contract/profiles/staff.ts';
import { listInvitations, makeInvitation, revokeInvitation } from '#contract/service/invitations.ts';
import { changeService, getService } from '#contract/service/service.ts';
import type { ServiceSettings } from '#contract/service/settings.ts';
import { getConfig } from '#contract/system.ts';
import { startFacebook, type FacebookDouble } from '../../../../test/doubles/facebook-double.ts';
import { type TestIssuer, startWithGoogle } from '../../../../test/doubles/google-issuer.ts';
import { makeMember, type TestMember } from '../../../../test/factories.ts';
import { newAddress, password, passwordHash } from '../../../../test/guards/people.ts';
import type { TestApp } from '../../../../test/harness.ts';

let facebook: FacebookDouble;
let google: TestIssuer;
let test: TestApp;
let stop: () => Promise<void>;
let member: TestMember;
beforeAll(async () => {
  facebook = await startFacebook();
  ({ google, test, close: stop } = await startWithGoogle(facebook.environment));
  member = await makeMember(test, { passwordHash: await passwordHash() });
});
afterAll(async () => {
  await stop();
  await facebook.close();
});

const sentence = { en: 'We open in June.', de: 'Wir öffnen im Juni.' };

async function setRegistration(changed: Partial<ServiceSettings['registration']>): Promise<number> {
  const { token } = await makeMember(test, { staffRole: 'owner' });
  const { version, settings } = (await test.call(getService, { token })).body.data;
  const body = { version, settings: { ...settings, registration: { ...settings.registration, ...changed } } };
  return (await test.call(changeService, { token, body })).status;
}
const setMode = async (mode: ServiceSettings['registration']['mode']) =>
  expect(await setRegistration({ mode, sentence })).toBe(200);

const byGoogle = async (acceptTerms: boolean, email = newAddress()) =>
  await test.call(googleSignIn, {
    body: { tokenId: await google.token(test.clock.now(), { email, sub: randomUUID() }), acceptTerms },
  });
const byFacebook = async (acceptTerms: boolean, email: string | null = newAddress()) => {
  const userId = randomUUID();
  const me = {
    id: userId,
    name: 'Finja',
    first_name: 'Finja',
    last_name: 'Freund',
    ...(email === null ? {} : { email }),
  };
  return await test.call(facebookSignIn, { body: { accessToken: facebook.token({ userId, me }), acceptTerms } });
};
const byPassword = (email = newAddress(), headers = {}) =>
  test.call(register, { headers, body: { email, password, firstName: 'Rosa', acceptTerms: true } });

/** Everything that a refused person could have left behind. */
async function stored(): Promise<unknown> {
  const { rows } = await test.pool.query(
    `select (select count(*) from account) as accounts, (select count(*) from identity) as identities,
      (select count(*) from identity_claim) as claims, (select count(*) from mail) as mails,
      (select count(*) from verification) as codes, (select count(*) from consent) as consents,
      (select count(*) from graphile_worker._private_jobs) as jobs`,
  );
  return rows[0];
}

describe('a closed registration', () => {
  it.each([
    ['with an address and a password', () => byPassword()],
    ['with Google and the terms accepted', () => byGoogle(true)],
    ['with Google, to accept the terms later', () => byGoogle(false)],
    ['with Facebook and the terms accepted', () => byFacebook(true)],
    ['with Facebook without an address', () => byFacebook(true, null)],
    ['with the address of a member, about which it reveals nothing', () => byPassword(member.email)],
  ])('refuses to join %s, and stores nothing', async (_how, join) => {
    await setMode('closed');
    const before = await stored();
    const { status, error } = await join();
    expect({ status, code: error.code, message: error.message }).toEqual({
      status: 403,
      code: 'REGISTRATION_CLOSED',
      message: 'We open in June.',
    });
    expect(await stored()).toEqual(before);
  });

  it('refuses an identity, which can still join later', async () => {
    await setMode('open');
    const joinToken = (await byGoogle(false)).error.data?.joining?.token ?? '';
    await setMode('closed');
    const body = { joinToken, acceptTerms: true };
    expect((await test.call(joinWithIdentity, { body })).error.code).toBe('REGISTRATION_CLOSED');
    await setMode('open');
    expect((await test.call(joinWithIdentity, { body })).status).toBe(201);
  });

  it('explains the refusal in the language of the request', async () => {
    await setMode('closed');
    expect((await byPassword(newAddress(), { 'accept-language': 'de' })).error.message).toBe('Wir öffnen im Juni.');
    expect((await byPassword(newAddress(), { 'accept-language': 'pl' })).error.message).toBe('We open in June.');
  });

  it('lets members sign in as before', async () => {
    await setMode('closed');
    expect((await test.call(login, { body: { email: member.email, password } })).status).toBe(200);
    expect((await byGoogle(true, member.email)).status).toBe(200);
  });
});

describe('registration by invitation', () => {
  let owner: TestMember;
  beforeAll(() => setMode('invitation'));
  // Sessions end while the clock moves on.
  beforeEach(async () => {
    owner = await makeMember(test, { staffRole: 'owner' });
  });
  const invited = (invitation: string | undefined, email = newAddress()) =>
    test.call(register, { body: { email, password, firstName: 'Rosa', acceptTerms: true, invitation } });
  async function make(most = 1, days = 7): Promise<{ id: string; token: string }> {
    const made = await test.call(makeInvitation, { token: owner.token, body: { note: 'Choir', most, days } });
    const token = new URLSearchParams(new URL(made.body.data.link).hash.slice(1)).get('invitation') ?? '';
    return await test.db
      .selectFrom('invitation')
      .select(['id', 'token'])
      .where('token', '=', token)
      .executeTakeFirstOrThrow();
  }
  const confirm = (id: string) =>
    test.db.updateTable('account').set({ email_verified_at: test.clock.now() }).where('id', '=', id).execute();
  const listed = async (id: string) =>
    (await test.call(listInvitations, { token: owner.token })).body.data.invitations.find(({ _id }) => _id === id);

  it('accepts people with a link, up to its limit, and records who came', async () => {
    const { id, token } = await make(2);
    expect((await listed(id))?.link).toMatch(new RegExp(`/app/join#invitation=${token}$`));
    const { user } = (await invited(token)).body;
    const all = await Promise.all(Array.from({ length: 6 }, () => invited(token)));
    expect(all.map(({ status }) => status).toSorted()).toEqual([201, 422, 422, 422, 422, 422]);
    expect(await listed(id)).toMatchObject({ uses: 2, most: 2 });
    expect((await listed(id))?.people.map(({ _id }) => _id)).toContain(user._id);
  });

  it.each([
    ['without one', () => invited(undefined), 'REGISTRATION_CLOSED'],
    ['with Google', () => byGoogle(true), 'REGISTRATION_CLOSED'],
    ['with Facebook', () => byFacebook(false), 'REGISTRATION_CLOSED'],
    ['with an unknown one', () => invited('no-such-invitation'), 'INVITATION_INVALID'],
    [
      'with one that has ended',
      async () => {
        const { token } = await make();
        test.clock.advance(8 * 86_400);
        return await invited(token);
      },
      'INVITATION_INVALID',
    ],
    [
      'with one that was taken back',
      async () => {
        const { id, token } = await make();
        owner = await makeMember(test, { staffRole: 'owner' });
        expect((await test.call(revokeInvitation, { token: owner.token, params: { id } })).status).toBe(200);
        return await invited(token);
      },
      'INVITATION_INVALID',
    ],
  ])('refuses to join %s', async (_how, join, code) => {
    owner = await makeMember(test, { staffRole: 'owner' });
    const before = (await stored()) as { accounts: string };
    const { error } = await join();
    expect(error.code).toBe(code);
    const after = (await stored()) as { accounts: string; mails: string };
    expect({ ...after, accounts: '' }).toEqual({ ...before, accounts: '' });
  });

  it.each([
    ['with Google', () => byGoogle(false)],
    ['with Facebook', () => byFacebook(true)],
    ['without a link', () => invited(undefined)],
  ])('explains how to join to people who try it %s', async (_how, join) => {
    expect((await join()).error.message).toMatch(/^You can join with an invitation\. Open the link that you got, and/);
  });

  it('allows another use once a wrong address was taken back, which deletes its account', async () => {
    owner = await makeMember(test, { staffRole: 'owner' });
    const { id, token } = await make();
    const undo = async (joined: Awaited<ReturnType<typeof invited>>) =>
      await test.call(undoRegister, { token: joined.body.token });
    const wrong = await invited(token);
    expect((await invited(token)).error.code).toBe('INVITATION_INVALID');
    expect((await undo(wrong)).status).toBe(200);
    expect((await undo(wrong)).status).toBe(401);
    expect(await listed(id)).toMatchObject({ uses: 0, people: [] });
    const right = await invited(token);
    await confirm(right.body.user._id);
    expect((await undo(right)).error.code).toBe('CONFLICT');
    expect(await listed(id)).toMatchObject({ uses: 1 });
  });

  it('allows another use when an unconfirmed account is deleted, after 30 days like any other', async () => {
    owner = await makeMember(test, { staffRole: 'owner' });
    const { id, token } = await make(2, 60);
    const [here] = [await invited(token), await invited(token)];
    await confirm(here.body.user._id);
    const endAccounts = () => test.app.background.tasks['auth.endAccounts']?.({}, {} as never);
    test.clock.advance(30 * 86_400 - 60);
    await endAccounts();
    owner = await makeMember(test, { staffRole: 'owner' });
    expect(await listed(id)).toMatchObject({ uses: 2 });
    test.clock.advance(60);
    await endAccounts();
    owner = await makeMember(test, { staffRole: 'owner' });
    expect(await listed(id)).toMatchObject({ uses: 1, people: [{ _id: here.body.user._id }] });
    expect((await invited(token)).status).toBe(201);
  });

  it('does not count a use for an address that is taken', async () => {
    owner = await makeMember(test, { staffRole: 'owner' });
    const { id, token } = await make();
    expect((await invited(token, member.email)).error.code).toBe('EMAIL_TAKEN');
    expect((await listed(id))?.uses).toBe(0);
    expect((await invited(token)).status).toBe(201);
  });
});

describe('a minimum age', () => {
  afterAll(() => setRegistration({ minimumAge: 18 }));
  const bornAgo = (years: number, days = 0) => {
    const day = new Date(test.clock.now());
    day.setUTCFullYear(day.getUTCFullYear() - years, day.getUTCMonth(), day.getUTCDate() + days);
    return day.toISOString().slice(0, 10);
  };
  const born = (birthDate: string, more = {}) =>
    test.call(register, {
      body: { email: newAddress(), password, firstName: 'Rosa', acceptTerms: true, birthDate, ...more },
    });
  const edit = ({ token }: { token: string }, body: BodyInput<typeof editProfile>) =>
    test.call(editProfile, { token, body });
  async function setAge(minimumAge: number, mode: ServiceSettings['registration']['mode'] = 'open') {
    expect(await setRegistration({ minimumAge, mode })).toBe(200);
  }

  it.each([
    [18, 18, 0, 201],
    [18, 18, 1, 422],
    [50, 50, 0, 201],
    [50, 50, 1, 422],
    [50, 18, 0, 422],
    [50, 17, 0, 422],
    [99, 98, 0, 422],
    [99, 100, 0, 201],
  ])(
    'of %s answers people born %s years ago, and %s days later, with %s, and stores nothing about those it refuses',
    async (age, years, days, status) => {
      await setAge(age);
      const before = await stored();
      const joined = await born(bornAgo(years, days));
      expect(joined.status).toBe(status);
      if (status === 201) return;
      expect(joined.error).toMatchObject({
        code: 'UNDER_AGE',
        message: `You must be at least ${age} years old to use Heartwood`,
        errors: [{ field: 'birthDate', msg: expect.stringContaining('You can join from') as string }],
      });
      expect(await stored()).toEqual(before);
      expect((await test.call(getConfig)).body.data.limits.minimumAgeYears).toBe(age);
    },
  );

  it('counts no use of the invitation of someone who is too young', async () => {
    await setAge(50, 'invitation');
    const { token } = await makeMember(test, { staffRole: 'owner' });
    const { link } = (await test.call(makeInvitation, { token, body: { note: '', most: 1, days: 7 } })).body.data;
    const invitation = new URL(link).hash.replace('#invitation=', '');
    const before = await stored();
    expect((await born(bornAgo(49), { invitation })).error.code).toBe('UNDER_AGE');
    expect(await stored()).toEqual(before);
    expect((await born(bornAgo(51), { invitation })).status).toBe(201);
  });

  it.each([
    ['Google', () => byGoogle(true)],
    ['Facebook', () => byFacebook(true)],
  ])('holds for people who join with %s, when they say their birth date', async (_provider, join) => {
    await setAge(50);
    const { data } = (await join()).body;
    const one = { token: 'token' in data ? data.token : '' };
    const said = { firstName: 'Rosa', birthDate: bornAgo(49) };
    expect((await edit(one, said)).error.code).toBe('UNDER_AGE');
    expect((await test.call(getProfile, { token: one.token })).body.userData.user).toMatchObject({ birthDate: null });
    expect((await edit(one, { ...said, birthDate: bornAgo(50) })).status).toBe(200);
  });

  it('leaves members who are younger as they are, also if they send their birth date again', async () => {
    const birthDate = bornAgo(30);
    const younger = await makeMember(test, { birthDate });
    await setAge(50);
    expect((await edit(younger, { bio: 'I stay', birthDate })).status).toBe(200);
    expect((await edit(younger, { birthDate: bornAgo(60) })).error.code).toBe('BIRTH_DATE_SET');
    const { token } = await makeMember(test, { staffRole: 'admin' });
    const body = { birthDate: bornAgo(31), reason: 'Her passport says so' };
    const correct = (id: string) => test.call(changeAdminUser, { token, params: { id }, body });
    expect((await correct(younger.id)).status).toBe(200);
    expect((await correct((await makeMember(test, { birthDate: null })).id)).error.code).toBe('UNDER_AGE');
  });

  it.each([17, 0, -50, 100, 18.5, null, '50', [50]])('of %j can’t be saved', async (minimumAge) => {
    expect(await setRegistration({ minimumAge: minimumAge as number })).toBe(400);
  });
});
