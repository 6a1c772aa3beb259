import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { houseSignIn, linkHouse, startHouse } from '#contract/auth/house.ts';
import { removePasskey } from '#contract/auth/passkeys.ts';
import { login } from '#contract/auth/session.ts';
import { loginWithCode } from '#contract/auth/factors.ts';
import { getConfig } from '#contract/system.ts';
import {
  beginAt,
  houseClient,
  type HouseProvider,
  refusal,
  signInAt,
  someoneInHouse,
  startWithHouse,
} from '../../../../test/doubles/house-provider.ts';
import { makeAdministrator, makeMember } from '../../../../test/factories.ts';
import {
  assertionOf,
  codeAt,
  makePasskey,
  placePasskey,
  signInByPasskey,
  signInTwice,
  turnOn,
} from '../../../../test/factors.ts';
import { password, passwordHash } from '../../../../test/guards/people.ts';
import { startApp, type TestApp } from '../../../../test/harness.ts';

let provider: HouseProvider;
let test: TestApp;
let close: () => Promise<void>;
beforeAll(async () => {
  ({ provider, test, close } = await startWithHouse({ STAFF_MFA: 'on', PUBLIC_URL: 'http://localhost:3000' }));
});
afterAll(() => close());
beforeEach(() => {
  provider.says = someoneInHouse();
  provider.saysMore = {};
  provider.answers = null;
});

const signIn = () => signInAt(test, provider);
const accountCount = async () => (await test.db.selectFrom('account').select('id').execute()).length;
const staffRoleOf = async (email: unknown) =>
  (await test.db.selectFrom('account').select('staff_role').where('email', '=', String(email)).executeTakeFirst())
    ?.staff_role;
const auditOf = async (id: string) =>
  (
    await test.db
      .selectFrom('audit_event')
      .select(['action', 'actor_name', 'changes'])
      .where('target_id', '=', id)
      .orderBy('id')
      .execute()
  ).map(({ action, actor_name, changes }) => [action, actor_name, changes]);

const newestSession = (id: string) =>
  test.db
    .selectFrom('session')
    .select(['house_confirmed_at', 'house_grant'])
    .where('account_id', '=', id)
    .orderBy('created_at', 'desc')
    .executeTakeFirstOrThrow();
const ofTheHouse = () => ({ house_confirmed_at: test.clock.now(), house_grant: expect.any(Buffer) as unknown });

/** The token in a signed-in answer, and the id of its account. */
function signedIn({ status, body }: Pick<Awaited<ReturnType<typeof signIn>>, 'status' | 'body'>) {
  expect(status).toBe(200);
  if (!('token' in body.data)) throw new Error('a code is required');
  return { ...body.data, id: body.data.user._id };
}

