import { randomUUID } from 'node:crypto';
import { type AddressInfo, createServer } from 'node:net';
import { SignJWT, UnsecuredJWT } from 'jose';
import { beforeAll, describe, expect, it } from 'vitest';
import { termsVersion } from '#contract/constants.ts';
import { verifyEmail } from '#contract/auth/auth.ts';
import { googleSignIn, linkByPassword } from '#contract/auth/identities.ts';
import { getProfile } from '#contract/profiles/profiles.ts';
import { makeAdministrator, makeMember, makeModerator } from '../../../../test/factories.ts';
import {
  googleAppId,
  googleClientId,
  type TestIssuer,
  startWithGoogle,
} from '../../../../test/doubles/google-issuer.ts';
import { startApp, type TestApp } from '../../../../test/harness.ts';
import { password, passwordHash } from '../../../../test/guards/people.ts';

let google: TestIssuer;
let test: TestApp;
beforeAll(async () => {
  const started = await startWithGoogle();
  ({ google, test } = started);
  return started.close;
});

const now = () => test.clock.now();
const secondsNow = () => Math.floor(now().getTime() / 1000);
const signIn = (tokenId: string, more: { acceptTerms?: boolean } = { acceptTerms: true }, headers = {}) =>
  test.call(googleSignIn, { body: { tokenId, ...more }, headers });
const someone = () => {
  const sub = randomUUID();
  return { sub, email: `${sub}@gmail.test` };
};
const count = async (table: 'account' | 'identity' | 'session') =>
  Number(
    (
      await test.db
        .selectFrom(table)
        .select((eb) => eb.fn.countAll().as('n'))
        .executeTakeFirstOrThrow()
    ).n,
  );

describe('a forged or foreign Google token', () => {
  const forged = Object.entries<() => Promise<string>>({
    'for another app': () => google.token(now(), { ...someone(), aud: 'another-app' }),
    'of another issuer': () => google.token(now(), { ...someone(), iss: 'https://accounts.evil.test' }),
    'that has expired': () => google.token(now(), { ...someone(), iat: secondsNow() - 3700, exp: secondsNow() - 100 }),
    'issued too long ago': () => google.token(now(), { ...someone(), iat: secondsNow() - 3700 }),
    'issued in the future': () => google.token(now(), { ...someone(), iat: secondsNow() + 600 }),
    'without a signature': () => {
      const { sub, email } = someone();
      const token = new UnsecuredJWT({ sub, email, email_verified: true }).setIssuer(google.url);
      const whole = token
        .setAudience(googleClientId)
        .setIssuedAt(secondsNow())
        .setExpirationTime(secondsNow() + 3600);
      return Promise.resolve(whole.encode());
    },
    'signed with the public key as an HMAC secret': () =>
      new SignJWT({ ...someone(), email_verified: true })
        .setProtectedHeader({ alg: 'HS256', kid: (JSON.parse(google.publicKey()) as { kid: string }).kid })
        .setIssuer(google.url)
        .setAudience(googleClientId)
        .setIssuedAt(secondsNow())
        .setExpirationTime(secondsNow() + 3600)
        .sign(Buffer.from(google.publicKey())),
    'with one letter changed': async () =>
      (await google.token(now())).replace(/.(.{20})$/, (end) => `${end[0] === 'A' ? 'B' : 'A'}${end.slice(1)}`),
    'of an unverified address': () => google.token(now(), { ...someone(), email_verified: false }),
    'whose verification flag is text': () => google.token(now(), { ...someone(), email_verified: 'true' }),
    'without an address': () => google.token(now(), { ...someone(), email: null }),
    'without a subject': () => google.token(now(), { ...someone(), sub: null as unknown as string }),
    'issued to another app for ours': () => google.token(now(), { ...someone(), azp: 'another-app' }),
    'with a nonce that was not issued here': () => google.token(now(), { ...someone(), nonce: randomUUID() }),
    'that is not a token': () => Promise.resolve('not.a.token'),
  });

  it.each(forged)('%s neither opens nor creates an account', async (_, forge) => {
    const before = [await count('account'), await count('identity'), await count('session')];
    const answer = await signIn(await forge());
    expect(answer.error).toMatchObject({ code: 'INVALID_CREDENTIALS' });
    expect(answer.status).toBe(401);
    expect([await count('account'), await count('identity'), await count('session')]).toEqual(before);
  });

  it('is rejected on second use, even in parallel', async () => {
    const { email } = await makeMember(test);
    const token = await google.token(now(), { email });
    const answers = await Promise.all(Array.from({ length: 5 }, () => signIn(token)));
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 401, 401, 401, 401]);
    expect((await signIn(token)).status).toBe(401);
  });

  it('is rejected on second use even with its signature encoded differently', async () => {
    const { email } = await makeMember(test);
    const token = await google.token(now(), { email });
    expect((await signIn(token)).status).toBe(200);
    const last = token.at(-1) ?? '';
    const letters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';
    const spelled = letters[letters.indexOf(last) ^ 1] ?? '';
    for (const again of [`${token.slice(0, -1)}${spelled}`, `${token}=`, `${token}==`, `${token} `, `${token}\n`])
      expect((await signIn(again)).status).toBe(401);
  });

  it('is remembered as used until it expires', async () => {
    const fresh = await startApp(google.environment);
    const token = await google.token(fresh.clock.now());
    expect((await fresh.call(googleSignIn, { body: { tokenId: token, acceptTerms: true } })).status).toBe(200);
    for (const seconds of [3595, 10]) {
      fresh.clock.advance(seconds);
      await fresh.app.background.tasks['auth.cleanUp']?.({}, undefined as never);
      expect((await fresh.call(googleSignIn, { body: { tokenId: token } })).status).toBe(401);
    }
    expect(await fresh.db.selectFrom('used_token').selectAll().execute()).toEqual([]);
    await fresh.close();
  });
});

