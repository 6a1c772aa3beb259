import { beforeAll, describe, expect, it } from 'vitest';
import { resendVerification, resetPassword, verifyEmail } from '#contract/auth/auth.ts';
import { addIdentity, googleSignIn } from '#contract/auth/identities.ts';
import { login, refreshToken } from '#contract/auth/session.ts';
import { subscribePush } from '#contract/notifications.ts';
import { getProfile } from '#contract/profiles/profiles.ts';
import { type TestIssuer, startWithGoogle } from '../../../../test/doubles/google-issuer.ts';
import { placeFactor, placePasskey, signInByPasskey } from '../../../../test/factors.ts';
import { browserSubscription } from '../../../../test/guards/cases/notifications.ts';
import { newPassword, password } from '../../../../test/guards/people.ts';
import { registerNewcomer, resetTokenFor } from '../../../../test/guards/requests.ts';
import type { TestApp } from '../../../../test/harness.ts';
import { tokenIn } from '../../../../test/mail/link-token.ts';
import { sessionIn } from '../../../../test/session-in.ts';

let google: TestIssuer;
let people = 0;
let test: TestApp;
beforeAll(async () => {
  const started = await startWithGoogle({ PUBLIC_URL: 'http://localhost:3000' });
  ({ google, test } = started);
  return started.close;
});

const verify = (body: { token: string; password?: string; newPassword?: string }, token?: string) =>
  test.call(verifyEmail, { body, ...(token === undefined ? {} : { token }) });
const statusOf = async (token: string) => (await test.call(getProfile, { token })).status;
const thiefsGoogle = async () => google.token(test.clock.now(), { sub: 'the-thief', email: 'thief@gmail.com' });

describe('the link that verifies a new account', () => {
  it('is not enough by itself, and stays valid', async () => {
    const person = await registerNewcomer(test);
    const other = await registerNewcomer(test);
    for (const token of [undefined, other.token, undefined]) {
      const { status, error } = await verify({ token: person.linkToken }, token);
      const proof = { purpose: 'join', hasPassword: true };
      expect({ status, error }).toMatchObject({ status: 403, error: { code: 'PROOF_REQUIRED', data: { proof } } });
    }
    expect((await test.call(getProfile, { token: person.token })).body.userData.user.isEmailVerified).toBe(false);
    expect((await verify({ token: person.linkToken }, person.token)).status).toBe(200);
  });

  it('stays valid after a wrong password or a rejected new one', async () => {
    const { linkToken: token, email } = await registerNewcomer(test);
    expect((await verify({ token, password: 'a wrong guess' })).error.code).toBe('WRONG_PASSWORD');
    expect((await verify({ token, password: 'a wrong guess', newPassword })).error.code).toBe('WRONG_PASSWORD');
    expect((await verify({ token, newPassword: 'heartwood-heartwood' })).error.code).toBe('PASSWORD_REFUSED');
    expect((await test.call(login, { body: { email, password } })).status).toBe(200);
    const verified = await verify({ token, newPassword });
    expect(verified.body.user).toMatchObject({ email, isEmailVerified: true });
    expect((await verify({ token, newPassword })).error.code).toBe('INVALID_CODE');
  });

  it('signs in with the password and keeps the other sign-in methods', async () => {
    const person = await registerNewcomer(test);
    const { authenticator } = await placePasskey(test, person.user._id);
    const verified = await verify({ token: person.linkToken, password });
    expect(await statusOf(verified.body.token ?? '')).toBe(200);
    expect(await statusOf(person.token)).toBe(401);
    expect((await signInByPasskey(test, authenticator)).status).toBe(200);
  });

  it('removes all earlier sign-in methods when a new password is set', async () => {
    const person = await registerNewcomer(test);
    const { _id: id } = person.user;
    const { authenticator } = await placePasskey(test, id);
    await placeFactor(test, id);
    await test.db
      .insertInto('identity')
      .values({ provider: 'google', subject: 'the-thief', account_id: id, linked_at: test.clock.now() })
      .execute();
    await test.call(subscribePush, { token: person.token, body: browserSubscription() });
    const reset = await resetTokenFor(test, person.email);
    const taken = await verify({ token: person.linkToken, newPassword });
    expect(await statusOf(taken.body.token ?? '')).toBe(200);
    expect(await statusOf(person.token)).toBe(401);
    const { refreshToken: old } = person;
    expect((await test.call(refreshToken, { body: { refreshToken: old } })).status).toBe(401);
    expect((await test.call(login, { body: { email: person.email, password } })).status).toBe(401);
    const signedIn = await test.call(login, { body: { email: person.email, password: newPassword } });
    expect(sessionIn(signedIn.body).user._id).toBe(id);
    expect((await signInByPasskey(test, authenticator)).status).toBe(401);
    const byGoogle = await test.call(googleSignIn, { body: { tokenId: await thiefsGoogle() } });
    expect(byGoogle.error.code).toBe('JOIN_UNFINISHED');
    expect((await test.call(resetPassword, { body: { token: reset, password } })).error.code).toBe('INVALID_CODE');
    for (const table of ['identity', 'passkey', 'totp_factor', 'push_subscription'] as const)
      expect(await test.db.selectFrom(table).select('account_id').where('account_id', '=', id).execute()).toEqual([]);
    const devices = await test.db.selectFrom('known_device').selectAll().where('account_id', '=', id).execute();
    expect(devices).toHaveLength(1);
  });
});