describe('signing in with the house’s account', () => {
  it('is offered under the house’s name, and hidden when it is off', async () => {
    expect((await test.call(getConfig)).body.data.house).toEqual({ name: 'Acme' });
    const off = await startApp();
    expect((await off.call(getConfig)).body.data.house).toBeNull();
    expect((await off.call(startHouse)).status).toBe(404);
    await off.close();
  });

  it('requests a code with PKCE, and never reveals the verifier or the cookie’s nonce', async () => {
    const { url, cookie } = await beginAt(test);
    const asked = Object.fromEntries(new URL(url).searchParams);
    expect(asked).toMatchObject({
      response_type: 'code',
      code_challenge_method: 'S256',
      client_id: houseClient.id,
      redirect_uri: 'http://localhost:3000/login',
      scope: 'openid email profile',
    });
    const nonce = cookie.split('=')[1]?.split('.')[0] ?? '';
    expect(nonce).toHaveLength(43);
    expect(url).not.toContain(nonce);
  });

  it('creates a staff account with the role of the first group in the settings, and audits it', async () => {
    provider.says['groups'] = ['helpdesk', 'leads', 'choir'];
    const { id, user, requiresSecondFactor } = signedIn(await signIn());
    expect(user).toMatchObject({ staffRole: 'senior', firstName: 'Ada', email: provider.says['email'] });
    expect(requiresSecondFactor).toBe(false);
    expect(await auditOf(id)).toEqual([
      ['administrator.created', 'Acme', { staffRole: { from: null, to: 'senior' } }],
      ['staff.signedIn', 'Ada', null],
    ]);
  });

  it('recognizes people by issuer and subject, even if their address has changed', async () => {
    const { id } = signedIn(await signIn());
    provider.says['email'] = 'renamed@acme.test';
    expect(signedIn(await signIn())).toMatchObject({ id });
  });

  it('reads groups that only the user info endpoint returns, for the same subject only', async () => {
    provider.says = someoneInHouse({ groups: undefined });
    provider.saysMore = { groups: ['leads'] };
    expect(signedIn(await signIn()).user.staffRole).toBe('senior');
    provider.saysMore = { groups: ['leads'], sub: 'someone else' };
    expect((await signIn()).status).toBe(401);
  });

  it.each([
    ['no groups', []],
    ['other groups', ['choir', 'Helpdesk', 'helpdesk ']],
    ['a group in another form', [{ name: 'helpdesk' }]],
    ['the groups claim missing', undefined],
  ])('refuses strangers with %s, and stores nothing', async (_what, groups) => {
    provider.says['groups'] = groups;
    const before = await accountCount();
    const { status, error } = await signIn();
    expect([status, error.code]).toEqual([403, 'FORBIDDEN']);
    expect(await accountCount()).toBe(before);
  });

  it('changes the role with the groups, which ends all sessions, and removes it with the last group', async () => {
    await makeAdministrator(test);
    const { id, token } = signedIn(await signIn());
    provider.says['groups'] = ['directors'];
    expect(signedIn(await signIn()).user.staffRole).toBe('admin');
    expect((await test.call(linkHouse, { token, body: { linkToken: 'x' } })).status).toBe(401);
    provider.says['groups'] = [];
    expect((await signIn()).status).toBe(403);
    expect(await staffRoleOf(provider.says['email'])).toBeNull();
    expect(await test.db.selectFrom('session').select('id').where('account_id', '=', id).execute()).toEqual([]);
    expect((await auditOf(id)).slice(2)).toEqual([
      ['role.changed', 'Acme', { staffRole: { from: 'support', to: 'admin' } }],
      ['staff.signedIn', 'Ada', null],
      ['role.changed', 'Acme', { staffRole: { from: 'admin', to: null } }],
    ]);
  });

  it('does not return a role to someone who has since become a member', async () => {
    const { id } = signedIn(await signIn());
    provider.says['groups'] = [];
    await signIn();
    await test.sql`update profile set gender = 'woman', birth_date = '1990-05-05', seeking = '{man}', city = 'Prague', picture_count = 1
      where account_id = ${id}`;
    provider.says['groups'] = ['helpdesk'];
    expect((await signIn()).status).toBe(403);
    expect(await staffRoleOf(provider.says['email'])).toBeNull();
  });

  it('rejects deactivated accounts, but still updates their role', async () => {
    const { id } = signedIn(await signIn());
    await test.db
      .updateTable('account')
      .set({ is_active: false, deactivated_at: test.clock.now(), deactivation_reason: 'Left' })
      .where('id', '=', id)
      .execute();
    expect((await signIn()).error.code).toBe('ACCOUNT_DEACTIVATED');
    provider.says['groups'] = [];
    await signIn();
    expect(await staffRoleOf(provider.says['email'])).toBeNull();
  });
});

type Claims = Record<string, unknown>;
type Lie = NonNullable<HouseProvider['answers']>;
const says =
  (changes: Claims): Lie =>
  (answer, claims, tokens) => {
    answer.body['id_token'] = tokens.own({ ...claims, ...changes });
  };
const seconds = (from: number) => Math.floor(Date.now() / 1000) + from;