describe('signing in with Google', () => {
  it('accepts tokens issued to our mobile apps', async () => {
    const token = await google.token(now(), { aud: googleAppId, azp: googleClientId });
    expect((await signIn(token)).status).toBe(200);
  });

  it('creates a member with a verified address and no birth date once the terms are accepted', async () => {
    const { sub, email } = someone();
    const { data } = (await signIn(await google.token(now(), { sub, email: email.toUpperCase() }))).body;
    if (!('token' in data)) throw new Error('a session was expected');
    expect(data).toMatchObject({
      requiresVerification: false,
      requiresProfileCompletion: true,
      onboardingComplete: false,
      user: { email, firstName: 'Gina', lastName: 'Googler', isEmailVerified: true, birthDate: null },
    });
    const consent = await test.db.selectFrom('consent').selectAll().where('account_id', '=', data.user._id).execute();
    expect(consent).toMatchObject([{ kind: 'terms', version: termsVersion, accepted_at: now() }]);
    expect(await test.outbox(email)).toEqual([]);
    expect((await test.call(getProfile, { token: data.token })).status).toBe(200);
  });

  it('recognizes the person even if Google reports another address', async () => {
    const { sub } = someone();
    const first = (await signIn(await google.token(now(), { sub }))).body.data;
    const again = (await signIn(await google.token(now(), { sub, email: 'moved@gmail.test' }), {})).body.data;
    expect('user' in again && 'user' in first && again.user._id === first.user._id).toBe(true);
  });

  it('requires new people to accept the terms before anything is created', async () => {
    const { sub, email } = someone();
    for (const more of [{}, { acceptTerms: false }]) {
      const { error, status } = await signIn(await google.token(now(), { sub, email }), more);
      expect(status).toBe(422);
      expect(error).toMatchObject({
        code: 'JOIN_UNFINISHED',
        data: { joining: { firstName: 'Gina', email, isEmailProven: true } },
      });
    }
    expect(await test.db.selectFrom('account').where('email', '=', email).selectAll().execute()).toEqual([]);
  });

  it('ignores names that are not valid here', async () => {
    const claims = { given_name: 'www.evil.test', name: `\u202eGina ${'x'.repeat(80)}`, family_name: 7 };
    const { data } = (await signIn(await google.token(now(), { ...someone(), ...claims }))).body;
    expect(data).toMatchObject({ user: { firstName: null, lastName: null } });
  });

  it('requires a code if two-step verification is on', async () => {
    const { id, email } = await makeMember(test);
    await test.db
      .insertInto('totp_factor')
      .values({ account_id: id, sealed_secret: Buffer.from('x'), since: now(), last_step: 0 })
      .execute();
    for (const more of [{ email }, { sub: 'of-two-factors', email }, { sub: 'of-two-factors' }]) {
      const answer = await signIn(await google.token(now(), { sub: 'of-two-factors', ...more }), {});
      expect(answer.body.data).toEqual({ totpRequired: true, challenge: expect.any(String) as string });
    }
  });

  it('returns 403 to staff, whether linked or not', async () => {
    for (const staff of [await makeAdministrator(test), await makeModerator(test)]) {
      const { sub } = someone();
      const byAddress = await signIn(await google.token(now(), { sub, email: staff.email }));
      await test.db
        .insertInto('identity')
        .values({ provider: 'google', subject: sub, account_id: staff.id, linked_at: now() })
        .execute();
      const byIdentity = await signIn(await google.token(now(), { sub }));
      for (const { status, error } of [byAddress, byIdentity]) {
        expect([status, error.code]).toEqual([403, 'FORBIDDEN']);
        expect(error.message).not.toMatch(/staff|admin/i);
      }
    }
  });

  it('answers for deactivated and leaving accounts like a password sign-in', async () => {
    const options = { passwordHash: await passwordHash() };
    const deactivated = await makeMember(test, { ...options, deactivated: 'Spam' });
    const leaving = await makeMember(test, { ...options, leaving: true });
    const [one, other] = [
      await signIn(await google.token(now(), { email: deactivated.email })),
      await signIn(await google.token(now(), { email: leaving.email })),
    ];
    expect(one.error).toMatchObject({ code: 'ACCOUNT_DEACTIVATED', message: 'Your account was deactivated: Spam' });
    expect(other.error).toMatchObject({
      code: 'ACCOUNT_LEAVING',
      data: { restoreToken: expect.any(String) as string },
    });
    expect([one.status, other.status]).toEqual([403, 403]);
  });

  it('logs the account id but no token or address', async () => {
    const { sub, email } = someone();
    const token = await google.token(now(), { sub, email });
    const { data } = (await signIn(token)).body;
    const id = 'user' in data ? data.user._id : '';
    const lines = test.logLines();
    expect(lines).toContain(`"accountId":"${id}","provider":"google","what":"joined"`);
    expect([token, email, sub].filter((secret) => lines.includes(secret))).toEqual([]);
  });
});

