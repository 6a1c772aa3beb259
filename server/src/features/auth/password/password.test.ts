import { dictionary } from '@zxcvbn-ts/language-common';
import { beforeAll, describe, expect, it, vi } from 'vitest';
import type * as Argon2 from '@node-rs/argon2';
import { changePassword, forgotPassword, leaveService, resetPassword, restoreAccount } from '#contract/auth/auth.ts';
import { login } from '#contract/auth/session.ts';
import { getProfile } from '#contract/profiles/profiles.ts';
import { checkPassword } from '../policy.ts';
import { hashPassword, verifyPassword } from './hashing.ts';
import { makeAdministrator, makeMember } from '../../../../test/factories.ts';
import { startAppForTests } from '../../../../test/harness.ts';
import { tokenIn } from '../../../../test/mail/link-token.ts';
import { sessionIn } from '../../../../test/session-in.ts';
import { mostAtOnce, withRealHashing } from '../../../../test/doubles/cheap-hashing.ts';

const password = 'correct horse battery';
const newPassword = 'another fine secret';
let passwordHash: string;
const test = startAppForTests({ PUBLIC_URL: 'https://heartwood.example', MAIL_DRIVER: 'outbox' });
beforeAll(async () => {
  passwordHash = await hashPassword(password);
});

it.each([
  ['Łucja', 'lucja12345'],
  ['Renée Noël', 'renee-noel-77'],
  ['Søren', 'SOREN2000'],
  ['İlker', 'ilker12345'],
])('the name %s is not a password, even without accents as in %s', (name, password) => {
  const owner = { email: 'x@example.test', names: [name], isStaff: false };
  expect(() => checkPassword(password, owner)).toThrow('your own name');
});

describe('common passwords', () => {
  const owner = { email: 'ada@example.test', names: ['Ada'], isStaff: false };
  /** Passwords at the top of every published list. */
  const known = ['123456', 'password', '123456789', '12345678', 'qwerty', '111111', 'abc123', 'iloveyou', '1234567890'];

  it('are rejected, including the list of the 3,000 most used ones', () => {
    const top = dictionary['passwords-common'].slice(0, 3000);
    expect(top).toHaveLength(3000);
    for (const one of [...known, ...top])
      expect(() => checkPassword(one, owner), one).toThrow(/among the most used|name of this service|your own name/);
  });
});

it('passwords are hashed two at a time while 20 wait, and the others are refused', async () => {
  const made = await Promise.allSettled(Array.from({ length: 30 }, () => hashPassword(password)));
  const refused = made.filter(({ status }) => status === 'rejected');
  expect(refused).toEqual(
    Array(8).fill({ status: 'rejected', reason: expect.objectContaining({ code: 'UNAVAILABLE' }) }),
  );
  expect(mostAtOnce).toBe(2);
});

async function askReset(email: string, headers: Record<string, string> = {}): Promise<string> {
  await test.call(forgotPassword, { body: { email }, headers });
  await test.drain();
  const [mail] = await test.outbox(email);
  return tokenIn(mail?.links[0]) ?? '';
}

