import { randomUUID } from 'node:crypto';
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import {
  changeEmail,
  forgotPassword,
  leaveService,
  register,
  restoreAccount,
  verifyEmail,
} from '#contract/auth/auth.ts';
import { googleSignIn, joinWithIdentity, linkByPassword } from '#contract/auth/identities.ts';
import { getProfile } from '#contract/profiles/profiles.ts';
import { login, refreshToken } from '#contract/auth/session.ts';
import { makeMember } from '../../../../test/factories.ts';
import { type TestIssuer, startWithGoogle } from '../../../../test/doubles/google-issuer.ts';
import type { TestApp } from '../../../../test/harness.ts';
import { newAddress, newPassword, password, passwordHash } from '../../../../test/guards/people.ts';
import { linkTokenOf } from '../../../../test/guards/requests.ts';

let google: TestIssuer;
let test: TestApp;
beforeAll(async () => {
  const started = await startWithGoogle();
  ({ google, test } = started);
  return started.close;
});
beforeEach(() => test.clock.advance(120));

const tokenOf = (email: string, sub: string = randomUUID(), more = {}) =>
  google.token(test.clock.now(), { email, sub, ...more });
const signIn = async (email: string, sub?: string, acceptTerms = false) =>
  test.call(googleSignIn, { body: { tokenId: await tokenOf(email, sub), acceptTerms } });
const identities = (accountId: string) =>
  test.db.selectFrom('identity').select(['provider', 'subject']).where('account_id', '=', accountId).execute();

describe('an address verified by both Google and this service', () => {
  it('is linked automatically, and the owner is emailed', async () => {
    const member = await makeMember(test, { passwordHash: await passwordHash() });
    const { data } = (await signIn(member.email, 'one-and-the-same')).body;
    expect(data).toMatchObject({ user: { _id: member.id } });
    expect(await identities(member.id)).toEqual([{ provider: 'google', subject: 'one-and-the-same' }]);
    expect((await test.outbox(member.email)).map(({ text }) => text).join()).toMatch(/You can sign in with Google/i);
    expect((await test.call(login, { body: { email: member.email, password } })).status).toBe(200);
    expect((await test.call(getProfile, { token: member.token })).status).toBe(200);
  });

  it('requires the password to replace another linked Google account', async () => {
    const member = await makeMember(test, { passwordHash: await passwordHash() });
    await signIn(member.email, 'first-owner');
    const { error } = await signIn(member.email, 'second-owner');
    expect(error.code).toBe('LINK_NEEDS_PASSWORD');
    const body = { linkToken: error.data?.linkToken ?? '', password };
    expect((await test.call(linkByPassword, { body })).body.data).toMatchObject({ user: { _id: member.id } });
    expect(await identities(member.id)).toEqual([{ provider: 'google', subject: 'second-owner' }]);
  });
});

