import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { forgotPassword, register, resetPassword } from '#contract/auth/auth.ts';
import { login } from '#contract/auth/session.ts';
import { getProfile } from '#contract/profiles/profiles.ts';
import { hashPassword } from '../password/hashing.ts';
import { makeMember } from '../../../../test/factories.ts';
import { startApp, type TestApp } from '../../../../test/harness.ts';

const password = 'correct horse battery';
let test: TestApp;
beforeAll(async () => {
  test = await startApp({ RATE_LIMITS: 'on', TRUSTED_PROXIES: 'loopback' });
});
afterAll(() => test.close());

let network = 0;
/** A sign-in from a unique network by default. */
function signInFrom(email: string, secret: string, from?: string) {
  network += 1;
  const address = from ?? `10.${Math.floor(network / 250)}.${network % 250}.7`;
  return test.call(login, { body: { email, password: secret }, headers: { 'x-forwarded-for': address } });
}

describe('password guessing', () => {
  it('is limited to 40 evaluated guesses per account and hour, even from a thousand networks', async () => {
    const { email } = await makeMember(test, { passwordHash: await hashPassword(password) });
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
    const { email } = await makeMember(test, { passwordHash: await hashPassword(password) });
    const answers = await Promise.all(Array.from({ length: 20 }, (_, n) => signInFrom(email, `guess number ${n}`)));
    expect(answers.filter((answer) => answer.status === 401)).toHaveLength(10);
  });

  it('does not lock the owner out: the session stays open and a reset works', async () => {
    const member = await makeMember(test, { passwordHash: await hashPassword(password) });
    for (let n = 0; n < 15; n += 1) await signInFrom(member.email, 'guess');
    const refused = await signInFrom(member.email, password);
    expect(refused.status).toBe(429);
    expect(Number(refused.headers['retry-after'])).toBeGreaterThanOrEqual(1);
    expect((await test.call(getProfile, { token: member.token })).status).toBe(200);
    await test.call(forgotPassword, { body: { email: member.email } });
    await test.drain();
    const token = new URL((await test.outbox(member.email))[0]?.links[0] ?? '').searchParams.get('token') ?? '';
    await test.call(resetPassword, { body: { token, password: 'another fine secret' } });
    expect((await signInFrom(member.email, 'another fine secret')).status).toBe(200);
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
    const { email } = await makeMember(test, { passwordHash: await hashPassword(password) });
    test.clock.advance(2 * 3600);
    for (let n = 0; n < 12; n += 1) await signInFrom(email, 'guess', '192.0.2.77');
    expect((await signInFrom(email, password, '192.0.2.77')).status).toBe(429);
    test.clock.advance(-2 * 3600);
    expect((await signInFrom(email, password, '192.0.2.77')).status).toBe(200);
  });

  it('is counted from zero after the correct password', async () => {
    const { email } = await makeMember(test, { passwordHash: await hashPassword(password) });
    for (let round = 0; round < 3; round += 1) {
      for (let n = 0; n < 8; n += 1) await signInFrom(email, 'guess');
      expect((await signInFrom(email, password)).status).toBe(200);
    }
  });
});

describe('registering from one network', () => {
  it('reveals five times an hour that an address is in use, then nothing', async () => {
    const join = (n: number, from: string) =>
      test.call(register, {
        body: { email: `crowd${n}-${from}@example.test`, password, firstName: 'Rosa', acceptTerms: true },
        headers: { 'x-forwarded-for': from },
      });
    const statuses = [];
    for (let n = 0; n < 7; n += 1) statuses.push((await join(0, '198.51.100.7')).status);
    expect(statuses).toEqual([201, 409, 409, 409, 409, 409, 429]);
    expect((await join(1, '198.51.100.7')).status).toBe(429);
    expect((await join(1, '198.51.101.7')).status).toBe(201);
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
