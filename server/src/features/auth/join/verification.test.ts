import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { changeEmail, register, resendVerification, verifyEmail } from '#contract/auth/auth.ts';
import { login, refreshToken } from '#contract/auth/session.ts';
import { getProfile } from '#contract/profiles/profiles.ts';
import { hashPassword } from '../password/hashing.ts';
import { makeMember } from '../../../../test/factories.ts';
import { startApp, type TestApp } from '../../../../test/harness.ts';

const password = 'correct horse battery';
let test: TestApp;
let people = 0;
beforeAll(async () => {
  test = await startApp();
});
afterAll(() => test.close());

async function joinSomebody() {
  people += 1;
  const email = `person${people}@example.test`;
  const joined = await test.call(register, { body: { email, password, firstName: 'Rosa', acceptTerms: true } });
  const [mail] = await test.outbox(email);
  const token = new URL(mail?.links[0] ?? '').searchParams.get('token') ?? '';
  return { email, ...joined.body, code: mail?.code ?? '', linkToken: token };
}

const isVerified = async (token: string) => (await test.call(getProfile, { token })).body.userData.user.isEmailVerified;
const wrongCode = (code: string) => String((Number(code) + 1) % 1_000_000).padStart(6, '0');

describe('proving an address', () => {
  it('works by code alone when signed in, and keeps that session', async () => {
    const person = await joinSomebody();
    expect((await test.call(verifyEmail, { token: person.token, body: { code: person.code } })).status).toBe(200);
    expect(await isVerified(person.token)).toBe(true);
  });

  it('works by handle and code, and signs in', async () => {
    const person = await joinSomebody();
    const proven = await test.call(verifyEmail, {
      body: { verificationToken: person.verificationToken, code: person.code },
    });
    expect(await isVerified(proven.body.token ?? '')).toBe(true);
  });

  it('works by the mailed link, once, and ends the sessions that joined before it', async () => {
    const person = await joinSomebody();
    const proven = await test.call(verifyEmail, { body: { token: person.linkToken } });
    expect(await isVerified(proven.body.token ?? '')).toBe(true);
    expect((await test.call(getProfile, { token: person.token })).status).toBe(401);
    expect((await test.call(verifyEmail, { body: { token: person.linkToken } })).error.code).toBe('INVALID_CODE');
  });

  it('does nothing for the handle alone, a foreign code or the handle as a link', async () => {
    const person = await joinSomebody();
    const other = await joinSomebody();
    expect((await test.call(verifyEmail, { body: { token: person.verificationToken } })).status).toBe(400);
    expect((await test.call(verifyEmail, { token: other.token, body: { code: wrongCode(other.code) } })).status).toBe(
      400,
    );
    expect((await test.call(verifyEmail, { body: { code: person.code } })).status).toBe(401);
    expect(await isVerified(person.token)).toBe(false);
  });

  it('is dead after five wrong codes, also when they come at once', async () => {
    const person = await joinSomebody();
    const guesses = Array.from({ length: 12 }, () =>
      test.call(verifyEmail, { body: { verificationToken: person.verificationToken, code: wrongCode(person.code) } }),
    );
    for (const answer of await Promise.all(guesses)) expect(answer.status).toBe(400);
    expect((await test.call(verifyEmail, { token: person.token, body: { code: person.code } })).status).toBe(400);
    expect(await isVerified(person.token)).toBe(false);
  });

  it('takes the code for ten minutes and the link for a day', async () => {
    const person = await joinSomebody();
    test.clock.advance(10 * 60 + 1);
    expect((await test.call(verifyEmail, { token: person.token, body: { code: person.code } })).status).toBe(400);
    test.clock.advance(24 * 3600);
    expect((await test.call(verifyEmail, { body: { token: person.linkToken } })).status).toBe(400);
  });
});

describe('asking for another mail', () => {
  it('waits 60 s between two and stops after five a day', async () => {
    const person = await joinSomebody();
    const early = await test.call(resendVerification, { token: person.token, body: {} });
    expect(early.status).toBe(429);
    expect(Number(early.headers['retry-after'])).toBeGreaterThan(50);
    const later = [];
    for (let n = 0; n < 6; n += 1) {
      test.clock.advance(61);
      later.push((await test.call(resendVerification, { token: person.token, body: {} })).status);
    }
    expect(later).toEqual([200, 200, 200, 200, 200, 429]);
  });

  it('does not wait for a time that only a fast clock had reached', async () => {
    test.clock.advance(2 * 3600);
    const person = await joinSomebody();
    test.clock.advance(-2 * 3600);
    const { token } = (await test.call(refreshToken, { body: { refreshToken: person.refreshToken } })).body.data;
    expect((await test.call(resendVerification, { token, body: {} })).status).toBe(200);
    expect((await test.call(resendVerification, { token, body: {} })).status).toBe(429);
  });

  it('answers alike for a known, an unknown and a verified address, and mails only the first', async () => {
    const person = await joinSomebody();
    const verified = await makeMember(test);
    test.clock.advance(61);
    const answers = [];
    for (const email of [person.email, 'nobody@example.test', verified.email]) {
      answers.push(await test.call(resendVerification, { body: { email } }));
    }
    const shapes = answers.map(({ status, body }) => [
      status,
      { ...body, verificationToken: body.verificationToken?.length },
    ]);
    expect(shapes[1]).toEqual(shapes[0]);
    expect(shapes[2]).toEqual(shapes[0]);
    await test.drain();
    const mails = await test.outbox(person.email);
    expect(mails).toHaveLength(2);
    expect(await test.outbox('nobody@example.test')).toHaveLength(0);
    expect(await test.outbox(verified.email)).toHaveLength(0);
    const handle = answers[0]?.body.verificationToken ?? '';
    const proven = await test.call(verifyEmail, { body: { verificationToken: handle, code: mails[0]?.code ?? '' } });
    expect(proven.status).toBe(200);
  });
});

describe('changing the address', () => {
  it('needs the password, tells both mailboxes and happens when the new one answers', async () => {
    const member = await makeMember(test, { passwordHash: await hashPassword(password) });
    expect(
      (await test.call(changeEmail, { token: member.token, body: { email: 'new@example.test', password: 'guess' } }))
        .status,
    ).toBe(403);
    expect(await test.outbox(member.email)).toHaveLength(0);
    await test.call(changeEmail, { token: member.token, body: { email: 'new@example.test', password } });
    expect((await test.outbox(member.email))[0]?.text).toContain('new@example.test');
    expect((await test.call(login, { body: { email: member.email, password } })).status).toBe(200);
    const [mail] = await test.outbox('new@example.test');
    await test.call(verifyEmail, { token: member.token, body: { code: mail?.code ?? '' } });
    expect((await test.call(login, { body: { email: 'new@example.test', password } })).status).toBe(200);
    expect((await test.call(login, { body: { email: member.email, password } })).status).toBe(401);
  });

  it('does not tell whether the new address has an account; its owner is told', async () => {
    const member = await makeMember(test, { passwordHash: await hashPassword(password) });
    const owner = await makeMember(test);
    const answer = await test.call(changeEmail, { token: member.token, body: { email: owner.email, password } });
    expect(answer.status).toBe(200);
    const mails = await test.outbox(owner.email);
    expect(mails.map((mail) => mail.code)).toEqual([undefined]);
  });
});
