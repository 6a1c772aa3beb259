import { randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, it } from 'vitest';
import { verifyEmail } from '#contract/auth/auth.ts';
import { googleSignIn, linkByPassword } from '#contract/auth/identities.ts';
import { getProfile } from '#contract/profiles/profiles.ts';
import { type TestIssuer, startWithGoogle } from '../../../../test/doubles/google-issuer.ts';
import { makeMember } from '../../../../test/factories.ts';
import { password, passwordHash } from '../../../../test/guards/people.ts';
import type { TestApp } from '../../../../test/harness.ts';

let google: TestIssuer;
let test: TestApp;
beforeAll(async () => {
  const started = await startWithGoogle();
  ({ google, test } = started);
  return started.close;
});

let people = 0;
const addressAt = (domain: string) => `person${(people += 1)}@${domain}`;
const signIn = async (email: string, hd: unknown, sub: string = randomUUID()) => {
  const tokenId = await google.token(test.clock.now(), { sub, email, hd });
  return await test.call(googleSignIn, { body: { tokenId, acceptTerms: true } });
};
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
    expect((await signIn(owner.email, hd)).body.data).toMatchObject({ user: { _id: owner.id } });
    expect(await identitiesOf(owner.id)).toHaveLength(1);
  });

  it.each(vouched)('%s is verified on joining', async (_, domain, hd) => {
    expect((await signIn(addressAt(domain), hd)).body.data).toMatchObject({ requiresVerification: false });
  });
});

describe('an address that Google verified only once', () => {
  it.each(unvouched)('%s requires the password of the account that uses it', async (_, domain, hd) => {
    const owner = await makeMember(test, { email: addressAt(domain), passwordHash: await passwordHash() });
    const { status, error } = await signIn(owner.email, hd);
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
    const { data } = (await signIn(email, hd)).body;
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
    expect((await signIn(owner.email, null)).error.code).toBe('LINK_NEEDS_PASSWORD');
    expect((await test.call(getProfile, { token: owner.token })).status).toBe(200);
  });
});