describe('an account created with someone else’s address', () => {
  it('is transferred to the address’s owner on their first sign-in with Google', async () => {
    const email = newAddress();
    const squatter = { email, password, firstName: 'Mallory', acceptTerms: true };
    const joined = (await test.call(register, { body: squatter })).body;
    const second = (await test.call(login, { body: { email, password } })).body.data;
    const own = newAddress();
    await test.call(changeEmail, { token: joined.token, body: { email: own, password } });
    const changing = (await test.outbox(own))[0];
    await test.call(forgotPassword, { body: { email } });
    await test.call(leaveService, { token: joined.token, body: { password } });
    const restoring = linkTokenOf((await test.outbox(email)).find(({ links }) => links[0]?.includes('restore')));
    await test.call(restoreAccount, { body: { token: restoring } });
    const third = (await test.call(login, { body: { email, password } })).body.data;

    const { data } = (await signIn(email, 'the-rightful-one')).body;
    if (!('token' in data)) throw new Error('a session was expected');
    expect(data).toMatchObject({ requiresVerification: false, user: { _id: joined.user._id, email } });

    for (const session of [joined, second, third]) {
      if (!('token' in session)) throw new Error('a session was expected');
      expect((await test.call(getProfile, { token: session.token })).status).toBe(401);
      expect((await test.call(refreshToken, { body: { refreshToken: session.refreshToken } })).status).toBe(401);
    }
    expect((await test.call(login, { body: { email, password } })).status).toBe(401);
    expect((await test.call(verifyEmail, { body: { token: linkTokenOf(changing) } })).status).toBe(400);
    expect((await test.call(restoreAccount, { body: { token: restoring } })).status).toBe(400);
    const account = await test.db.selectFrom('account').selectAll().where('id', '=', data.user._id).executeTakeFirst();
    expect(account).toMatchObject({ email, password_hash: null, email_verified_at: test.clock.now() });
    const left = await test.db.selectFrom('verification').where('account_id', '=', data.user._id).selectAll().execute();
    expect(left).toEqual([]);
    expect((await test.call(getProfile, { token: data.token })).status).toBe(200);
    expect((await test.outbox(email)).map(({ text }) => text).join()).toMatch(/keep it yours alone/);
  });

  it('loses all factors and identities that were set up before the transfer', async () => {
    const { id, email } = await makeMember(test, { verified: false, passwordHash: await passwordHash() });
    const at = test.clock.now();
    const identity = { provider: 'google' as const, subject: 'of-the-squatter', account_id: id, linked_at: at };
    await test.db.insertInto('identity').values(identity).execute();
    await test.db
      .insertInto('totp_factor')
      .values({ account_id: id, sealed_secret: Buffer.from('x'), since: at, last_step: 0 })
      .execute();
    await test.db
      .insertInto('passkey')
      .values({
        account_id: id,
        credential_id: Buffer.from(id),
        public_key: Buffer.from('x'),
        sign_count: 0,
        name: 'Mallory’s phone',
        synced: true,
        created_at: at,
        last_used_at: null,
      })
      .execute();
    const { data } = (await signIn(email, 'of-the-owner')).body;
    expect(data).toMatchObject({ user: { _id: id } });
    expect(await identities(id)).toEqual([{ provider: 'google', subject: 'of-the-owner' }]);
    for (const table of ['totp_factor', 'passkey'] as const)
      expect(await test.db.selectFrom(table).select('account_id').where('account_id', '=', id).execute()).toEqual([]);
    const squatter = await test.call(googleSignIn, {
      body: { tokenId: await google.token(test.clock.now(), { sub: 'of-the-squatter' }) },
    });
    expect(squatter.error.code).toBe('JOIN_UNFINISHED');
  });
});

describe('joining after accepting the terms', () => {
  const begin = async (email = newAddress(), sub: string = randomUUID()) => {
    const { error } = await signIn(email, sub);
    return { email, sub, joinToken: error.data?.joining?.token ?? '' };
  };
  const join = (joinToken: string, more = {}, headers = {}) =>
    test.call(joinWithIdentity, { body: { joinToken, acceptTerms: true, ...more }, headers });

  it('creates the member from Google’s token and ignores an address in the request', async () => {
    const { email, joinToken } = await begin();
    const joined = await join(joinToken, { email: newAddress() });
    expect(joined.status).toBe(201);
    expect(joined.body.data).toMatchObject({ requiresVerification: false, user: { email, isEmailVerified: true } });
  });

  it('works once, within 15 minutes', async () => {
    const { joinToken } = await begin();
    expect((await join(joinToken)).status).toBe(201);
    expect((await join(joinToken)).error.code).toBe('INVALID_CODE');
    const late = await begin();
    test.clock.advance(901);
    expect((await join(late.joinToken)).error.code).toBe('INVALID_CODE');
    expect((await join('nonsense')).error.code).toBe('INVALID_CODE');
  });

  it('is refused if the terms are not accepted', async () => {
    const { joinToken } = await begin();
    const refused = await test.call(joinWithIdentity, { body: { joinToken, acceptTerms: false } });
    expect(refused.error.errors).toEqual([{ field: 'acceptTerms', msg: 'Accept the terms to join' }]);
  });

  it('links to the account that took the address in the meantime, with its password', async () => {
    const { email, joinToken } = await begin();
    const member = await makeMember(test, { email, passwordHash: await passwordHash() });
    const { error } = await join(joinToken);
    expect(error.code).toBe('LINK_NEEDS_PASSWORD');
    const body = { linkToken: error.data?.linkToken ?? '', password };
    expect((await test.call(linkByPassword, { body })).body.data).toMatchObject({ user: { _id: member.id } });
  });

  it('rejects a blocked address', async () => {
    const { id, email } = await makeMember(test, { deactivated: 'Spam', leaving: true });
    test.clock.advance(15 * 86_400);
    await test.app.background.tasks['auth.endAccounts']?.({}, undefined as never);
    expect((await signIn(email, undefined, true)).error.code).toBe('LINK_NEEDS_PASSWORD');
    expect(await test.db.selectFrom('account').select('id').where('email', '=', email).execute()).toEqual([]);
    expect(id).not.toBe('');
  });
});