describe('a hostile token', () => {
  it.each<[string, Lie]>([
    ['signed with a key that the provider no longer has', (a, c, t) => (a.body['id_token'] = t.byFormerKey(c))],
    ['signed by a stranger under the provider’s key id', (a, c, t) => (a.body['id_token'] = t.byStranger(c))],
    ['without a signature (alg none)', (a, c, t) => (a.body['id_token'] = t.unsigned(c))],
    [
      'signed with the client’s secret (HS256)',
      (a, c, t) => (a.body['id_token'] = t.byPassword(c, houseClient.secret)),
    ],
    ['signed with the public key (HS256)', (a, c, t) => (a.body['id_token'] = t.byPassword(c, provider.publicKey))],
    [
      'changed after it was signed',
      (a, c, t) => {
        const [head, , signature] = t.own(c).split('.');
        const changed = Buffer.from(JSON.stringify({ ...c, groups: ['chiefs'] })).toString('base64url');
        a.body['id_token'] = `${head}.${changed}.${signature}`;
      },
    ],
    ['that has expired', says({ exp: seconds(-60) })],
    ['that never expires', says({ exp: undefined })],
    ['that isn’t valid yet', says({ nbf: seconds(600) })],
    ['without the time of its issue', says({ iat: undefined })],
    ['for another client', says({ aud: 'another-client' })],
    ['for several clients', says({ aud: [houseClient.id, 'another-client'] })],
    ['for us, but given to another client', says({ aud: [houseClient.id, 'another-client'], azp: 'another-client' })],
    ['for no one', says({ aud: undefined })],
    ['of another issuer', says({ iss: 'https://accounts.google.com' })],
    ['of an issuer whose name begins alike', (a, c, t) => says({ iss: `${provider.url}.example.org` })(a, c, t)],
    ['without a nonce', says({ nonce: undefined })],
    ['with the nonce of another sign-in', says({ nonce: randomUUID() })],
    ['without a subject', says({ sub: undefined })],
    ['with an empty subject', says({ sub: '' })],
    ['with an endless subject', says({ sub: 'x'.repeat(256) })],
    ['that is none', (a) => (a.body['id_token'] = 'not.a.token')],
    ['that is missing', (a) => delete a.body['id_token']],
  ])('%s is refused and leaves nothing behind', async (_what, lie) => {
    provider.answers = lie;
    const before = await accountCount();
    const { status, error } = await signIn();
    expect([status, error.code]).toEqual([401, 'INVALID_CREDENTIALS']);
    expect(await accountCount()).toBe(before);
  });
});

describe('a hostile return', () => {
  /** A browser that came back from the provider, before its page calls the service. */
  async function back() {
    const { url, cookie } = await beginAt(test);
    return { cookie, body: await provider.visit(url) };
  }
  type Back = Awaited<ReturnType<typeof back>>;
  const tell = ({ cookie, body }: Back) => test.call(houseSignIn, { body, headers: { cookie } });

  it.each<[string, (one: Back, other: Back) => unknown]>([
    ['without the cookie', (one) => (one.cookie = '')],
    ['with the cookie of another browser', (one, other) => (one.cookie = other.cookie)],
    ['with a cookie that someone made up', (one) => (one.cookie = one.cookie.replace(/\.[\w-]+$/, '.AAAA'))],
    ['with a nonce that was meant for Google', (one) => (one.cookie = one.cookie.replace('house', 'nonce'))],
    ['with the state of another browser', (one, other) => (one.body.state = other.body.state)],
    ['with the code of another browser', (one, other) => (one.body.code = other.body.code)],
    ['with a made-up code', (one) => (one.body.code = 'stolen')],
    ['from another issuer', (one) => (one.body.iss = 'https://evil.test')],
    ['ten minutes late', () => test.clock.advance(601)],
  ])('%s is refused', async (_what, spoil) => {
    const [one, other] = [await back(), await back()];
    provider.answers = (answer, claims, tokens) => {
      // The provider's answer to a code that isn't this client's or browser's.
      if (claims['nonce'] === undefined) Object.assign(answer, refusal('invalid_grant'));
      else answer.body['id_token'] = tokens.own(claims);
    };
    spoil(one, other);
    const before = await accountCount();
    expect((await tell(one)).status).toBeGreaterThanOrEqual(401);
    expect(await accountCount()).toBe(before);
  });

  it('is rejected the second time, with the same code or a new one', async () => {
    const one = await back();
    expect((await tell(one)).status).toBe(200);
    expect((await tell(one)).status).toBe(401);
    const other = await back();
    expect((await tell({ ...one, body: { ...one.body, code: other.body.code } })).status).toBe(401);
  });

  it('is accepted only once when it arrives twice at the same time', async () => {
    const one = await back();
    const answers = await Promise.all([tell(one), tell(one)]);
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 401]);
  });
});

