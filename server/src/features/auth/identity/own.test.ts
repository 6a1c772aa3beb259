import { randomUUID } from 'node:crypto';
import { strFromU8 } from 'fflate';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { changeEmail, changePassword, leaveService, verifyEmail } from '#contract/auth/auth.ts';
import {
  addIdentity,
  confirmIdentity,
  facebookSignIn,
  googleNonce,
  googleSignIn,
  listIdentities,
  removeIdentity,
} from '#contract/auth/identities.ts';
import { login } from '#contract/auth/session.ts';
import { askForExport } from '#contract/takeout.ts';
import { takeArchive } from '../../../../test/archive.ts';
import { startFacebook, type FacebookDouble } from '../../../../test/doubles/facebook-double.ts';
import { makeMember, type TestMember } from '../../../../test/factories.ts';
import { startGoogle, type TestIssuer } from '../../../../test/doubles/google-issuer.ts';
import { startApp, type TestApp } from '../../../../test/harness.ts';
import { newAddress, newPassword, password, passwordHash } from '../../../../test/guards/people.ts';
import { askForChange } from '../../../../test/address-change.ts';

let google: TestIssuer;
let facebook: FacebookDouble;
let test: TestApp;
beforeAll(async () => {
  [google, facebook] = await Promise.all([startGoogle(), startFacebook()]);
  test = await startApp({ ...google.environment, ...facebook.environment });
});
afterAll(async () => {
  await test.close();
  await google.close();
  await facebook.close();
});

const tokenOf = (sub: string, more = {}) => google.token(test.clock.now(), { sub, ...more });
let member: TestMember;
let sub: string;
beforeEach(async () => {
  member = await makeMember(test, { passwordHash: await passwordHash() });
  sub = randomUUID();
});

const waysOf = async ({ token }: { token: string }) => (await test.call(listIdentities, { token })).body.data;
const addGoogle = async (proof: object = { password }, more = {}, headers = {}) =>
  test.call(addIdentity, {
    token: member.token,
    body: { tokenId: await tokenOf(sub, more), ...proof },
    headers,
  });
/** A member who registered with Google and has no password. */
async function makePasswordless() {
  const email = newAddress();
  const body = { tokenId: await tokenOf(sub, { email }), acceptTerms: true };
  const { data } = (await test.call(googleSignIn, { body })).body;
  if (!('token' in data)) throw new Error('a session was expected');
  return { email, token: data.token, id: data.user._id };
}

