import { beforeAll, describe, expect, it } from 'vitest';
import { leaveService, resetMethods, resetPassword, restoreAccount, verifyEmail } from '#contract/auth/auth.ts';
import { addIdentity, googleSignIn } from '#contract/auth/identities.ts';
import { login } from '#contract/auth/session.ts';
import { getProfile } from '#contract/profiles/profiles.ts';
import { type TestIssuer, startWithGoogle } from '../../../../test/doubles/google-issuer.ts';
import { makeAdministrator, makeMember } from '../../../../test/factories.ts';
import { placeFactor, placePasskey, signInByPasskey } from '../../../../test/factors.ts';
import { newPassword, password, passwordHash } from '../../../../test/guards/people.ts';
import { registerNewcomer, resetTokenFor } from '../../../../test/guards/requests.ts';
import type { TestApp } from '../../../../test/harness.ts';
import { sessionIn } from '../../../../test/session-in.ts';

let google: TestIssuer;
let test: TestApp;
beforeAll(async () => {
  const started = await startWithGoogle({ PUBLIC_URL: 'http://localhost:3000' });
  ({ google, test } = started);
  return started.close;
});

const tokenOf = (sub: string) => google.token(test.clock.now(), { sub, email: `${sub}@gmail.com` });
const byGoogle = async (sub: string) => test.call(googleSignIn, { body: { tokenId: await tokenOf(sub) } });
let people = 0;

/** A member with Google, Facebook, two passkeys and two-step verification. */
async function guarded() {
  people += 1;
  const owner = await makeMember(test, { passwordHash: await passwordHash() });
  const sub = `google-user-${people}`;
  const linked_at = test.clock.now();
  await test.db
    .insertInto('identity')
    .values([
      { provider: 'google', subject: sub, account_id: owner.id, linked_at },
      { provider: 'facebook', subject: sub, account_id: owner.id, linked_at },
    ])
    .execute();
  test.clock.advance(1);
  const kept = await placePasskey(test, owner.id);
  test.clock.advance(1);
  return { ...owner, sub, kept, other: await placePasskey(test, owner.id) };
}
const reset = (token: string, keep?: string[]) =>
  test.call(resetPassword, { body: { token, password: newPassword, ...(keep === undefined ? {} : { keep }) } });
const methodsOf = async (token: string) => (await test.call(resetMethods, { body: { token } })).body.data.methods;
const kindsLeft = async ({ id }: { id: string }) => {
  const identities = await test.db.selectFrom('identity').select('provider').where('account_id', '=', id).execute();
  const passkeys = await test.db.selectFrom('passkey').select('id').where('account_id', '=', id).execute();
  return [...identities.map(({ provider }) => provider), ...passkeys.map((passkey) => passkey.id)].sort();
};