describe('an address that already has an account here', () => {
  it('never turns a member into staff', async () => {
    const member = await makeMember(test);
    provider.says['email'] = member.email;
    const { status, error } = await signIn();
    expect([status, error.code, error.data]).toEqual([409, 'CONFLICT', undefined]);
    expect(await staffRoleOf(member.email)).toBeNull();
  });

  it.each([false, undefined, 'true'])('is not accepted unless the provider confirms it: %s', async (confirmed) => {
    provider.says['email_verified'] = confirmed;
    expect((await signIn()).status).toBe(403);
  });

  /** A colleague with a password and two-step verification, and the token that links the house's account to theirs. */
  async function colleague() {
    const someone = await makeAdministrator(test, { passwordHash: await passwordHash() });
    const factors = await turnOn(test, someone, password);
    provider.says = someoneInHouse({ email: someone.email, groups: ['directors'] });
    const { error } = await signIn();
    expect([error.code, error.data?.linkToken]).toEqual(['LINK_NEEDS_PASSWORD', expect.any(String)]);
    return { ...someone, ...factors, linkToken: error.data?.linkToken ?? '' };
  }

  /** The session that the password and a code open. */
  const byPassword = async ({ email, secret }: { email: string; secret: string }) =>
    (await signInTwice(test, email, password, codeAt(secret, test.clock.now()))).body.data;

  it('can be linked once, only by its colleague, who then signs in only with the house’s account', async () => {
    const one = await colleague();
    const { token } = await byPassword(one);
    const other = await makeAdministrator(test);
    const link = (by: string) => test.call(linkHouse, { token: by, body: { linkToken: one.linkToken } });
    await test.db.updateTable('session').set({ second_factor: true }).where('account_id', '=', other.id).execute();
    expect((await link(other.token)).status).toBe(403);
    expect((await link(token)).status).toBe(200);
    // The account is signed out everywhere.
    expect((await link(token)).status).toBe(401);
    expect(signedIn(await signIn()).id).toBe(one.id);
    const refused = await test.call(login, { body: { email: one.email, password } });
    expect([refused.status, refused.error.message]).toEqual([403, 'Please sign in with Acme.']);
    expect((await auditOf(one.id)).map(([action]) => action)).toEqual(['staff.linked', 'staff.signedIn']);
    expect((await test.outbox(one.email))[0]?.text).toContain('Acme');
  });

  it('is linked only with a fresh sign-in, within a quarter of an hour', async () => {
    const one = await colleague();
    const { token } = await byPassword(one);
    test.clock.advance(601);
    const link = (linkToken = one.linkToken) => test.call(linkHouse, { token, body: { linkToken } });
    expect((await link()).error.code).toBe('PROOF_REQUIRED');
    expect((await link('made up')).error.code).toBe('INVALID_CODE');
    test.clock.advance(300);
    expect((await link()).error.code).toBe('INVALID_CODE');
  });

  it('offers no link that would lower a role', async () => {
    const someone = await makeMember(test, { staffRole: 'owner' });
    provider.says['email'] = someone.email;
    const { status, error } = await signIn();
    expect([status, error.data]).toEqual([403, undefined]);
  });
});

