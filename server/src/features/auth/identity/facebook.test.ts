import { randomUUID } from 'node:crypto';
import { type AddressInfo, createServer } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { resetPassword, verifyEmail } from '#contract/auth/auth.ts';
import { facebookSignIn, joinWithIdentity, linkByPassword } from '#contract/auth/identities.ts';
import { getProfile } from '#contract/profiles/profiles.ts';
import { login } from '#contract/auth/session.ts';
import { startFacebook, type FacebookDouble } from '../../../../test/doubles/facebook-double.ts';
import { makeAdministrator, makeMember, type MemberOptions } from '../../../../test/factories.ts';
import { startGoogle, type TestIssuer } from '../../../../test/doubles/google-issuer.ts';
import { startApp, type TestApp } from '../../../../test/harness.ts';
import { newAddress, newPassword, password, passwordHash } from '../../../../test/guards/people.ts';
import { linkTokenOf, resetTokenFor } from '../../../../test/guards/requests.ts';

let facebook: FacebookDouble;
let limited: TestIssuer;
let test: TestApp;
beforeAll(async () => {
  [facebook, limited] = await Promise.all([startFacebook(), startGoogle()]);
  test = await startApp({ ...facebook.environment, FACEBOOK_JWKS_URL: `${limited.url}/jwks` });
});
afterAll(async () => {
  await test.close();
  await limited.close();
  await facebook.close();
});

const now = () => test.clock.now();
const signIn = (accessToken: string, userID?: string, acceptTerms = true) =>
  test.call(facebookSignIn, { body: { accessToken, acceptTerms, ...(userID === undefined ? {} : { userID }) } });
/** A Facebook user, with an address by default. */
function someone(email: string | null = newAddress()) {
  const userId = randomUUID();
  const me = { id: userId, name: 'Finja Freund', first_name: 'Finja', last_name: 'Freund' };
  const token = () => facebook.token({ userId, me: email === null ? me : { ...me, email } });
  return { userId, email: email ?? '', token };
}
const accounts = async () => (await test.db.selectFrom('account').select('id').execute()).length;
const withPassword = async (options: MemberOptions = {}) =>
  makeMember(test, { passwordHash: await passwordHash(), ...options });

describe('a Facebook token', () => {
  const limitedToken = (claims: Record<string, unknown>) =>
    limited.token(now(), { iss: 'https://www.facebook.com', aud: '4711', email: 'limited@fb.test', ...claims });
  const forged = Object.entries<() => Promise<[token: string, userID: string]>>({
    'of another app': async () => Promise.resolve([facebook.token({ userId: 'u1', appId: '9999' }), 'u1']),
    'of someone other than the claimed user': async () => Promise.resolve([facebook.token({ userId: 'u2' }), 'u3']),
    'that is no longer valid': async () => Promise.resolve([facebook.token({ userId: 'u4', isValid: false }), 'u4']),
    'that has expired': async () =>
      Promise.resolve([facebook.token({ userId: 'u5', expiresAt: now().getTime() / 1000 - 1 }), 'u5']),
    'of a Facebook page': async () => Promise.resolve([facebook.token({ userId: 'u6', type: 'PAGE' }), 'u6']),
    'whose profile belongs to another user': async () =>
      Promise.resolve([facebook.token({ userId: 'u7', me: { id: 'u8' } }), 'u7']),
    'that is not a token': async () => Promise.resolve(['nonsense', 'u9']),
    'of another app’s limited login': async () => [await limitedToken({ aud: '9999', sub: 'u10' }), 'u10'],
    'of someone else’s limited login': async () => [await limitedToken({ sub: 'u11' }), 'u12'],
    'that imitates a limited login': async () => [await limitedToken({ iss: limited.url, sub: 'u13' }), 'u13'],
  });

  it.each(forged)('%s neither opens nor creates an account', async (_, forge) => {
    const before = await accounts();
    const answer = await signIn(...(await forge()));
    expect([answer.status, answer.error.code]).toEqual([401, 'INVALID_CREDENTIALS']);
    expect(await accounts()).toBe(before);
  });
});