describe('sign-in methods at a password reset', () => {
  it('are listed without using up the link', async () => {
    const owner = await guarded();
    const token = await resetTokenFor(test, owner.email);
    const methods = await methodsOf(token);
    expect(methods.map(({ kind, name }) => [kind, name])).toEqual([
      ['google', null],
      ['facebook', null],
      ['passkey', 'A phone'],
      ['passkey', 'A phone'],
    ]);
    expect(await methodsOf(token)).toEqual(methods);
    expect(JSON.stringify(methods)).not.toContain(owner.sub);
    expect((await test.call(resetMethods, { body: { token: owner.refreshToken } })).error.code).toBe('INVALID_CODE');
    expect((await reset(token)).status).toBe(200);
    expect((await test.call(resetMethods, { body: { token } })).error.code).toBe('INVALID_CODE');
  });

  it('are all removed unless the member confirms them', async () => {
    const owner = await guarded();
    expect((await reset(await resetTokenFor(test, owner.email))).status).toBe(200);
    expect(await kindsLeft(owner)).toEqual([]);
    expect((await byGoogle(owner.sub)).error.code).toBe('JOIN_UNFINISHED');
    expect((await signInByPasskey(test, owner.kept.authenticator)).status).toBe(401);
    expect((await test.call(getProfile, { token: owner.token })).status).toBe(401);
  });

  it('are kept if the member confirms them; those of other accounts are ignored', async () => {
    const [owner, other] = [await guarded(), await guarded()];
    const token = await resetTokenFor(test, owner.email);
    const listed = (await methodsOf(token)).map(({ _id }) => _id);
    expect(listed).toContain(owner.kept.id);
    expect((await reset(token, ['google', owner.kept.id, other.kept.id])).status).toBe(200);
    expect(await kindsLeft(owner)).toEqual(['google', owner.kept.id].sort());
    expect(await kindsLeft(other)).toHaveLength(4);
    expect((await byGoogle(owner.sub)).body.data).toMatchObject({ user: { _id: owner.id } });
    expect((await signInByPasskey(test, owner.kept.authenticator)).status).toBe(200);
    expect((await signInByPasskey(test, owner.other.authenticator)).status).toBe(401);
    const texts = (await test.outbox(owner.email)).map(({ text }) => text).join();
    expect(texts).toMatch(/other sign-in methods still work: Google, a passkey\./);
  });

  it('do not include two-step verification, which stays on', async () => {
    const owner = await guarded();
    await placeFactor(test, owner.id);
    const token = await resetTokenFor(test, owner.email);
    expect((await methodsOf(token)).map(({ kind }) => kind)).not.toContain('totp');
    expect((await reset(token)).status).toBe(200);
    const signedIn = await test.call(login, { body: { email: owner.email, password: newPassword } });
    expect(signedIn.body.data).toHaveProperty('totpRequired', true);
  });

  it('are kept unchanged for staff, whose mailbox is not a second factor', async () => {
    const staff = await makeAdministrator(test, { passwordHash: await passwordHash() });
    const { id, authenticator } = await placePasskey(test, staff.id);
    const token = await resetTokenFor(test, staff.email);
    expect(await methodsOf(token)).toEqual([]);
    expect((await reset(token)).status).toBe(200);
    expect(await kindsLeft(staff)).toEqual([id]);
    expect((await signInByPasskey(test, authenticator)).status).toBe(200);
  });

  it('are hidden and all removed if the address was never verified', async () => {
    const thief = await registerNewcomer(test);
    const { id } = await placePasskey(test, thief.user._id);
    await placeFactor(test, thief.user._id);
    const token = await resetTokenFor(test, thief.email);
    expect(await methodsOf(token)).toEqual([]);
    expect((await reset(token, [id])).status).toBe(200);
    expect(await kindsLeft({ id: thief.user._id })).toEqual([]);
    const signedIn = await test.call(login, { body: { email: thief.email, password: newPassword } });
    expect(sessionIn(signedIn.body).user.isEmailVerified).toBe(true);
  });
});

describe('a Google account linked by someone who knew the password', () => {
  it('can no longer sign in after the address’s owner resets the password', async () => {
    const thief = await registerNewcomer(test);
    const { code } = thief;
    expect((await test.call(verifyEmail, { token: thief.token, body: { code } })).status).toBe(200);
    const body = { tokenId: await tokenOf('the-thief'), password };
    expect((await test.call(addIdentity, { token: thief.token, body })).status).toBe(200);
    expect((await reset(await resetTokenFor(test, thief.email))).status).toBe(200);
    expect((await byGoogle('the-thief')).error.code).toBe('JOIN_UNFINISHED');
    expect((await test.call(login, { body: { email: thief.email, password } })).status).toBe(401);
  });
});

it('a password reset invalidates the restore handles of a leaving account', async () => {
  const member = await makeMember(test, { passwordHash: await passwordHash() });
  await test.call(leaveService, { token: member.token, body: { password } });
  const refused = await test.call(login, { body: { email: member.email, password } });
  const { restoreToken = '' } = refused.error.data as { restoreToken?: string };
  const reset = { token: await resetTokenFor(test, member.email), password: newPassword };
  expect((await test.call(resetPassword, { body: reset })).status).toBe(200);
  expect((await test.call(restoreAccount, { body: { token: restoreToken } })).error.code).toBe('INVALID_CODE');
  const own = await test.call(login, { body: { email: member.email, password: newPassword } });
  const handle = (own.error.data as { restoreToken?: string }).restoreToken ?? '';
  expect((await test.call(restoreAccount, { body: { token: handle } })).status).toBe(200);
});