describe('parallel first sign-ins', () => {
  it('create one account per person', async () => {
    for (let round = 0; round < 3; round += 1) {
      const [email, sub] = [newAddress(), randomUUID()];
      const answers = await Promise.all(Array.from({ length: 8 }, () => signIn(email, sub, true)));
      expect(answers.map(({ status }) => status)).toEqual(Array.from({ length: 8 }, () => 200));
      const made = await test.db.selectFrom('account').select('id').where('email', '=', email).execute();
      expect(made).toHaveLength(1);
      expect(await identities(made[0]?.id ?? '')).toHaveLength(1);
    }
  });

  it('link one identity to a member', async () => {
    const { id, email } = await makeMember(test);
    const answers = await Promise.all(Array.from({ length: 8 }, () => signIn(email, 'linked-at-once')));
    expect(answers.map(({ status }) => status)).toEqual(Array.from({ length: 8 }, () => 200));
    expect(await identities(id)).toHaveLength(1);
  });

  it('create one account for two Google accounts with the same address', async () => {
    const email = newAddress();
    const answers = await Promise.all(Array.from({ length: 6 }, () => signIn(email, undefined, true)));
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409, 409, 409, 409, 409]);
  });

  it('create one account even alongside a password registration', async () => {
    const email = newAddress();
    const body = { email, password: newPassword, firstName: 'Rosa', acceptTerms: true };
    const [registered, signedIn] = await Promise.all([test.call(register, { body }), signIn(email, undefined, true)]);
    expect([201, 409]).toContain(registered.status);
    expect(signedIn.status).toBe(200);
    expect(await test.db.selectFrom('account').select('id').where('email', '=', email).execute()).toHaveLength(1);
  });

  it('create one account from several join handles', async () => {
    const [email, sub] = [newAddress(), randomUUID()];
    const first = (await signIn(email, sub)).error.data?.joining?.token ?? '';
    const copies = await Promise.all(
      Array.from({ length: 5 }, () => test.call(joinWithIdentity, { body: { joinToken: first, acceptTerms: true } })),
    );
    expect(copies.map(({ status }) => status).sort()).toEqual([201, 400, 400, 400, 400]);
  });
});

describe('an account that is never verified', () => {
  it('is deleted after 30 days, even if it was created with an identity', async () => {
    const { id } = await makeMember(test, { verified: false, passwordHash: null });
    const identity = {
      provider: 'facebook' as const,
      subject: randomUUID(),
      account_id: id,
      linked_at: test.clock.now(),
    };
    await test.db.insertInto('identity').values(identity).execute();
    test.clock.advance(31 * 86_400);
    await test.app.background.tasks['auth.endAccounts']?.({}, undefined as never);
    expect(await test.db.selectFrom('account').select('id').where('id', '=', id).execute()).toEqual([]);
  });
});
