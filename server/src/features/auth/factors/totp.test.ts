import { describe, expect, it } from 'vitest';
import {
  disableTotp,
  enableTotp,
  getSecondFactor,
  loginWithCode,
  renewRecoveryCodes,
  setUpTotp,
} from '#contract/auth/factors.ts';
import { forgotPassword, resendVerification, resetPassword, verifyEmail } from '#contract/auth/auth.ts';
import { getProfile } from '#contract/profiles/profiles.ts';
import { login } from '#contract/auth/session.ts';
import { makeMember } from '../../../../test/factories.ts';
import { challengeOf, codeAt, signInTwice, turnOn, wrongCodeAt } from '../../../../test/factors.ts';
import { password, passwordHash } from '../../../../test/guards/people.ts';
import { linkTokenOf } from '../../../../test/guards/requests.ts';
import { startAppForTests } from '../../../../test/harness.ts';
import { sessionIn } from '../../../../test/session-in.ts';

const test = startAppForTests();

const member = async () => makeMember(test, { passwordHash: await passwordHash() });
const now = () => test.clock.now();
const textsTo = async (email: string) => (await test.outbox(email)).map(({ text }) => text);

async function memberWithFactor() {
  const someone = await member();
  const factors = await turnOn(test, someone, password);
  return { ...someone, ...factors };
}

describe('setting up two-step verification', () => {
  it('requires the password and takes effect with the first code', async () => {
    const { token, email } = await member();
    expect((await test.call(setUpTotp, { token, body: { password: 'a guess' } })).error.code).toBe('WRONG_PASSWORD');
    expect((await test.call(setUpTotp, { token, body: {} })).error.code).toBe('WRONG_PASSWORD');
    const { secret, uri } = (await test.call(setUpTotp, { token, body: { password } })).body.data;
    expect(secret).toMatch(/^[A-Z2-7]{32}$/);
    expect(uri).toContain(`otpauth://totp/Heartwood:${encodeURIComponent(email)}?`);
    expect(uri).toContain(`secret=${secret}`);
    expect((await test.call(getSecondFactor, { token })).body.data.since).toBeNull();
    expect(sessionIn((await test.call(login, { body: { email, password } })).body).token).toBeTruthy();
    const wrong = await test.call(enableTotp, { token, body: { code: wrongCodeAt(secret, now()) } });
    expect(wrong.error.code).toBe('INVALID_CODE');
    const enabled = (await test.call(enableTotp, { token, body: { code: codeAt(secret, now()) } })).body.data;
    const { recoveryCodes } = enabled;
    expect(new Set(recoveryCodes).size).toBe(10);
    for (const code of recoveryCodes) expect(code).toMatch(/^[0-9A-HJKMNP-TV-Z]{4}(-[0-9A-HJKMNP-TV-Z]{4}){2}$/);
    const raised = { token: enabled.token ?? '' };
    const { since, recoveryCodesLeft } = (await test.call(getSecondFactor, raised)).body.data;
    expect({ since, recoveryCodesLeft }).toEqual({ since: now().toISOString(), recoveryCodesLeft: 10 });
    expect((await textsTo(email)).some((text) => /two-step verification is on/i.test(text))).toBe(true);
  });

  it('expires after ten minutes, and starting over replaces the key', async () => {
    const { token } = await member();
    const first = (await test.call(setUpTotp, { token, body: { password } })).body.data.secret;
    test.clock.advance(600);
    const late = await test.call(enableTotp, { token, body: { code: codeAt(first, now()) } });
    expect(late.error.code).toBe('CONFLICT');
    const second = (await test.call(setUpTotp, { token, body: { password } })).body.data.secret;
    expect((await test.call(enableTotp, { token, body: { code: codeAt(first, now()) } })).error.code).toBe(
      'INVALID_CODE',
    );
    const enabled = await test.call(enableTotp, { token, body: { code: codeAt(second, now()) } });
    const again = await test.call(setUpTotp, { token: enabled.body.data.token ?? '', body: { password } });
    expect(again.error.code).toBe('CONFLICT');
  });

  it('stores neither the key nor recovery codes in plain text', async () => {
    const { id, secret, recoveryCodes } = await memberWithFactor();
    const factor = await test.db.selectFrom('totp_factor').selectAll().where('account_id', '=', id).execute();
    const codes = await test.db.selectFrom('recovery_code').selectAll().where('account_id', '=', id).execute();
    const kept = [...factor.map((row) => row.sealed_secret), ...codes.map((row) => row.code_hash)];
    for (const word of [secret, ...recoveryCodes.flatMap((code) => [code, code.replaceAll('-', '')])])
      expect(kept.some((bytes) => bytes.includes(word))).toBe(false);
  });

  it('keeps existing sessions open', async () => {
    const someone = await member();
    const other = sessionIn((await test.call(login, { body: { email: someone.email, password } })).body);
    await turnOn(test, someone, password);
    for (const token of [someone.token, other.token]) expect((await test.call(getProfile, { token })).status).toBe(200);
  });
});