describe('POST /auth/reset-password', () => {
  it('sets a new password with the emailed token, once, and ends all sessions', async () => {
    const member = await makeMember(test, { passwordHash });
    const token = await askReset(member.email);
    expect((await test.call(resetPassword, { body: { token, password: newPassword } })).status).toBe(200);
    expect((await test.call(getProfile, { token: member.token })).status).toBe(401);
    expect((await test.call(login, { body: { email: member.email, password: newPassword } })).status).toBe(200);
    expect((await test.call(login, { body: { email: member.email, password } })).status).toBe(401);
    expect((await test.call(resetPassword, { body: { token, password: 'yet another secret' } })).error.code).toBe(
      'INVALID_CODE',
    );
  });

  it('accepts each token for 30 minutes, until one of them is used', async () => {
    const member = await makeMember(test, { passwordHash });
    const reset = async (token: string) =>
      (await test.call(resetPassword, { body: { token, password: newPassword } })).status;
    const tokens = [];
    for (const minutes of [0, 1, 29]) {
      test.clock.advance(minutes * 60);
      tokens.push(await askReset(member.email));
    }
    const [expired = '', older = '', newest = ''] = tokens;
    test.clock.advance(1);
    expect(await reset('A'.repeat(43))).toBe(400);
    expect(await reset(expired)).toBe(400);
    expect(await reset(older)).toBe(200);
    expect(await reset(newest)).toBe(400);
  });

  it('sends at most three emails an hour, and another once none of their links works', async () => {
    const member = await makeMember(test, { passwordHash });
    for (let n = 0; n < 5; n += 1) await askReset(member.email);
    expect(await test.outbox(member.email)).toHaveLength(3);
    test.clock.advance(30 * 60 + 1);
    for (let n = 0; n < 2; n += 1) await askReset(member.email);
    expect(await test.outbox(member.email)).toHaveLength(4);
  });

  it('links to the configured URL, whatever the Host header is', async () => {
    const member = await makeMember(test, { passwordHash });
    await askReset(member.email, { host: 'evil.example' });
    const [mail] = await test.outbox(member.email);
    expect(mail?.links[0]).toMatch(/^https:\/\/heartwood\.example\/app\/reset-password#token=/);
  });

  it('verifies the address, so that anyone else who had signed up with it loses access', async () => {
    const member = await makeMember(test, { passwordHash, verified: false });
    const token = await askReset(member.email);
    await test.call(resetPassword, { body: { token, password: newPassword } });
    const signedIn = await test.call(login, { body: { email: member.email, password: newPassword } });
    expect(sessionIn(signedIn.body).requiresVerification).toBe(false);
  });

  it('requires 15 characters from staff', async () => {
    const staff = await makeAdministrator(test, { passwordHash });
    const token = await askReset(staff.email);
    expect((await test.call(resetPassword, { body: { token, password: 'fourteen chars' } })).error.code).toBe(
      'PASSWORD_REFUSED',
    );
    expect((await test.call(resetPassword, { body: { token, password: 'fifteen chars ok' } })).status).toBe(200);
  });
});

describe('POST /auth/change-password', () => {
  it('requires the current password and ends the other sessions', async () => {
    const member = await makeMember(test, { passwordHash });
    const other = await test.call(login, { body: { email: member.email, password } });
    const wrong = await test.call(changePassword, {
      token: member.token,
      body: { currentPassword: 'guess', password: newPassword },
    });
    expect(wrong.error.code).toBe('WRONG_PASSWORD');
    expect((await test.call(getProfile, { token: sessionIn(other.body).token })).status).toBe(200);
    await test.call(changePassword, {
      token: member.token,
      body: { currentPassword: password, password: newPassword },
    });
    expect((await test.call(getProfile, { token: member.token })).status).toBe(200);
    expect((await test.call(getProfile, { token: sessionIn(other.body).token })).status).toBe(401);
    expect((await test.outbox(member.email))[0]?.subject).toBe('A change to your account');
  });
});

describe('DELETE /auth/account', () => {
  it('requires the password, hides the account immediately, and can be undone for 14 days', async () => {
    const member = await makeMember(test, { passwordHash });
    expect((await test.call(leaveService, { token: member.token, body: { password: 'guess' } })).status).toBe(403);
    const left = await test.call(leaveService, { token: member.token, body: { password } });
    expect(left.headers['clear-site-data']).toBe('"cache"');
    expect(left.body.data.restoreUntil).toBe(new Date(test.clock.now().getTime() + 14 * 86_400_000).toISOString());
    expect((await test.call(getProfile, { token: member.token })).status).toBe(401);
    const back = await test.call(login, { body: { email: member.email, password } });
    expect(back.error.code).toBe('ACCOUNT_LEAVING');
    const token = back.error.data?.restoreToken ?? '';
    expect((await test.call(restoreAccount, { body: { token } })).status).toBe(200);
    expect((await test.call(restoreAccount, { body: { token } })).status).toBe(400);
    expect((await test.call(login, { body: { email: member.email, password } })).status).toBe(200);
  });

  it('answers as for an unknown account after 14 days, even if it is not deleted yet', async () => {
    const member = await makeMember(test, { passwordHash });
    const left = new Date(test.clock.now().getTime() - 14 * 86_400_000);
    await test.db.updateTable('account').set({ leaving_since: left }).where('id', '=', member.id).execute();
    const back = await test.call(login, { body: { email: member.email, password } });
    const unknown = await test.call(login, { body: { email: 'no-one@example.test', password } });
    expect([back.error.code, back.error.message]).toEqual([unknown.error.code, unknown.error.message]);
  });
});

describe('password hashing', () => {
  it('stores argon2id hashes computed with 19 MiB and two passes', async () => {
    const library = await vi.importActual<typeof Argon2>('@node-rs/argon2');
    const stored = await withRealHashing(() => hashPassword(password));
    expect(stored).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/);
    // The hash contains its parameters, so verification would fail if it had been made with others.
    expect(await library.verify(stored, password)).toBe(true);
    expect(await library.verify(stored, 'incorrect horse battery')).toBe(false);
  });

  it.each([
    ['the password', password, true],
    ['another password', 'incorrect horse battery', false],
  ])('compares %s with the stored hash', async (_, given, expected) => {
    const matches = await withRealHashing(async () => await verifyPassword(await hashPassword(password), given));
    expect(matches).toBe(expected);
  });

  const composed = 'caf\u00e9 de la gare';
  const decomposed = 'cafe\u0301 de la gare';

  it.each([
    ['composed', 'decomposed', composed, decomposed],
    ['decomposed', 'composed', decomposed, composed],
  ])('accepts a letter that was %s when the password was set and is %s now', async (_set, _now, set, given) => {
    expect(await verifyPassword(await hashPassword(set), given)).toBe(true);
  });

  it('still accepts hashes of decomposed passwords from earlier releases', async () => {
    const library = await vi.importActual<typeof Argon2>('@node-rs/argon2');
    const stored = await library.hash(decomposed);
    await withRealHashing(async () => {
      expect(await verifyPassword(stored, decomposed)).toBe(true);
      expect(await verifyPassword(null, decomposed)).toBe(false);
    });
  });
});