/** An account with every possible sign-in method, set up before its address was ever verified. */
async function joinedBefore() {
  const person = await registerNewcomer(test);
  const { _id: id } = person.user;
  people += 1;
  const subject = `joined-before-${people}`;
  await test.db
    .insertInto('identity')
    .values({ provider: 'google', subject, account_id: id, linked_at: test.clock.now() })
    .execute();
  return { ...person, id, subject, authenticator: (await placePasskey(test, id)).authenticator };
}
type Joined = Awaited<ReturnType<typeof joinedBefore>>;

/** A handle and code that were mailed because someone typed the address. */
async function resentTo({ email }: Joined) {
  test.clock.advance(61);
  const { verificationToken = '' } = (await test.call(resendVerification, { body: { email } })).body;
  await test.drain();
  return { verificationToken, code: (await test.outbox(email))[0]?.code ?? '' };
}

/** The ways to verify an address for the first time, and the sign-in methods that still work afterwards. */
const proofs: { proof: string; prove: (joined: Joined) => Promise<unknown>; stay: string[] }[] = [
  {
    proof: 'the link and the session',
    prove: ({ token, linkToken }) => verify({ token: linkToken }, token),
    stay: ['password', 'identity', 'passkey', 'session'],
  },
  {
    proof: 'the code and the session',
    prove: ({ token, code }) => test.call(verifyEmail, { token, body: { code } }),
    stay: ['password', 'identity', 'passkey', 'session'],
  },
  {
    proof: 'the link and the password',
    prove: ({ linkToken }) => verify({ token: linkToken, password }),
    stay: ['password', 'identity', 'passkey'],
  },
  {
    proof: 'the code and the handle of joining',
    prove: ({ verificationToken, code }) => test.call(verifyEmail, { body: { verificationToken, code } }),
    stay: ['password', 'identity', 'passkey'],
  },
  {
    proof: 'a resent code and the password',
    prove: async (joined) => test.call(verifyEmail, { body: { ...(await resentTo(joined)), password } }),
    stay: ['password', 'identity', 'passkey'],
  },
  {
    proof: 'the link and a new password',
    prove: ({ linkToken }) => verify({ token: linkToken, newPassword }),
    stay: [],
  },
  {
    proof: 'the code, the handle of joining and a new password',
    prove: ({ verificationToken, code }) => test.call(verifyEmail, { body: { verificationToken, code, newPassword } }),
    stay: [],
  },
  {
    proof: 'a resent code and a new password',
    prove: async (joined) => test.call(verifyEmail, { body: { ...(await resentTo(joined)), newPassword } }),
    stay: [],
  },
  {
    proof: 'a password reset',
    prove: async ({ email }) =>
      test.call(resetPassword, { body: { token: await resetTokenFor(test, email), password: newPassword } }),
    stay: [],
  },
  {
    proof: 'Google',
    prove: async ({ email }) =>
      test.call(googleSignIn, { body: { tokenId: await google.token(test.clock.now(), { email }) } }),
    stay: [],
  },
];

describe('the first verification of an address', () => {
  it.each(proofs)('by $proof keeps these sign-in methods: $stay', async ({ prove, stay }) => {
    const joined = await joinedBefore();
    expect(await prove(joined)).toMatchObject({ status: 200 });
    const byPassword = await test.call(login, { body: { email: joined.email, password } });
    const byIdentity = await test.call(googleSignIn, {
      body: { tokenId: await google.token(test.clock.now(), { sub: joined.subject, email: 'thief@gmail.com' }) },
    });
    const works = {
      password: byPassword.status === 200,
      identity: byIdentity.status === 200,
      passkey: (await signInByPasskey(test, joined.authenticator)).status === 200,
      session: (await statusOf(joined.token)) === 200,
    };
    expect(Object.entries(works).flatMap(([way, isOpen]) => (isOpen ? [way] : []))).toEqual(stay);
    const proven = test.db.selectFrom('account').select('email_verified_at').where('id', '=', joined.id);
    expect((await proven.executeTakeFirstOrThrow()).email_verified_at).toEqual(test.clock.now());
  });

  it('by a resent code alone changes nothing', async () => {
    const joined = await joinedBefore();
    const { error } = await test.call(verifyEmail, { body: await resentTo(joined) });
    expect(error.code).toBe('PROOF_REQUIRED');
    expect((await test.call(getProfile, { token: joined.token })).body.userData.user.isEmailVerified).toBe(false);
  });
});

describe('someone who joined with another person’s address', () => {
  it('cannot add a sign-in method, and none works after the owner has set a password', async () => {
    const thief = await registerNewcomer(test);
    const body = { tokenId: await thiefsGoogle(), password };
    expect((await test.call(addIdentity, { token: thief.token, body })).error.code).toBe('EMAIL_NOT_VERIFIED');
    expect((await verify({ token: thief.linkToken, newPassword })).status).toBe(200);
    const link = await test.call(addIdentity, { token: thief.token, body });
    expect(link.status).toBe(401);
  });

  it('cannot sign in with the Google account they joined with', async () => {
    const email = 'not-google@elsewhere.test';
    const claims = { sub: 'joined-with-google', email, hd: null };
    const tokenOf = () => google.token(test.clock.now(), claims);
    const joined = await test.call(googleSignIn, { body: { tokenId: await tokenOf(), acceptTerms: true } });
    expect(joined.body.data).toMatchObject({ requiresVerification: true });
    const [mail] = await test.outbox(email);
    const token = tokenIn(mail?.links[0]) ?? '';
    expect((await verify({ token, newPassword })).status).toBe(200);
    const again = await test.call(googleSignIn, { body: { tokenId: await tokenOf() } });
    expect([again.status, again.error.code]).toEqual([409, 'LINK_NEEDS_PASSWORD']);
  });
});