describe('signing in with a second factor', () => {
  it('requires the code after the password, and issues no token until then', async () => {
    const { email } = await memberWithFactor();
    const { data } = (await test.call(login, { body: { email, password } })).body;
    expect(Object.keys(data).sort()).toEqual(['challenge', 'totpRequired']);
    const wrong = await test.call(login, { body: { email, password: 'a guess' } });
    const unknown = await test.call(login, { body: { email: 'nobody@example.test', password } });
    expect({ ...wrong.error, requestId: '' }).toEqual({ ...unknown.error, requestId: '' });
  });

  it('accepts codes of the previous and the next time step, with or without spaces, each once', async () => {
    const { email, secret } = await memberWithFactor();
    test.clock.advance(30);
    for (const steps of [-1, 0, 1]) {
      const code = codeAt(secret, now(), steps).replace(/^(...)/, ' $1 ');
      expect((await signInTwice(test, email, password, code)).status, String(steps)).toBe(200);
      expect((await signInTwice(test, email, password, code)).error.code, String(steps)).toBe('INVALID_CODE');
    }
    // Codes older than the newest accepted one are rejected.
    expect((await signInTwice(test, email, password, codeAt(secret, now()))).error.code).toBe('INVALID_CODE');
    test.clock.advance(60);
    expect((await signInTwice(test, email, password, codeAt(secret, now(), -2))).error.code).toBe('INVALID_CODE');
    expect((await signInTwice(test, email, password, codeAt(secret, now(), 2))).error.code).toBe('INVALID_CODE');
    expect((await signInTwice(test, email, password, codeAt(secret, now()))).status).toBe(200);
  });

  it('rejects the code that turned two-step verification on', async () => {
    const someone = await member();
    const { token } = someone;
    const { secret } = (await test.call(setUpTotp, { token, body: { password } })).body.data;
    const code = codeAt(secret, now());
    await test.call(enableTotp, { token, body: { code } });
    expect((await signInTwice(test, someone.email, password, code)).error.code).toBe('INVALID_CODE');
  });

  it('accepts only one of ten parallel uses of a code, with one challenge or with ten', async () => {
    const { email, secret } = await memberWithFactor();
    for (const challenges of [1, 10]) {
      const open: string[] = [];
      for (let n = 0; n < challenges; n += 1) open.push(await challengeOf(test, email, password));
      const code = codeAt(secret, now());
      const answers = await Promise.all(
        Array.from({ length: 10 }, (_, n) =>
          test.call(loginWithCode, { body: { challenge: open[n % challenges] ?? '', code } }),
        ),
      );
      const statuses = answers.map(({ status }) => status).toSorted();
      expect(statuses.filter((status) => ![400, 429].includes(status))).toEqual([200]);
      test.clock.advance(3600);
    }
  });

  it('accepts a challenge once, for ten minutes, and only for its own account', async () => {
    const first = await memberWithFactor();
    const other = await memberWithFactor();
    const use = (challenge: string, code: string) => test.call(loginWithCode, { body: { challenge, code } });
    const challenge = await challengeOf(test, first.email, password);
    expect((await use(challenge, codeAt(other.secret, now()))).error.code).toBe('INVALID_CODE');
    expect((await use(challenge, codeAt(first.secret, now()))).status).toBe(200);
    test.clock.advance(30);
    expect((await use(challenge, codeAt(first.secret, now()))).error.code).toBe('CHALLENGE_EXPIRED');
    const late = await challengeOf(test, first.email, password);
    test.clock.advance(600);
    expect((await use(late, codeAt(first.secret, now()))).error.code).toBe('CHALLENGE_EXPIRED');
    expect((await use('never given out', codeAt(first.secret, now()))).error.code).toBe('CHALLENGE_EXPIRED');
  });

  it('returns 403 to accounts that were deactivated in the meantime', async () => {
    const { id, email, secret } = await memberWithFactor();
    const challenge = await challengeOf(test, email, password);
    const off = { is_active: false, deactivated_at: now(), deactivation_reason: 'Spam' };
    await test.db.updateTable('account').set(off).where('id', '=', id).execute();
    const answer = await test.call(loginWithCode, { body: { challenge, code: codeAt(secret, now()) } });
    expect(answer.error.code).toBe('ACCOUNT_DEACTIVATED');
  });

  it('accepts each recovery code once, with any capitalization and spacing, and emails the owner', async () => {
    const { email, recoveryCodes } = await memberWithFactor();
    const [first = '', second = ''] = recoveryCodes;
    const copied = first.toLowerCase().replaceAll('-', ' ').replaceAll('0', 'o').replaceAll('1', 'l');
    expect((await signInTwice(test, email, password, copied)).status).toBe(200);
    expect((await textsTo(email)).some((text) => /9 left/.test(text))).toBe(true);
    expect((await signInTwice(test, email, password, first)).error.code).toBe('INVALID_CODE');
    const challenges = [await challengeOf(test, email, password), await challengeOf(test, email, password)];
    const answers = await Promise.all(
      challenges.map((challenge) => test.call(loginWithCode, { body: { challenge, code: second } })),
    );
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 400]);
  });
});

