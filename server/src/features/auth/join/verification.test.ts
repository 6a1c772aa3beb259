import { describe, expect, it } from 'vitest';
import { changePassword, register, resendVerification, verifyEmail } from '#contract/auth/auth.ts';
import type { BodyInput } from '#contract/endpoint.ts';
import { refreshToken } from '#contract/auth/session.ts';
import { getProfile } from '#contract/profiles/profiles.ts';
import { makeMember } from '../../../../test/factories.ts';
import { startAppForTests } from '../../../../test/harness.ts';
import { tokenIn } from '../../../../test/mail/link-token.ts';

const password = 'correct horse battery';
const test = startAppForTests();
let people = 0;

async function registerNewcomer() {
  people += 1;
  const email = `person${people}@example.test`;
  const joined = await test.call(register, { body: { email, password, firstName: 'Rosa', acceptTerms: true } });
  const [mail] = await test.outbox(email);
  const token = tokenIn(mail?.links[0]) ?? '';
  return { email, ...joined.body, code: mail?.code ?? '', linkToken: token };
}

const isVerified = async (token: string) => (await test.call(getProfile, { token })).body.userData.user.isEmailVerified;
const wrongCode = (code: string) => String((Number(code) + 1) % 1_000_000).padStart(6, '0');

describe('POST /auth/verify-email', () => {
  it('accepts the code alone from a signed-in caller, and keeps the session', async () => {
    const person = await registerNewcomer();
    expect((await test.call(verifyEmail, { token: person.token, body: { code: person.code } })).status).toBe(200);
    expect(await isVerified(person.token)).toBe(true);
  });

  it('accepts a handle and a code, and signs in', async () => {
    const person = await registerNewcomer();
    const proven = await test.call(verifyEmail, {
      body: { verificationToken: person.verificationToken, code: person.code },
    });
    expect(await isVerified(proven.body.token ?? '')).toBe(true);
  });

  it.each([
    ['with a space', (code: string) => `${code.slice(0, 3)} ${code.slice(3)}`],
    ['with a hyphen and surrounding spaces', (code: string) => ` ${code.slice(0, 3)}-${code.slice(3)} `],
    ['in Arabic digits', (code: string) => code.replaceAll(/./g, (digit) => '٠١٢٣٤٥٦٧٨٩'.charAt(Number(digit)))],
    [
      'in full-width digits',
      (code: string) => code.replaceAll(/./g, (digit) => '０１２３４５６７８９'.charAt(Number(digit))),
    ],
  ])('accepts the code %s', async (_, typed) => {
    const { verificationToken, code } = await registerNewcomer();
    expect((await test.call(verifyEmail, { body: { verificationToken, code: typed(code) } })).status).toBe(200);
  });

  it('names the invalid field, not one of another verification method', async () => {
    const { verificationToken } = await registerNewcomer();
    const fieldsOf = async (body: BodyInput<typeof verifyEmail>) =>
      (await test.call(verifyEmail, { body })).error.errors?.map(({ field }) => field);
    expect(await fieldsOf({ verificationToken, code: '12345' })).toEqual(['code']);
    expect(await fieldsOf({ code: '12345' })).toEqual(['code']);
    expect(await fieldsOf({ token: '' })).toEqual(['token']);
  });

  it('accepts the emailed link with the password once, and ends earlier sessions', async () => {
    const person = await registerNewcomer();
    const body = { token: person.linkToken, password };
    const proven = await test.call(verifyEmail, { body });
    expect(await isVerified(proven.body.token ?? '')).toBe(true);
    expect((await test.call(getProfile, { token: person.token })).status).toBe(401);
    expect((await test.call(verifyEmail, { body })).error.code).toBe('INVALID_CODE');
  });

  it('accepts the emailed link in a session of the account, and keeps that session', async () => {
    const person = await registerNewcomer();
    const proven = await test.call(verifyEmail, { token: person.token, body: { token: person.linkToken } });
    expect(proven.body.token).toBeUndefined();
    expect(await isVerified(person.token)).toBe(true);
  });

  it('rejects a handle alone, another account’s code, and a handle used as a link', async () => {
    const person = await registerNewcomer();
    const other = await registerNewcomer();
    expect((await test.call(verifyEmail, { body: { token: person.verificationToken } })).status).toBe(400);
    expect((await test.call(verifyEmail, { token: other.token, body: { code: wrongCode(other.code) } })).status).toBe(
      400,
    );
    expect((await test.call(verifyEmail, { body: { code: person.code } })).status).toBe(401);
    expect(await isVerified(person.token)).toBe(false);
  });

  it.each(['the handle', 'a session'])(
    'rejects the code after five wrong ones entered with %s, even in parallel',
    async (by) => {
      const person = await registerNewcomer();
      const { verificationToken } = person;
      const enter = (code: string) =>
        by === 'a session'
          ? test.call(verifyEmail, { token: person.token, body: { code } })
          : test.call(verifyEmail, { body: { verificationToken, code } });
      const guesses = Array.from({ length: 12 }, () => enter(wrongCode(person.code)));
      for (const answer of await Promise.all(guesses)) expect(answer.status).toBe(400);
      expect((await enter(person.code)).status).toBe(400);
      expect(await isVerified(person.token)).toBe(false);
    },
  );

  it('accepts the first code from a signed-in caller although a stranger requested more codes and guessed wrong', async () => {
    const person = await registerNewcomer();
    for (let asked = 0; asked < 6; asked += 1) {
      test.clock.advance(61);
      const { verificationToken = '' } = (await test.call(resendVerification, { body: { email: person.email } })).body;
      await test.drain();
      for (let guess = 0; guess < 6; guess += 1)
        await test.call(verifyEmail, { body: { verificationToken, code: wrongCode(person.code) } });
    }
    expect((await test.call(resendVerification, { token: person.token, body: {} })).status).toBe(200);
    expect((await test.call(verifyEmail, { token: person.token, body: { code: person.code } })).status).toBe(200);
  });

  it('accepts the code for ten minutes and the link for a day', async () => {
    const person = await registerNewcomer();
    test.clock.advance(10 * 60 + 1);
    expect((await test.call(verifyEmail, { token: person.token, body: { code: person.code } })).status).toBe(400);
    test.clock.advance(24 * 3600);
    expect((await test.call(verifyEmail, { body: { token: person.linkToken, password } })).status).toBe(400);
  });
});

