import { describe, expect, it } from 'vitest';
import {
  forgotPassword,
  register,
  resetPassword,
  changeEmail,
  changePassword,
  leaveService,
  restoreEmail,
  verifyEmail,
} from '#contract/auth/auth.ts';
import { login } from '#contract/auth/session.ts';
import { getProfile } from '#contract/profiles/profiles.ts';
import { setUpTotp } from '#contract/auth/factors.ts';
import { makeMember, type TestMember } from '../../../../test/factories.ts';
import { newNetwork, startAppForTests } from '../../../../test/harness.ts';
import { tokenIn } from '../../../../test/mail/link-token.ts';
import { askForChange, changeAddress } from '../../../../test/address-change.ts';
import { newAddress, newPassword, password, passwordHash } from '../../../../test/guards/people.ts';
import { registerNewcomer } from '../../../../test/guards/requests.ts';

const test = startAppForTests({ RATE_LIMITS: 'on', TRUSTED_PROXIES: 'loopback' });

/** A sign-in from a unique network by default. */
const signInFrom = (email: string, secret: string, from?: string) =>
  test.call(login, {
    body: { email, password: secret },
    headers: from === undefined ? newNetwork() : { 'x-forwarded-for': from },
  });

describe('password guessing', () => {
  it('is limited to 40 evaluated guesses per account and hour, even from a thousand networks', async () => {
    const { email } = await makeMember(test, { passwordHash: await passwordHash() });
    const answers = [];
    for (let n = 0; n < 1000; n += 1) {
      answers.push((await signInFrom(email, `guess number ${n}`)).status);
      test.clock.advance(3.6);
    }
    const judged = answers.filter((status) => status === 401).length;
    expect(judged).toBeGreaterThanOrEqual(10);
    expect(judged).toBeLessThanOrEqual(40);
    expect(new Set(answers)).toEqual(new Set([401, 429]));
  });

  it('is evaluated at most ten times in parallel attempts', async () => {
    const { email } = await makeMember(test, { passwordHash: await passwordHash() });
    const answers = await Promise.all(Array.from({ length: 20 }, (_, n) => signInFrom(email, `guess number ${n}`)));
    expect(answers.filter((answer) => answer.status === 401)).toHaveLength(10);
  });

  it('does not lock the owner out: the session stays open and a reset works', async () => {
    const member = await makeMember(test, { passwordHash: await passwordHash() });
    for (let n = 0; n < 15; n += 1) await signInFrom(member.email, 'guess');
    const refused = await signInFrom(member.email, password);
    expect(refused.status).toBe(429);
    expect(Number(refused.headers['retry-after'])).toBeGreaterThanOrEqual(1);
    expect((await test.call(getProfile, { token: member.token })).status).toBe(200);
    await test.call(forgotPassword, { body: { email: member.email } });
    await test.drain();
    const token = tokenIn((await test.outbox(member.email))[0]?.links[0]) ?? '';
    await test.call(resetPassword, { body: { token, password: 'another fine secret' } });
    expect((await signInFrom(member.email, 'another fine secret')).status).toBe(200);
  });

  it('pauses an account for 15 minutes at most', async () => {
    const { email } = await makeMember(test, { passwordHash: await passwordHash() });
    const pauses = [];
    for (let n = 0; n < 40; n += 1) {
      const pause = Number((await signInFrom(email, 'guess')).headers['retry-after'] ?? 0);
      pauses.push(pause);
      test.clock.advance(pause);
    }
    expect(Math.max(...pauses)).toBe(15 * 60);
  });

  it('from elsewhere, or at other accounts, does not pause the owner in a network where they signed in before', async () => {
    const { email } = await makeMember(test, { passwordHash: await passwordHash() });
    const home = '198.51.100.20';
    expect((await signInFrom(email, password, home)).status).toBe(200);
    for (let n = 0; n < 15; n += 1) await signInFrom(email, 'guess');
    for (let n = 0; n < 110; n += 1) await signInFrom(`neighbour${n}@example.test`, 'guess', '198.51.100.21');
    expect((await signInFrom(`neighbour@example.test`, 'guess', '198.51.100.21')).status).toBe(429);
    expect((await signInFrom(email, password)).status).toBe(429);
    expect((await signInFrom(email, password, home)).status).toBe(200);
    const guesses = [];
    for (let n = 0; n < 12; n += 1) guesses.push((await signInFrom(email, 'guess', home)).status);
    expect(guesses.filter((status) => status === 401)).toHaveLength(10);
  });

  it('with leaked password lists is limited per network: four fifths of 500 accounts are not evaluated', async () => {
    const answers = [];
    for (let n = 0; n < 500; n += 1)
      answers.push((await signInFrom(`stuffed${n}@example.test`, 'guess', '203.0.113.9')).status);
    expect(answers.filter((status) => status === 429).length).toBeGreaterThanOrEqual(400);
    test.clock.advance(16 * 60);
    expect((await signInFrom('stuffed1@example.test', 'guess', '203.0.113.9')).status).toBe(401);
  });

  it('counted by a clock two hours ahead locks no one out once the clock is corrected', async () => {
    const { email } = await makeMember(test, { passwordHash: await passwordHash() });
    test.clock.advance(2 * 3600);
    for (let n = 0; n < 12; n += 1) await signInFrom(email, 'guess', '192.0.2.77');
    expect((await signInFrom(email, password, '192.0.2.77')).status).toBe(429);
    test.clock.advance(-2 * 3600);
    expect((await signInFrom(email, password, '192.0.2.77')).status).toBe(200);
  });

  it('is counted from zero after the correct password', async () => {
    const { email } = await makeMember(test, { passwordHash: await passwordHash() });
    for (let round = 0; round < 3; round += 1) {
      for (let n = 0; n < 8; n += 1) await signInFrom(email, 'guess');
      expect((await signInFrom(email, password)).status).toBe(200);
    }
  });
});