describe('guessing two-step codes', () => {
  it('ends the challenge after five wrong codes, blocks further attempts with the password, and emails the owner', async () => {
    const { email, secret } = await memberWithFactor();
    const wrong = wrongCodeAt(secret, now());
    const challenge = await challengeOf(test, email, password);
    const codes = [];
    for (let n = 0; n < 6; n += 1)
      codes.push((await test.call(loginWithCode, { body: { challenge, code: wrong } })).error.code);
    expect(codes).toEqual([...Array<string>(4).fill('INVALID_CODE'), 'CHALLENGE_EXPIRED', 'CHALLENGE_EXPIRED']);
    const paused = await signInTwice(test, email, password, codeAt(secret, now()));
    expect(paused.error).toMatchObject({ code: 'TOO_MANY_REQUESTS' });
    expect(paused.error.message).toBe('Too many wrong codes. Please wait a minute.');
    expect(paused.headers['retry-after']).toBe('60');
    expect((await textsTo(email)).filter((text) => /wrong codes/i.test(text))).toHaveLength(1);
    test.clock.advance(61);
    expect((await signInTwice(test, email, password, wrong)).error.code).toBe('INVALID_CODE');
    test.clock.advance(61);
    expect((await signInTwice(test, email, password, codeAt(secret, now()))).status).toBe(429);
    test.clock.advance(61);
    expect((await signInTwice(test, email, password, codeAt(secret, now()))).status).toBe(200);
    // A correct code resets the count.
    for (let n = 0; n < 4; n += 1) await signInTwice(test, email, password, wrongCodeAt(secret, now()));
    test.clock.advance(30);
    expect((await signInTwice(test, email, password, codeAt(secret, now()))).status).toBe(200);
  });

  it('pauses for six hours at most', async () => {
    const { email, secret } = await memberWithFactor();
    const pauses = [];
    for (let n = 0; n < 30; n += 1) {
      const { headers } = await signInTwice(test, email, password, wrongCodeAt(secret, now()));
      const pause = Number(headers['retry-after'] ?? 0);
      pauses.push(pause);
      test.clock.advance(pause);
    }
    expect(Math.max(...pauses)).toBe(6 * 3600);
  });

  it('evaluates only five of twenty parallel codes', async () => {
    const { email, secret } = await memberWithFactor();
    const open: string[] = [];
    for (let n = 0; n < 20; n += 1) open.push(await challengeOf(test, email, password));
    const code = wrongCodeAt(secret, now());
    const answers = await Promise.all(open.map((challenge) => test.call(loginWithCode, { body: { challenge, code } })));
    expect(answers.filter(({ status }) => status === 400)).toHaveLength(5);
    expect(answers.filter(({ status }) => status === 429)).toHaveLength(15);
  });

  it('is unblocked by a new password, which also ends open challenges', async () => {
    const { email, secret } = await memberWithFactor();
    const before = await challengeOf(test, email, password);
    for (let n = 0; n < 5; n += 1) await signInTwice(test, email, password, wrongCodeAt(secret, now()));
    await test.call(forgotPassword, { body: { email } });
    await test.drain();
    const link = (await test.outbox(email)).find(({ links }) => links[0]?.includes('/app/reset-password'));
    const fresh = 'a password nobody knows yet';
    await test.call(resetPassword, { body: { token: linkTokenOf(link), password: fresh } });
    const code = codeAt(secret, now());
    expect((await test.call(loginWithCode, { body: { challenge: before, code } })).error.code).toBe(
      'CHALLENGE_EXPIRED',
    );
    // A new password does not turn two-step verification off.
    expect((await signInTwice(test, email, fresh, code)).status).toBe(200);
  });
});

