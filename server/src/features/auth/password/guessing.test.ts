import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { changeEmail, changePassword, leaveService, restoreEmail, verifyEmail } from '#contract/auth/auth.ts';
import { setUpTotp } from '#contract/auth/factors.ts';
import { login } from '#contract/auth/session.ts';
import { askForChange, changeAddress } from '../../../../test/address-change.ts';
import { makeMember, type TestMember } from '../../../../test/factories.ts';
import { newAddress, newPassword, password, passwordHash } from '../../../../test/guards/people.ts';
import { registerNewcomer } from '../../../../test/guards/requests.ts';
import { startApp, type TestApp, newNetwork } from '../../../../test/harness.ts';

let test: TestApp;
beforeAll(async () => {
  test = await startApp({ RATE_LIMITS: 'on', TRUSTED_PROXIES: 'loopback' });
});
afterAll(() => test.close());

const member = async () => makeMember(test, { passwordHash: await passwordHash() });
const signIn = (email: string, secret: string) =>
  test.call(login, { body: { email, password: secret }, headers: newNetwork() });
const warnings = async (email: string) =>
  (await test.outbox(email)).filter(({ text }) => /wrong passwords were entered/i.test(text)).length;

type Guess = (owner: TestMember, given: string) => Promise<{ status: number }>;
const guess: Guess = ({ token }, currentPassword) =>
  test.call(changePassword, { token, body: { currentPassword, password: newPassword }, headers: newNetwork() });
const confirm: Guess = ({ token }, given) =>
  test.call(setUpTotp, { token, body: { password: given }, headers: newNetwork() });
const guesses: [string, Guess][] = [
  ['changing the password', guess],
  [
    'changing the address',
    ({ token }, given) =>
      test.call(changeEmail, { token, body: { email: newAddress(), password: given }, headers: newNetwork() }),
  ],
  [
    'deleting the account',
    ({ token }, given) => test.call(leaveService, { token, body: { password: given }, headers: newNetwork() }),
  ],
  ['setting up two-step verification', confirm],
];

describe('password guesses on a signed-in device', () => {
  it.each(guesses)('by %s are throttled together with sign-in, and the owner is emailed once', async (_, act) => {
    const owner = await member();
    const statuses = [];
    for (let n = 0; n < 13; n += 1) statuses.push((await act(owner, `guess number ${n}`)).status);
    expect(statuses).toEqual([...Array<number>(10).fill(403), 429, 429, 429]);
    expect((await act(owner, password)).status).toBe(429);
    expect((await signIn(owner.email, password)).status).toBe(429);
    expect(await warnings(owner.email)).toBe(1);
    test.clock.advance(2);
    expect((await act(owner, 'another guess')).status).toBe(403);
    expect(await warnings(owner.email)).toBe(1);
    test.clock.advance(60);
    expect((await signIn(owner.email, password)).status).toBe(200);
  });

  it('are emailed even if failed sign-ins were counted in between', async () => {
    const owner = await member();
    for (let n = 0; n < 9; n += 1) await guess(owner, `guess number ${n}`);
    expect((await signIn(owner.email, 'the tenth guess')).status).toBe(401);
    expect(await warnings(owner.email)).toBe(0);
    test.clock.advance(2);
    expect((await guess(owner, 'the eleventh guess')).status).toBe(403);
    expect(await warnings(owner.email)).toBe(1);
  });

  it('are evaluated at most ten times in twenty parallel attempts', async () => {
    const owner = await member();
    const answers = await Promise.all(Array.from({ length: 20 }, (_, n) => guess(owner, `guess number ${n}`)));
    expect(answers.filter((answer) => answer.status === 403).length).toBeLessThanOrEqual(10);
  });

  it('are counted from zero after the correct password', async () => {
    const owner = await member();
    for (let round = 0; round < 2; round += 1) {
      for (let n = 0; n < 8; n += 1) await signIn(owner.email, `guess number ${n}`);
      expect((await confirm(owner, password)).status).toBe(200);
    }
  });
});

describe('password guesses with an emailed link', () => {
  it('for a new account or a changed address are throttled like a sign-in', async () => {
    const person = await registerNewcomer(test);
    const owner = await member();
    const asked = await askForChange(test, owner);
    for (const [token, email] of [
      [person.linkToken, person.email],
      [asked.link, owner.email],
    ] as const) {
      const verify = (given: string) =>
        test.call(verifyEmail, { body: { token, password: given }, headers: newNetwork() });
      for (let n = 0; n < 10; n += 1) expect((await verify(`guess number ${n}`)).error.code).toBe('WRONG_PASSWORD');
      expect((await verify(password)).status).toBe(429);
      expect((await signIn(email, password)).status).toBe(429);
      test.clock.advance(60);
      expect((await verify(password)).status).toBe(200);
    }
  });

  it('for undoing a change of address are throttled, and the old address is emailed', async () => {
    const owner = await member();
    const { undo } = await changeAddress(test, owner);
    const restore = (given: string) =>
      test.call(restoreEmail, { body: { token: undo, password: given, newPassword }, headers: newNetwork() });
    for (let n = 0; n < 10; n += 1) expect((await restore(`guess number ${n}`)).error.code).toBe('WRONG_PASSWORD');
    expect((await restore(password)).status).toBe(429);
    expect(await warnings(owner.email)).toBe(1);
    test.clock.advance(60);
    expect((await restore(password)).status).toBe(200);
  });
});