describe('the caller’s sign-in methods', () => {
  it('are listed', async () => {
    expect(await waysOf(member)).toMatchObject({ identities: [], hasPassword: true });
    const linkedAt = test.clock.now().toISOString();
    expect((await addGoogle()).body.data.identities).toEqual([{ provider: 'google', linkedAt }]);
    expect(await waysOf(member)).toMatchObject({ identities: [{ provider: 'google', linkedAt }], hasPassword: true });
    expect((await test.outbox(member.email)).map(({ text }) => text).join()).toMatch(/can sign in with Google/i);
  });

  it('can be added only with the current password', async () => {
    expect((await addGoogle({})).error.code).toBe('WRONG_PASSWORD');
    expect((await addGoogle({ password: 'not this one' })).error.code).toBe('WRONG_PASSWORD');
    expect((await waysOf(member)).identities).toEqual([]);
  });

  it('return 403 until the address is verified', async () => {
    const { token } = await makeMember(test, { passwordHash: await passwordHash(), verified: false });
    const added = await test.call(addIdentity, { token, body: { tokenId: await tokenOf(sub), password } });
    expect(added.error.code).toBe('EMAIL_NOT_VERIFIED');
    expect((await waysOf({ token })).identities).toEqual([]);
  });

  it('are kept by a password change, whose email lists them', async () => {
    await addGoogle();
    await test.call(changePassword, {
      token: member.token,
      body: { currentPassword: password, password: newPassword },
    });
    const texts = (await test.outbox(member.email)).map(({ text }) => text).join();
    expect(texts).toMatch(/Your other sign-in methods still work: Google\./);
  });

  it('accept the same token again after a wrong password, but a used token never', async () => {
    const { body, headers } = await test.call(googleNonce);
    const cookie = String(headers['set-cookie']).split(';')[0] ?? '';
    const tokenId = await tokenOf(sub, { nonce: body.data.nonce });
    const add = (given: string) =>
      test.call(addIdentity, { token: member.token, body: { tokenId, password: given }, headers: { cookie } });
    expect((await add('not this one')).status).toBe(403);
    expect((await add(password)).status).toBe(200);
    expect((await add(password)).error.code).toBe('IDENTITY_REFUSED');
  });

  it('cannot be taken from another account', async () => {
    await addGoogle();
    member = await makeMember(test, { passwordHash: await passwordHash() });
    expect((await addGoogle()).error.code).toBe('IDENTITY_TAKEN');
    expect((await waysOf(member)).identities).toEqual([]);
  });

  it('reject a forged token without ending the session', async () => {
    const refused = await addGoogle({ password }, { aud: 'another-app' });
    expect([refused.status, refused.error.code]).toEqual([422, 'IDENTITY_REFUSED']);
  });

  it('sign in to the account once added, whatever their address', async () => {
    await addGoogle();
    const body = { tokenId: await tokenOf(sub, { email: 'elsewhere@gmail.test' }) };
    expect((await test.call(googleSignIn, { body })).body.data).toMatchObject({ user: { _id: member.id } });
  });

  it('can be removed with the password', async () => {
    await addGoogle();
    const remove = (body: object, provider = 'google') =>
      test.call(removeIdentity, { token: member.token, params: { provider }, body });
    expect((await remove({})).error.code).toBe('WRONG_PASSWORD');
    expect((await remove({ password }, 'facebook')).status).toBe(404);
    expect((await remove({ password }, 'myspace')).status).toBe(404);
    expect((await remove({ password })).body.data.identities).toEqual([]);
    expect((await test.outbox(member.email)).map(({ text }) => text).join()).toMatch(/no longer sign in with Google/i);
    const body = { tokenId: await tokenOf(sub, { email: newAddress() }) };
    expect((await test.call(googleSignIn, { body })).error.code).toBe('JOIN_UNFINISHED');
  });

  it('cancel a requested change of address when one is added or removed', async () => {
    for (const change of [
      () => addGoogle(),
      () => test.call(removeIdentity, { token: member.token, params: { provider: 'google' }, body: { password } }),
    ]) {
      const { link } = await askForChange(test, member);
      expect((await change()).status).toBe(200);
      const answer = await test.call(verifyEmail, { token: member.token, body: { token: link } });
      expect(answer.error.code).toBe('INVALID_CODE');
    }
  });

  it('appear in the data export', async () => {
    await addGoogle();
    const files = await takeArchive(test, member.token, { password });
    const account = strFromU8(files['account.json'] ?? new Uint8Array());
    expect(JSON.parse(account)).toMatchObject({ identities: [{ provider: 'google' }] });
    expect(account).not.toContain(sub);
  });
});