describe('turning two-step verification off', () => {
  it('requires the password and a code, and emails the owner', async () => {
    const { token, email, secret } = await memberWithFactor();
    const off = (body: object) => test.call(disableTotp, { token, body });
    expect((await off({ password })).error).toMatchObject({ code: 'INVALID_INPUT', errors: [{ field: 'code' }] });
    expect((await off({ code: codeAt(secret, now()) })).error.code).toBe('WRONG_PASSWORD');
    expect((await off({ password, code: wrongCodeAt(secret, now()) })).error.code).toBe('INVALID_CODE');
    expect((await off({ password, code: codeAt(secret, now()) })).status).toBe(200);
    expect((await textsTo(email)).some((text) => /two-step verification is off/i.test(text))).toBe(true);
    expect((await test.call(getSecondFactor, { token })).body.data).toMatchObject({
      since: null,
      recoveryCodesLeft: 0,
    });
    expect(sessionIn((await test.call(login, { body: { email, password } })).body).token).toBeTruthy();
    expect((await off({ password, code: codeAt(secret, now()) })).error.code).toBe('CONFLICT');
  });

  it('accepts a recovery code once', async () => {
    const { token, recoveryCodes } = await memberWithFactor();
    const [code = ''] = recoveryCodes;
    const renewed = await test.call(renewRecoveryCodes, { token, body: { password, code } });
    expect(renewed.body.data.recoveryCodes).toHaveLength(10);
    expect(renewed.body.data.recoveryCodes.filter((each) => recoveryCodes.includes(each))).toEqual([]);
    for (const old of recoveryCodes.slice(0, 2))
      expect((await test.call(disableTotp, { token, body: { password, code: old } })).error.code).toBe('INVALID_CODE');
    const [fresh = ''] = renewed.body.data.recoveryCodes;
    expect((await test.call(disableTotp, { token, body: { password, code: fresh } })).status).toBe(200);
  });
});

describe('verifying an address by email', () => {
  it('does not replace the second factor', async () => {
    const someone = await memberWithFactor();
    await test.db.updateTable('account').set({ email_verified_at: null }).where('id', '=', someone.id).execute();
    test.clock.advance(61);
    await test.call(resendVerification, { token: someone.token, body: {} });
    const mail = (await test.outbox(someone.email)).find(({ code }) => code !== undefined);
    const token = linkTokenOf(mail);
    expect((await test.call(verifyEmail, { body: { token } })).error.code).toBe('PROOF_REQUIRED');
    const proven = await test.call(verifyEmail, { body: { token, password } });
    expect(proven.status).toBe(200);
    expect(proven.body.token).toBeUndefined();
  });
});