describe('the second factor', () => {
  it.each([
    [['pwd', 'otp'], false],
    [['mfa'], false],
    [['pwd'], true],
    [['otp'], true],
    [['pwd', 'sms'], true],
    [undefined, true],
    ['mfa', false],
  ])('is skipped only if the provider confirms one: %j', async (amr, isRequired) => {
    provider.says['amr'] = amr;
    expect(signedIn(await signIn()).requiresSecondFactor).toBe(isRequired);
  });

  it('is otherwise requested here, and the session still belongs to the house', async () => {
    const { id, token } = signedIn(await signIn());
    const { secret } = await turnOn(test, { token }, {});
    provider.says['amr'] = ['pwd'];
    const { body } = await signIn();
    if (!('challenge' in body.data)) throw new Error('no code is required');
    const { challenge } = body.data;
    const { data } = (await test.call(loginWithCode, { body: { challenge, code: codeAt(secret, test.clock.now()) } }))
      .body;
    expect(await newestSession(id)).toEqual(ofTheHouse());
    expect(data.user.staffRole).toBe('support');
  });

  /** A person of the house with a passkey, whose provider checks only a password, and the challenge of their next sign-in. */
  async function passkeyOwner() {
    provider.says['amr'] = ['pwd'];
    const { id, token } = signedIn(await signIn());
    const tokens = { token };
    const { authenticator, id: passkeyId } = await makePasskey(test, tokens, {});
    const next = async () => {
      const { data } = (await signIn()).body;
      if (!('passkeyRequired' in data)) throw new Error('no passkey is required');
      return data.challenge;
    };
    return { id, authenticator, next, tokens, passkeyId };
  }

  it('is a passkey if there is one, at every sign-in, and the session still belongs to the house', async () => {
    const { id, authenticator, next } = await passkeyOwner();
    for (const _time of [1, 2]) {
      const answer = await signInByPasskey(test, authenticator, {}, await next());
      expect(signedIn(answer)).toMatchObject({ id, requiresSecondFactor: false });
      expect(await newestSession(id)).toEqual(ofTheHouse());
    }
  });

  it('can be removed, because the house’s account remains, and is set up again at the next sign-in', async () => {
    const { authenticator, tokens, passkeyId } = await passkeyOwner();
    const body = { passkey: await assertionOf(test, authenticator) };
    const removed = await test.call(removePasskey, { ...tokens, params: { id: passkeyId }, body });
    expect(removed.status).toBe(200);
    expect(signedIn(await signIn()).requiresSecondFactor).toBe(true);
  });

  it('cannot be someone else’s passkey, a copy, a late one, or one without the house’s account', async () => {
    const { authenticator, next } = await passkeyOwner();
    const challenge = await next();
    const other = await placePasskey(test, (await makeMember(test)).id);
    const refusals = [
      await signInByPasskey(test, other.authenticator, {}, challenge),
      await signInByPasskey(test, authenticator, {}, 'made up'),
      await signInByPasskey(test, authenticator),
      await signInByPasskey(test, authenticator, { counter: 1 }, challenge),
    ];
    expect(refusals.map(({ error }) => error.code)).toEqual([
      'INVALID_CREDENTIALS',
      'CHALLENGE_EXPIRED',
      'FORBIDDEN',
      'INVALID_CREDENTIALS',
    ]);
    expect((await signInByPasskey(test, authenticator, {}, challenge)).status).toBe(200);
    expect((await signInByPasskey(test, authenticator, {}, challenge)).error.code).toBe('CHALLENGE_EXPIRED');
    const late = await next();
    test.clock.advance(601);
    expect((await signInByPasskey(test, authenticator, {}, late)).error.code).toBe('CHALLENGE_EXPIRED');
  });
});