describe('registering from one network', () => {
  it('reveals that an address is in use at most five times an hour', async () => {
    const join = (n: number, from: string) =>
      test.call(register, {
        body: { email: `crowd${n}-${from}@example.test`, password, firstName: 'Rosa', acceptTerms: true },
        headers: { 'x-forwarded-for': from },
      });
    const statuses = [];
    for (let n = 0; n < 7; n += 1) statuses.push((await join(0, '198.51.100.7')).status);
    expect(statuses).toEqual([201, 409, 409, 409, 409, 409, 429]);
    expect((await join(1, '198.51.100.7')).status).toBe(429);
    for (const neighbour of ['198.51.100.8', '198.51.101.7']) expect((await join(1, neighbour)).status).toBe(201);
  });

  it.each([
    ['the addresses of one IPv4 network', (n: number) => `198.51.103.${n}`, 50],
    ['the addresses of one IPv6 customer', (n: number) => `2001:db8:7:700::${n.toString(16)}`, 5],
  ])('reveals no more to %s together', async (_, from, most) => {
    const { email } = await makeMember(test);
    const body = { email, password, firstName: 'Rosa', acceptTerms: true } as const;
    const statuses = [];
    for (let n = 1; n <= most + 2; n += 1)
      statuses.push((await test.call(register, { body, headers: { 'x-forwarded-for': from(n) } })).status);
    expect(statuses).toEqual([...Array<number>(most).fill(409), 429, 429]);
  });

  it('reveals no more to parallel requests, and counts only what it revealed', async () => {
    const join = (email: string) =>
      test.call(register, {
        body: { email, password, firstName: 'Rosa', acceptTerms: true },
        headers: { 'x-forwarded-for': '198.51.102.7' },
      });
    for (const n of [1, 2, 3, 4, 5, 6]) expect((await join(`free${n}@example.test`)).status).toBe(201);
    const taken = await Promise.all(Array.from({ length: 12 }, () => makeMember(test)));
    const free = ['free7@example.test', 'free8@example.test'];
    const answers = await Promise.all([...taken.map(({ email }) => email), ...free].map(join));
    const statuses = answers.map(({ status }) => status);
    // A free address gets the same 429, so the answers reveal nothing. A free address among the first five joins, and
    // is not counted.
    for (const status of statuses.slice(-free.length)) expect([201, 429]).toContain(status);
    for (const { email } of taken.slice(0, 6)) statuses.push((await join(email)).status);
    expect(statuses.filter((status) => status === 409)).toHaveLength(5);
    expect(statuses.at(-1)).toBe(429);
  });
});

const member = async () => makeMember(test, { passwordHash: await passwordHash() });
const warnings = async (email: string) =>
  (await test.outbox(email)).filter(({ text }) => /wrong passwords were entered/i.test(text)).length;

type Guess = (owner: TestMember, given: string) => Promise<{ status: number }>;
const guess: Guess = ({ token }, currentPassword) =>
  test.call(changePassword, { token, body: { currentPassword, password: newPassword }, headers: newNetwork() });
const confirm: Guess = ({ token }, given) =>
  test.call(setUpTotp, { token, body: { password: given }, headers: newNetwork() });
const guesses = Object.entries<Guess>({
  'changing the password': guess,
  'changing the address': ({ token }, given) =>
    test.call(changeEmail, { token, body: { email: newAddress(), password: given }, headers: newNetwork() }),
  'deleting the account': ({ token }, given) =>
    test.call(leaveService, { token, body: { password: given }, headers: newNetwork() }),
  'setting up two-step verification': confirm,
});

describe('password guesses on a signed-in device', () => {
  it.each(guesses)('by %s are throttled together with sign-in, and the owner is emailed once', async (_, act) => {
    const owner = await member();
    const statuses = [];
    for (let n = 0; n < 13; n += 1) statuses.push((await act(owner, `guess number ${n}`)).status);
    expect(statuses).toEqual([...Array<number>(10).fill(403), 429, 429, 429]);
    expect((await act(owner, password)).status).toBe(429);
    expect((await signInFrom(owner.email, password)).status).toBe(429);
    expect(await warnings(owner.email)).toBe(1);
    test.clock.advance(2);
    expect((await act(owner, 'another guess')).status).toBe(403);
    expect(await warnings(owner.email)).toBe(1);
    test.clock.advance(60);
    expect((await signInFrom(owner.email, password)).status).toBe(200);
  });

  it('are emailed even if failed sign-ins were counted in between', async () => {
    const owner = await member();
    for (let n = 0; n < 9; n += 1) await guess(owner, `guess number ${n}`);
    expect((await signInFrom(owner.email, 'the tenth guess')).status).toBe(401);
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
      for (let n = 0; n < 8; n += 1) await signInFrom(owner.email, `guess number ${n}`);
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
      expect((await signInFrom(email, password)).status).toBe(429);
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