describe('signing in while Facebook is unavailable', () => {
  it.each([
    ['a server error', { status: 500, body: '{"error":{"code":2}}' }],
    ['no JSON', { status: 200, body: '<html>' }],
    ['an unexpected body', { status: 200, body: '{"data":[]}' }],
    ['a rate limit error', { status: 400, body: '{"error":{"code":4}}' }],
  ])('returns PROVIDER_UNAVAILABLE when Facebook answers with %s', async (_, answer) => {
    const { token, userId } = someone();
    facebook.answerWith({ ...answer, times: 1 });
    const refused = await signIn(token(), userId);
    expect([refused.status, refused.error.message.slice(0, 23)]).toEqual([503, "Facebook can't be reach"]);
    expect(Number(refused.headers['retry-after'])).toBeGreaterThan(0);
  });

  it('returns 503 when Facebook rejects our app secret', async () => {
    const other = await startApp({ ...facebook.environment, FACEBOOK_APP_SECRET: 'not the secret' });
    const body = { accessToken: someone().token(), userID: 'x' };
    expect((await other.call(facebookSignIn, { body })).status).toBe(503);
    expect(other.logLines()).toContain('an identity provider did not answer');
    await other.close();
  });

  it('returns 503 when Facebook does not answer', async () => {
    const hung = createServer(() => undefined);
    await new Promise<void>((ready) => hung.listen(0, '127.0.0.1', ready));
    const { port } = hung.address() as AddressInfo;
    const other = await startApp({ ...facebook.environment, FACEBOOK_GRAPH_URL: `http://127.0.0.1:${port}/v25.0` });
    const refused = await other.call(facebookSignIn, { body: { accessToken: 'hanging' } });
    expect(refused.error).toMatchObject({ message: expect.stringMatching(/^Facebook can't be reached/) });
    await other.close();
    hung.close();
  });
});

describe('signing in with Facebook', () => {
  it('creates a member whose address is verified by an emailed code, never by Facebook’s claim', async () => {
    const { token, userId, email } = someone();
    const { data } = (await signIn(token(), userId)).body;
    if (!('token' in data)) throw new Error('a session was expected');
    expect(data).toMatchObject({
      requiresVerification: true,
      requiresProfileCompletion: true,
      user: { email, firstName: 'Finja', lastName: 'Freund', isEmailVerified: false, emailVerificationSent: true },
    });
    const code = (await test.outbox(email))[0]?.code ?? '';
    expect((await test.call(verifyEmail, { token: data.token, body: { code } })).status).toBe(200);
    expect((await signIn(token(), userId)).body.data).toMatchObject({ requiresVerification: false });
  });

  it('stops working once another person has taken over the account with the emailed link', async () => {
    const { token, userId, email } = someone();
    const { data } = (await signIn(token(), userId)).body;
    if (!('token' in data)) throw new Error('a session was expected');
    const link = linkTokenOf((await test.outbox(email))[0]);
    expect((await test.call(verifyEmail, { body: { token: link } })).error.code).toBe('PROOF_REQUIRED');
    const owner = (await test.call(verifyEmail, { body: { token: link, newPassword } })).body;
    expect(owner.user?._id).toBe(data.user._id);
    expect((await test.call(getProfile, { token: data.token })).status).toBe(401);
    expect((await signIn(token(), userId)).error.code).toBe('LINK_NEEDS_PASSWORD');
  });

  it('accepts a limited login token once', async () => {
    const claims = {
      iss: 'https://www.facebook.com',
      aud: '4711',
      sub: randomUUID(),
      name: 'Lim Ited',
      given_name: null,
    };
    const token = await limited.token(now(), { ...claims, email: newAddress(), email_verified: true });
    expect((await signIn(token, claims.sub)).body.data).toMatchObject({
      requiresVerification: true,
      user: { firstName: 'Lim Ited' },
    });
    expect((await signIn(token, claims.sub)).status).toBe(401);
  });

  it('requests an address if Facebook has none', async () => {
    const { token } = someone(null);
    const { error } = await signIn(token());
    expect(error).toMatchObject({ code: 'JOIN_UNFINISHED', data: { joining: { email: null, isEmailProven: false } } });
    const joinToken = error.data?.joining?.token ?? '';
    const join = (body: object) => test.call(joinWithIdentity, { body: { joinToken, acceptTerms: true, ...body } });
    expect((await join({})).error.errors).toEqual([{ field: 'email', msg: 'This is required' }]);
    const email = newAddress();
    const joined = await join({ email });
    expect(joined.status).toBe(201);
    expect(joined.body.data).toMatchObject({ requiresVerification: true, user: { email, firstName: 'Finja' } });
    expect((await join({ email: newAddress() })).error.code).toBe('INVALID_CODE');
    expect((await signIn(token())).body.data).toMatchObject({ user: { email } });
  });

  it('lets new members choose an address other than Facebook’s', async () => {
    const { token } = someone();
    const { error } = await signIn(token(), undefined, false);
    const body = { joinToken: error.data?.joining?.token ?? '', email: newAddress(), acceptTerms: true };
    expect((await test.call(joinWithIdentity, { body })).body.data).toMatchObject({ user: { email: body.email } });
  });
});

describe('an address from Facebook that belongs to an existing account', () => {
  it('is linked with that account’s password, once', async () => {
    const member = await withPassword();
    const { token } = someone(member.email);
    const { error, status } = await signIn(token());
    expect([status, error.code]).toEqual([409, 'LINK_NEEDS_PASSWORD']);
    const linkToken = error.data?.linkToken ?? '';
    const link = (given: string) => test.call(linkByPassword, { body: { linkToken, password: given } });
    expect((await link('not this one')).error.code).toBe('WRONG_PASSWORD');
    expect((await signIn(token())).status).toBe(409);
    const again = (await signIn(token())).error.data?.linkToken ?? '';
    expect((await link(password)).error.code).toBe('INVALID_CODE');
    const linked = await test.call(linkByPassword, { body: { linkToken: again, password } });
    expect(linked.body.data).toMatchObject({ user: { _id: member.id } });
    expect((await signIn(token())).body.data).toMatchObject({ user: { _id: member.id } });
    expect((await test.outbox(member.email)).map(({ text }) => /sign in with Facebook/i.test(text))).toContain(true);
  });

  it('is not linked by the password alone while a second factor is still required', async () => {
    const member = await withPassword();
    await test.db
      .insertInto('totp_factor')
      .values({ account_id: member.id, sealed_secret: Buffer.from('x'), since: now(), last_step: 0 })
      .execute();
    const { token } = someone(member.email);
    const linkToken = (await signIn(token())).error.data?.linkToken ?? '';
    const { data } = (await test.call(linkByPassword, { body: { linkToken, password } })).body;
    expect(data).toEqual({ totpRequired: true, challenge: expect.any(String) as string });
    expect((await signIn(token())).error.code).toBe('LINK_NEEDS_PASSWORD');
  });

  it('never counts as verified without the emailed code', async () => {
    const member = await withPassword({ verified: false });
    const linkToken = (await signIn(someone(member.email).token())).error.data?.linkToken ?? '';
    const { data } = (await test.call(linkByPassword, { body: { linkToken, password } })).body;
    expect(data).toMatchObject({ requiresVerification: true, user: { _id: member.id, isEmailVerified: false } });
  });

  it('gets the same answer whether it is in use or blocked', async () => {
    const member = await withPassword();
    const staff = await makeAdministrator(test, { passwordHash: await passwordHash() });
    const goneAddress = newAddress();
    const gone = await makeMember(test, { email: goneAddress, deactivated: 'Spam', leaving: true });
    test.clock.advance(15 * 86_400);
    await test.app.background.tasks['auth.endAccounts']?.({}, undefined as never);
    expect(await test.db.selectFrom('account').select('id').where('id', '=', gone.id).execute()).toEqual([]);
    const handles: string[] = [];
    for (const email of [member.email, staff.email, goneAddress]) {
      const { status, error } = await signIn(someone(email).token());
      expect([status, error.code]).toEqual([409, 'LINK_NEEDS_PASSWORD']);
      handles.push(error.data?.linkToken ?? '');
    }
    const answers = [];
    for (const linkToken of handles)
      answers.push((await test.call(linkByPassword, { body: { linkToken, password } })).status);
    expect(answers).toEqual([200, 403, 403]);
    const linked = await test.db
      .selectFrom('identity')
      .select('account_id')
      .where('account_id', '=', staff.id)
      .execute();
    expect(linked).toEqual([]);
  });

  it('is throttled like a password sign-in', async () => {
    const guarded = await startApp({ ...facebook.environment, RATE_LIMITS: 'on' });
    const member = await makeMember(guarded, { passwordHash: await passwordHash() });
    const userId = randomUUID();
    const accessToken = facebook.token({ userId, me: { id: userId, email: member.email } });
    const { error } = await guarded.call(facebookSignIn, { body: { accessToken } });
    const body = { linkToken: error.data?.linkToken ?? '', password: 'not this one' };
    const statuses = [];
    for (let guess = 0; guess < 14; guess += 1) statuses.push((await guarded.call(linkByPassword, { body })).status);
    expect(statuses.filter((status) => status === 403).length).toBeLessThanOrEqual(11);
    expect(statuses.at(-1)).toBe(429);
    expect((await guarded.call(login, { body: { email: member.email, password } })).status).toBe(429);
    await guarded.close();
  });

  it('returns 409 for a typed address five times an hour, then 429', async () => {
    const guarded = await startApp({ ...facebook.environment, RATE_LIMITS: 'on' });
    const statuses = [];
    for (let n = 0; n < 6; n += 1) {
      const { email } = await makeMember(guarded);
      const userId = randomUUID();
      const accessToken = facebook.token({ userId, me: { id: userId } });
      const { error } = await guarded.call(facebookSignIn, { body: { accessToken } });
      const body = { joinToken: error.data?.joining?.token ?? '', email, acceptTerms: true };
      statuses.push((await guarded.call(joinWithIdentity, { body })).status);
    }
    expect(statuses).toEqual([409, 409, 409, 409, 409, 429]);
    await guarded.close();
  });
});

describe('the answer for an address from Facebook that is in use', () => {
  it('is returned five times an hour, then 429 for every new person', async () => {
    const guarded = await startApp({ ...facebook.environment, RATE_LIMITS: 'on' });
    const owner = await makeMember(guarded);
    const withAddress = async (email: string) => {
      const userId = randomUUID();
      const accessToken = facebook.token({ userId, me: { id: userId, email } });
      return await guarded.call(facebookSignIn, { body: { accessToken } });
    };
    for (let n = 0; n < 6; n += 1) expect((await withAddress(newAddress())).error.code).toBe('JOIN_UNFINISHED');
    const answers = await Promise.all(Array.from({ length: 9 }, () => withAddress(owner.email)));
    expect(answers.filter(({ error }) => error.code === 'LINK_NEEDS_PASSWORD')).toHaveLength(5);
    expect((await withAddress(owner.email)).status).toBe(429);
    expect((await withAddress(newAddress())).status).toBe(429);
    await guarded.close();
  });
});

describe('a member who joined through Facebook with someone else’s address', () => {
  it('loses access once the address’s owner sets a password by email', async () => {
    const email = newAddress();
    const squatter = someone(email);
    expect((await signIn(squatter.token())).status).toBe(200);
    test.clock.advance(1);
    const token = await resetTokenFor(test, email);
    expect((await test.call(resetPassword, { body: { token, password: newPassword } })).status).toBe(200);
    expect((await signIn(squatter.token())).error.code).toBe('LINK_NEEDS_PASSWORD');
    expect((await test.call(login, { body: { email, password: newPassword } })).status).toBe(200);
  });
});