describe('signing in while Google is unavailable', () => {
  const unavailable = async (jwksUrl: string) => {
    const lost = await startApp({ ...google.environment, GOOGLE_JWKS_URL: jwksUrl });
    const answer = await lost.call(googleSignIn, { body: { tokenId: await google.token(lost.clock.now()) } });
    const accounts = await lost.db.selectFrom('account').selectAll().execute();
    await lost.close();
    expect(answer.status).toBe(503);
    expect(answer.error.message).toMatch(/^Google can't be reached right now/);
    expect(Number(answer.headers['retry-after'])).toBeGreaterThan(0);
    expect(accounts).toEqual([]);
  };

  it('returns 503 when nothing answers', async () => {
    await unavailable('http://127.0.0.1:9/jwks');
  });

  it('returns 503 when the answer is malformed', async () => {
    await unavailable(`${google.url}/.well-known/openid-configuration`);
    await unavailable(`${google.url}/nothing-here`);
  });

  it('returns 503 when Google does not answer', async () => {
    const hung = createServer(() => undefined);
    await new Promise<void>((ready) => hung.listen(0, '127.0.0.1', ready));
    const { port } = hung.address() as AddressInfo;
    await unavailable(`http://127.0.0.1:${port}/jwks`);
    hung.close();
  });
});

let people = 0;
const addressAt = (domain: string) => `person${(people += 1)}@${domain}`;
const signInAs = async (email: string, hd: unknown) =>
  signIn(await google.token(now(), { sub: randomUUID(), email, hd }));
const identitiesOf = (id: string) =>
  test.db.selectFrom('identity').select('provider').where('account_id', '=', id).execute();

const vouched: [string, string, unknown][] = [
  ['at gmail.com', 'gmail.com', null],
  ['at googlemail.com', 'googlemail.com', null],
  ['of the Workspace that manages the account', 'company.test', 'company.test'],
  ['of the Workspace, written in capitals', 'company.test', 'Company.Test'],
];
const unvouched: [string, string, unknown][] = [
  ['at another domain', 'company.test', null],
  ['of another Workspace', 'company.test', 'other.test'],
  ['below the domain of the Workspace', 'mail.company.test', 'company.test'],
  ['above the domain of the Workspace', 'company.test', 'mail.company.test'],
  ['that only starts with gmail.com', 'gmail.com.company.test', null],
  ['that only ends in gmail.com', 'notgmail.com', null],
  ['of a Workspace at gmail.com', 'company.test', 'gmail.com'],
  ['with an empty Workspace', 'company.test', ''],
  ['with a Workspace that is not text', 'company.test', true],
];

describe('an address that Google is authoritative for', () => {
  it.each(vouched)('%s is linked to the account that uses it', async (_, domain, hd) => {
    const owner = await makeMember(test, { email: addressAt(domain), passwordHash: await passwordHash() });
    expect((await signInAs(owner.email, hd)).body.data).toMatchObject({ user: { _id: owner.id } });
    expect(await identitiesOf(owner.id)).toHaveLength(1);
  });

  it.each(vouched)('%s is verified on joining', async (_, domain, hd) => {
    expect((await signInAs(addressAt(domain), hd)).body.data).toMatchObject({ requiresVerification: false });
  });
});

describe('an address that Google verified only once', () => {
  it.each(unvouched)('%s requires the password of the account that uses it', async (_, domain, hd) => {
    const owner = await makeMember(test, { email: addressAt(domain), passwordHash: await passwordHash() });
    const { status, error } = await signInAs(owner.email, hd);
    expect([status, error.code]).toEqual([409, 'LINK_NEEDS_PASSWORD']);
    expect(await identitiesOf(owner.id)).toEqual([]);
    const linkToken = error.data?.linkToken ?? '';
    const wrong = await test.call(linkByPassword, { body: { linkToken, password: 'a wrong guess' } });
    expect(wrong.error.code).toBe('WRONG_PASSWORD');
    const linked = await test.call(linkByPassword, { body: { linkToken, password } });
    expect(linked.body.data).toMatchObject({ user: { _id: owner.id } });
  });

  it.each(unvouched)('%s is verified by an emailed code on joining', async (_, domain, hd) => {
    const email = addressAt(domain);
    const { data } = (await signInAs(email, hd)).body;
    expect(data).toMatchObject({ requiresVerification: true, user: { isEmailVerified: false } });
    const token = 'token' in data ? data.token : '';
    const code = (await test.outbox(email))[0]?.code ?? '';
    expect((await test.call(verifyEmail, { token, body: { code } })).status).toBe(200);
    expect((await test.call(getProfile, { token })).body.userData.user.isEmailVerified).toBe(true);
  });

  it('does not take over an unverified account', async () => {
    const owner = await makeMember(test, {
      email: addressAt('company.test'),
      passwordHash: await passwordHash(),
      verified: false,
    });
    expect((await signInAs(owner.email, null)).error.code).toBe('LINK_NEEDS_PASSWORD');
    expect((await test.call(getProfile, { token: owner.token })).status).toBe(200);
  });
});