describe('an account without a password', () => {
  const changes: [string, (token: string) => Promise<{ status: number; raw: string }>][] = [
    ['another address', (token) => test.call(changeEmail, { token, body: { email: newAddress() } })],
    ['a first password', (token) => test.call(changePassword, { token, body: { password: newPassword } })],
    ['account deletion', (token) => test.call(leaveService, { token, body: {} })],
    ['a data export', (token) => test.call(askForExport, { token, body: {} })],
  ];

  it.each(changes)(
    'allows %s right after signing in, and later only after confirming with Google',
    async (_, change) => {
      const { token } = await makePasswordless();
      test.clock.advance(601);
      const refused = await change(token);
      expect([refused.status, refused.raw.includes('PROOF_REQUIRED')]).toEqual([403, true]);
      expect((await waysOf({ token })).freshUntil).toBeNull();
      const confirmed = await test.call(confirmIdentity, { token, body: { tokenId: await tokenOf(sub) } });
      expect(confirmed.body.data).toMatchObject({ hasPassword: false, freshUntil: expect.any(String) as string });
      // The change raised the session's privileges, so copies of its earlier tokens stop working.
      expect((await change(token)).status).toBe(401);
      expect((await change(confirmed.body.data.token ?? '')).status).toBe(200);
    },
  );

  it('requires confirmation from ten minutes after signing in', async () => {
    const { token } = await makePasswordless();
    test.clock.advance(599);
    expect((await waysOf({ token })).freshUntil).not.toBeNull();
    test.clock.advance(1);
    expect((await waysOf({ token })).freshUntil).toBeNull();
    const refused = await test.call(changeEmail, { token, body: { email: newAddress() } });
    expect([refused.status, refused.error.code]).toEqual([403, 'PROOF_REQUIRED']);
  });

  it.each(changes)('allows %s within ten minutes of signing in', async (_, change) => {
    const { token } = await makePasswordless();
    test.clock.advance(590);
    expect((await change(token)).status).toBe(200);
  });

  it('can be confirmed only with its own identity, and only in that session', async () => {
    const { token } = await makePasswordless();
    const other = (await test.call(googleSignIn, { body: { tokenId: await tokenOf(sub) } })).body.data;
    test.clock.advance(601);
    const confirm = async (of: string) => test.call(confirmIdentity, { token, body: { tokenId: await tokenOf(of) } });
    expect((await confirm(randomUUID())).error.code).toBe('IDENTITY_REFUSED');
    expect((await waysOf({ token })).freshUntil).toBeNull();
    expect((await confirm(sub)).status).toBe(200);
    expect((await waysOf({ token: 'token' in other ? other.token : '' })).freshUntil).toBeNull();
  });

  it('keeps its last sign-in method until another one is added', async () => {
    const { token, email } = await makePasswordless();
    const remove = (provider: string, body = {}) => test.call(removeIdentity, { token, params: { provider }, body });
    expect((await remove('google')).error.code).toBe('LAST_WAY_IN');
    const userId = randomUUID();
    await test.call(addIdentity, { token, body: { accessToken: facebook.token({ userId }), userID: userId } });
    expect((await remove('google')).body.data.identities).toMatchObject([{ provider: 'facebook' }]);
    expect((await remove('facebook')).error.code).toBe('LAST_WAY_IN');
    await test.call(changePassword, { token, body: { password: newPassword } });
    expect((await remove('facebook', { password: newPassword })).body.data).toMatchObject({
      identities: [],
      hasPassword: true,
    });
    expect((await test.call(login, { body: { email, password: newPassword } })).status).toBe(200);
  });

  it('accepts no password', async () => {
    const { email } = await makePasswordless();
    for (const given of [password, 'null', ' '])
      expect((await test.call(login, { body: { email, password: given } })).status).toBe(401);
  });

  it('can replace the address from Facebook once that address is verified', async () => {
    const [userId, first, email] = [randomUUID(), newAddress(), newAddress()];
    const accessToken = facebook.token({ userId, me: { id: userId, email: first } });
    const { data } = (await test.call(facebookSignIn, { body: { accessToken, acceptTerms: true } })).body;
    const token = 'token' in data ? data.token : '';
    const verify = async (address: string) =>
      test.call(verifyEmail, { token, body: { code: (await test.outbox(address))[0]?.code ?? '' } });
    expect((await test.call(changeEmail, { token, body: { email } })).error.code).toBe('EMAIL_NOT_VERIFIED');
    expect((await verify(first)).status).toBe(200);
    test.clock.advance(61);
    expect((await test.call(changeEmail, { token, body: { email } })).status).toBe(200);
    expect((await verify(email)).status).toBe(200);
  });
});