describe('POST /auth/resend-verification', () => {
  it('sends one email a minute and five a day, which ends at midnight (UTC)', async () => {
    const start = test.clock.now();
    test.clock.set(new Date('2026-06-15T23:50:00Z'));
    const person = await registerNewcomer();
    const early = await test.call(resendVerification, { token: person.token, body: {} });
    expect(early.status).toBe(429);
    expect(Number(early.headers['retry-after'])).toBeGreaterThan(50);
    const later = [];
    for (let n = 0; n < 6; n += 1) {
      test.clock.advance(61);
      later.push((await test.call(resendVerification, { token: person.token, body: {} })).status);
    }
    expect(later).toEqual([200, 200, 200, 200, 200, 429]);
    test.clock.set(new Date('2026-06-16T00:00:00Z'));
    expect((await test.call(resendVerification, { token: person.token, body: {} })).status).toBe(200);
    test.clock.set(start);
  });

  it('ignores send times in the future', async () => {
    test.clock.advance(2 * 3600);
    const person = await registerNewcomer();
    test.clock.advance(-2 * 3600);
    const { token } = (await test.call(refreshToken, { body: { refreshToken: person.refreshToken } })).body.data;
    expect((await test.call(resendVerification, { token, body: {} })).status).toBe(200);
    expect((await test.call(resendVerification, { token, body: {} })).status).toBe(429);
  });

  it('answers the same for known, unknown and verified addresses, and emails only the first', async () => {
    const person = await registerNewcomer();
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
    const shown = { verificationToken: answers[0]?.body.verificationToken ?? '', code: mails[0]?.code ?? '' };
    // A correct code is not a guess, so a request for the proof does not count as an attempt.
    for (let tries = 0; tries < 6; tries += 1) {
      const { error } = await test.call(verifyEmail, { body: shown });
      expect(error).toMatchObject({ code: 'PROOF_REQUIRED', data: { proof: { purpose: 'join', hasPassword: true } } });
    }
    expect((await test.call(verifyEmail, { body: { ...shown, password } })).status).toBe(200);
  });

  it.each(['another code was requested', 'the password was changed'])(
    'no longer accepts the handle from joining as proof once %s',
    async (what) => {
      const person = await registerNewcomer();
      test.clock.advance(61);
      if (what === 'the password was changed') {
        const body = { currentPassword: password, password: 'another fine secret' };
        expect((await test.call(changePassword, { token: person.token, body })).status).toBe(200);
      } else {
        await test.call(resendVerification, { token: person.token, body: {} });
      }
      const body = { verificationToken: person.verificationToken, code: person.code };
      expect((await test.call(verifyEmail, { body })).error.code).toBe('PROOF_REQUIRED');
      expect(await isVerified(person.token)).toBe(false);
    },
  );
});
