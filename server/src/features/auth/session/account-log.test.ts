import { beforeAll, describe, expect, it } from 'vitest';
import { changeEmail, changePassword, resetPassword } from '#contract/auth/auth.ts';
import { addIdentity, googleSignIn, removeIdentity } from '#contract/auth/identities.ts';
import { loginWithCode } from '#contract/auth/factors.ts';
import { login } from '#contract/auth/session.ts';
import { listUsers } from '#contract/profiles/staff.ts';
import { askForExport } from '#contract/takeout.ts';
import { type TestIssuer, startWithGoogle } from '../../../../test/doubles/google-issuer.ts';
import { makeMember, type TestMember } from '../../../../test/factories.ts';
import {
  assertionOf,
  challengeOf,
  codeAt,
  makePasskey,
  signInByPasskey,
  signInTwice,
  turnOn,
  wrongCodeAt,
} from '../../../../test/factors.ts';
import { newPassword, password, passwordHash } from '../../../../test/guards/people.ts';
import { resetTokenFor } from '../../../../test/guards/requests.ts';
import type { TestApp } from '../../../../test/harness.ts';

let google: TestIssuer;
let test: TestApp;
let member: TestMember;
beforeAll(async () => {
  const started = await startWithGoogle({ PUBLIC_URL: 'http://localhost:3000' });
  ({ google, test } = started);
  return started.close;
});

/**
 * What the log contains about `member` after `work`: the message, the route below the API, and the code of a refusal.
 */
async function logged(work: () => Promise<unknown>): Promise<string[]> {
  const before = test.logLines().length;
  await work();
  const lines = test.logLines().slice(before).trim().split('\n');
  return lines
    .map((line) => JSON.parse(line) as { accountId?: string; msg: string; code?: string; req?: { route: string } })
    .filter(({ accountId }) => accountId === member.id)
    .map(({ msg, code, req }) => [msg, req?.route.replace('/api/v1', ''), code].filter(Boolean).join(' '));
}

const newMember = async () => (member = await makeMember(test, { passwordHash: await passwordHash() }));

describe('the log contains the account id', () => {
  it('when someone signs in with a password, code, passkey or identity', async () => {
    await newMember();
    const { email } = member;
    expect(await logged(() => test.call(login, { body: { email, password } }))).toEqual(['signed in /auth/login']);
    const { secret } = await turnOn(test, member, password);
    const { authenticator } = await makePasskey(test, member, { password, code: codeAt(secret, test.clock.now()) });
    test.clock.advance(30);
    const code = codeAt(secret, test.clock.now());
    expect(await logged(() => signInTwice(test, email, password, code))).toEqual([
      'account action /auth/login',
      'signed in /auth/login/totp',
    ]);
    expect(await logged(() => signInByPasskey(test, authenticator))).toEqual(['signed in /auth/passkeys/login/verify']);
    await newMember();
    const shown = { sub: 'logged', email: member.email };
    const tokenId = await google.token(test.clock.now(), shown);
    const { token } = member;
    expect(await logged(() => test.call(addIdentity, { token, body: { tokenId, password } }))).toEqual([
      'account action /auth/identities',
    ]);
    expect(
      await logged(async () =>
        test.call(googleSignIn, { body: { tokenId: await google.token(test.clock.now(), shown) } }),
      ),
    ).toEqual(['identity accepted', 'signed in /auth/google']);
    expect(
      await logged(() => test.call(removeIdentity, { token, params: { provider: 'google' }, body: { password } })),
    ).toEqual(['account action /auth/identities/:provider']);
  });

  it('when a password, address, factor or passkey changes', async () => {
    const { token, email } = await newMember();
    expect(await logged(() => test.call(changeEmail, { token, body: { email: `new-${email}`, password } }))).toEqual([
      'account action /auth/change-email',
    ]);
    expect(await logged(() => turnOn(test, member, password))).toEqual([
      'account action /auth/totp/setup',
      'account action /auth/totp/enable',
    ]);
    await newMember();
    expect(await logged(() => makePasskey(test, member, password))).toContain(
      'account action /auth/passkeys/register/verify',
    );
    await newMember();
    const body = { currentPassword: password, password: newPassword };
    expect(await logged(() => test.call(changePassword, { token: member.token, body }))).toEqual([
      'account action /auth/change-password',
    ]);
    const reset = { token: await resetTokenFor(test, member.email), password };
    expect(await logged(() => test.call(resetPassword, { body: reset }))).toEqual([
      'account action /auth/reset-password',
    ]);
  });

  it('when a sign-in is refused or its password is guessed', async () => {
    const { email, token } = await newMember();
    expect(await logged(() => test.call(listUsers, { token }))).toEqual(['request denied /auth/users FORBIDDEN']);
    expect(await logged(() => test.call(login, { body: { email, password: newPassword } }))).toEqual([
      'request denied /auth/login INVALID_CREDENTIALS',
    ]);
  });

  it('when a code or passkey is guessed', async () => {
    const { email } = await newMember();
    const { secret } = await turnOn(test, member, password);
    const challenge = await challengeOf(test, email, password);
    const code = wrongCodeAt(secret, test.clock.now());
    expect(await logged(() => test.call(loginWithCode, { body: { challenge, code } }))).toEqual([
      'request denied /auth/login/totp INVALID_CODE',
    ]);
    const { token } = member;
    const strangers = await newMember();
    const { authenticator } = await makePasskey(test, strangers, password);
    const passkey = await assertionOf(test, authenticator);
    const before = test.logLines().length;
    expect((await test.call(askForExport, { token, body: { passkey } })).status).toBe(422);
    expect(test.logLines().slice(before)).toMatch(/"code":"PASSKEY_REFUSED".*"msg":"request denied"/);
  });
});
