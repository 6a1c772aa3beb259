import { describe, expect, it } from 'vitest';
import { passkeysMax } from '#contract/constants.ts';
import { disableTotp, getSecondFactor, loginWithCode, setUpTotp, type Proof } from '#contract/auth/factors.ts';
import type { CreationOptions } from '#contract/auth/webauthn.ts';
import * as calls from '#contract/auth/passkeys.ts';
import { getProfile } from '#contract/profiles/profiles.ts';
import { login } from '#contract/auth/session.ts';
import { Authenticator, type Scene } from '../../../../test/doubles/authenticator.ts';
import { makeMember, type TestMember } from '../../../../test/factories.ts';
import {
  assertionOf,
  codeAt,
  makePasskey,
  sessionByPasskey,
  signInByPasskey,
  takeTokens,
  turnOn,
} from '../../../../test/factors.ts';
import { password, passwordHash } from '../../../../test/guards/people.ts';
import { startAppForTests } from '../../../../test/harness.ts';

const test = startAppForTests({ PUBLIC_URL: 'http://localhost:3000' });

const member = async (more = {}) => makeMember(test, { passwordHash: await passwordHash(), ...more });
const textsTo = async (email: string) => (await test.outbox(email)).map(({ text }) => text);
const begin = async ({ token }: { token: string }, body: Proof = { password }): Promise<CreationOptions> =>
  (await test.call(calls.passkeyRegisterOptions, { token, body })).body.data.options;
/** Saves a passkey and returns the member with the new tokens. */
async function keep(someone: { token: string }, credential: ReturnType<Authenticator['make']>) {
  const kept = await test.call(calls.passkeyRegister, { token: someone.token, body: { credential } });
  if (kept.status === 200) takeTokens(someone, kept.body.data);
  return kept;
}
const shown = async (authenticator: Authenticator) => ({ passkey: await assertionOf(test, authenticator) });
const challenge = async () => (await test.call(calls.passkeyLoginOptions)).body.data.options;

async function memberWithPasskey() {
  const someone = await member();
  const { authenticator, id: passkeyId } = await makePasskey(test, someone, password);
  return { ...someone, authenticator, passkeyId };
}

describe('creating a passkey', () => {
  it('requires the password, and requests a discoverable passkey with user verification', async () => {
    const someone = await member();
    const { token } = someone;
    for (const body of [{}, { password: 'a guess' }])
      expect((await test.call(calls.passkeyRegisterOptions, { token, body })).error.code).toBe('WRONG_PASSWORD');
    const options = await begin(someone);
    expect(options.rp).toEqual({ id: 'localhost', name: 'Heartwood' });
    expect(options.authenticatorSelection).toEqual({
      residentKey: 'required',
      requireResidentKey: true,
      userVerification: 'required',
    });
    expect(options.attestation).toBe('none');
    const authenticator = new Authenticator();
    expect((await keep(someone, authenticator.make(options))).status).toBe(200);
    expect((await textsTo(someone.email)).some((text) => /new passkey/i.test(text))).toBe(true);
    expect((await begin(someone, await shown(authenticator))).excludeCredentials).toHaveLength(1);
  });

  it.each<[string, Scene]>([
    ['from another origin', { origin: 'https://evil.example' }],
    ['from another port', { origin: 'http://localhost:3001' }],
    ['for another relying party', { rpId: 'evil.example' }],
    ['without user verification', { verified: false }],
    ['in a cross-origin frame', { crossOrigin: true }],
    ['for a challenge that was not issued', { challenge: 'bXkgb3duIGNoYWxsZW5nZQ' }],
    ['of a sign-in response', { type: 'webauthn.get' }],
  ])('rejects a response %s', async (_, scene) => {
    const someone = await member();
    const credential = new Authenticator().make(await begin(someone), scene);
    expect((await keep(someone, credential)).error.code).toBe('PASSKEY_REFUSED');
  });

  it('accepts a challenge once, within five minutes, and only from its own account', async () => {
    const [someone, other] = [await member(), await member()];
    const foreign = await begin(other);
    expect((await keep(someone, new Authenticator().make(foreign))).error.code).toBe('PASSKEY_REFUSED');
    const options = await begin(someone);
    const authenticator = new Authenticator();
    expect((await keep(someone, authenticator.make(options))).status).toBe(200);
    expect((await keep(someone, new Authenticator().make(options))).error.code).toBe('PASSKEY_REFUSED');
    const late = await begin(someone, await shown(authenticator));
    test.clock.advance(300);
    expect((await keep(someone, new Authenticator().make(late))).error.code).toBe('PASSKEY_REFUSED');
    const ofSignIn = await challenge();
    const misused = new Authenticator().make({ ...late, challenge: ofSignIn.challenge });
    expect((await keep(someone, misused)).error.code).toBe('PASSKEY_REFUSED');
  });

  it('rejects attestation certificates, whose URLs the server would have to call', async () => {
    const someone = await member();
    const statement = new Map<string, unknown>([['x5c', new Map([[0, Buffer.from('a certificate')]])]]);
    const credential = new Authenticator().make(await begin(someone), {}, statement);
    expect((await keep(someone, credential)).error.code).toBe('PASSKEY_REFUSED');
  });

  it('stores a passkey only once across all accounts', async () => {
    const { authenticator } = await memberWithPasskey();
    const other = await member();
    expect((await keep(other, authenticator.make(await begin(other)))).error.code).toBe('CONFLICT');
  });

  it(`is limited to ${passkeysMax} passkeys, even in parallel`, async () => {
    const someone = await memberWithPasskey();
    const proof = () => shown(someone.authenticator);
    const started = [];
    for (let n = 0; n < passkeysMax + 5; n += 1)
      started.push(new Authenticator().make(await begin(someone, await proof())));
    const answers = await Promise.all(started.map((credential) => keep(someone, credential)));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(passkeysMax - 1);
    const more = await test.call(calls.passkeyRegisterOptions, { token: someone.token, body: await proof() });
    expect(more.error.code).toBe('TOO_MANY_PASSKEYS');
  });

  it('returns 403 until the address is verified, like two-step verification', async () => {
    const { token } = await member({ verified: false });
    const body = { password };
    for (const call of [calls.passkeyRegisterOptions, setUpTotp])
      expect((await test.call(call, { token, body })).error.code).toBe('EMAIL_NOT_VERIFIED');
  });

  it('also requires a code if two-step verification is on', async () => {
    const someone = await member();
    const { secret } = await turnOn(test, someone, password);
    const { token } = someone;
    const ask = (body: object) => test.call(calls.passkeyRegisterOptions, { token, body });
    expect((await ask({ password })).error.errors).toEqual([expect.objectContaining({ field: 'code' })]);
    const code = codeAt(secret, test.clock.now());
    expect((await ask({ password, code })).status).toBe(200);
    expect((await ask({ password, code })).error.code).toBe('INVALID_CODE');
  });
});

describe('signing in with a passkey', () => {
  it('requires neither an address nor a code', async () => {
    const someone = await memberWithPasskey();
    await turnOn(test, someone, await shown(someone.authenticator));
    const { token, user } = await sessionByPasskey(test, someone.authenticator);
    expect(user._id).toBe(someone.id);
    expect((await test.call(getProfile, { token })).status).toBe(200);
    const [passkey] = (await test.call(calls.listPasskeys, { token })).body.data.passkeys;
    expect(passkey).toMatchObject({ name: 'Unknown device', lastUsedAt: test.clock.now().toISOString() });
  });

  it('accepts authenticators without a counter', async () => {
    const someone = await member();
    const { authenticator } = await makePasskey(test, someone, password, new Authenticator({ counts: false }));
    for (let n = 0; n < 3; n += 1) expect((await signInByPasskey(test, authenticator)).status).toBe(200);
  });

  it.each<[string, Scene]>([
    ['from another origin', { origin: 'https://evil.example' }],
    ['for another relying party', { rpId: 'evil.example' }],
    ['without user verification', { verified: false }],
    ['in a cross-origin frame', { crossOrigin: true }],
    ['for a challenge that was not issued', { challenge: 'bXkgb3duIGNoYWxsZW5nZQ' }],
    ['signed by another key', { forged: true }],
    ['with another user’s handle', { userHandle: 'c29tZWJvZHkgZWxzZQ' }],
    ['that was made to create a passkey', { type: 'webauthn.create' }],
  ])('rejects a response %s, always with the same message', async (_, scene) => {
    const { authenticator } = await memberWithPasskey();
    const refused = await signInByPasskey(test, authenticator, scene);
    const unknown = await signInByPasskey(test, new Authenticator());
    expect({ ...refused.error, requestId: '' }).toEqual({ ...unknown.error, requestId: '' });
    expect(refused.status).toBe(401);
    expect((await signInByPasskey(test, authenticator)).status).toBe(200);
  });

  it('accepts each challenge once, within five minutes, and rejects creation challenges', async () => {
    const { authenticator, ...someone } = await memberWithPasskey();
    const use = (credential: ReturnType<Authenticator['sign']>) =>
      test.call(calls.passkeyLogin, { body: { credential } });
    const options = await challenge();
    const credential = authenticator.sign(options);
    const answers = await Promise.all(Array.from({ length: 5 }, () => use(credential)));
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 401, 401, 401, 401]);
    expect((await use(authenticator.sign(options))).status).toBe(401);
    const late = await challenge();
    test.clock.advance(300);
    expect((await use(authenticator.sign(late))).status).toBe(401);
    const ofMaking = await begin(someone, await shown(authenticator));
    expect((await use(authenticator.sign({ ...late, challenge: ofMaking.challenge }))).status).toBe(401);
  });

  it('rejects a copy whose counter goes backwards, emails the owner, and accepts the original', async () => {
    const { authenticator, email } = await memberWithPasskey();
    for (let n = 0; n < 3; n += 1) await signInByPasskey(test, authenticator);
    const told = async () => (await textsTo(email)).filter((text) => /seems to be a copy/.test(text)).length;
    for (const counter of [0, 1, authenticator.counter])
      expect((await signInByPasskey(test, authenticator, { counter })).error, String(counter)).toMatchObject({
        code: 'INVALID_CREDENTIALS',
        message: expect.stringMatching(/may be a copy.*sign in another way/) as unknown,
      });
    expect(await told()).toBe(3);
    // A wrong signature sends no warning email.
    await signInByPasskey(test, authenticator, { counter: 0, forged: true });
    expect(await told()).toBe(3);
    expect((await signInByPasskey(test, authenticator)).status).toBe(200);
  });

  it('requires a code once after the counter went backwards, and then trusts the passkey again', async () => {
    const someone = await memberWithPasskey();
    const { authenticator, email } = someone;
    const { secret } = await turnOn(test, someone, await shown(authenticator));
    for (let n = 0; n < 3; n += 1) await signInByPasskey(test, authenticator);
    const tell = /seems to be a copy/;
    const restored = { counter: 1 };
    const asked = (await signInByPasskey(test, authenticator, restored)).body.data;
    expect(asked).toEqual({ totpRequired: true, challenge: expect.any(String) });
    expect((await textsTo(email)).filter((text) => tell.test(text))).toHaveLength(1);
    // Requesting the code does not make the passkey trusted.
    const again = (await signInByPasskey(test, authenticator, { counter: 2 })).body.data;
    expect(again).toHaveProperty('totpRequired');

    const signInWith = (body: { challenge: string; code: string }) => test.call(loginWithCode, { body });
    const code = codeAt(secret, test.clock.now());
    const challenge = String((asked as { challenge?: string }).challenge);
    expect((await signInWith({ challenge, code: '000000' })).error.code).toBe('INVALID_CODE');
    expect((await signInWith({ challenge, code })).status).toBe(200);
    expect((await signInByPasskey(test, authenticator, { counter: 2 })).body.data).toHaveProperty('token');
    expect((await signInByPasskey(test, authenticator, restored)).body.data).toHaveProperty('totpRequired');
  });

  it('cannot confirm anything with a passkey whose counter went backwards', async () => {
    const { authenticator, token, passkeyId } = await memberWithPasskey();
    for (let n = 0; n < 2; n += 1) await signInByPasskey(test, authenticator);
    const { options } = (await test.call(calls.passkeyLoginOptions)).body.data;
    const passkey = authenticator.sign(options, { counter: 1 });
    const refused = await test.call(calls.removePasskey, { token, params: { id: passkeyId }, body: { passkey } });
    expect(refused.error.code).toBe('PASSKEY_REFUSED');
  });

  it('rejects a passkey that was removed while its code was pending', async () => {
    const someone = await memberWithPasskey();
    const { authenticator, token, passkeyId } = someone;
    const { secret } = await turnOn(test, someone, await shown(authenticator));
    await signInByPasskey(test, authenticator);
    const asked = (await signInByPasskey(test, authenticator, { counter: 1 })).body.data;
    const challenge = String((asked as { challenge?: string }).challenge);
    const proof = await shown(authenticator);
    expect((await test.call(calls.removePasskey, { token, params: { id: passkeyId }, body: proof })).status).toBe(200);
    const code = codeAt(secret, test.clock.now());
    expect((await test.call(loginWithCode, { body: { challenge, code } })).error.code).toBe('CHALLENGE_EXPIRED');
  });

  it.each([
    [
      'deactivated',
      { is_active: false, deactivated_at: new Date(), deactivation_reason: 'Spam' },
      'ACCOUNT_DEACTIVATED',
    ],
    ['leaving', { leaving_since: new Date() }, 'ACCOUNT_LEAVING'],
  ])('returns the reason to accounts that are %s', async (_, change, code) => {
    const { authenticator, id } = await memberWithPasskey();
    await test.db.updateTable('account').set(change).where('id', '=', id).execute();
    expect((await signInByPasskey(test, authenticator)).error.code).toBe(code);
  });
});

describe('the caller’s passkeys', () => {
  it('are listed and renamed, and can be removed with a passkey but not with the password alone', async () => {
    const { authenticator, passkeyId, ...someone } = await memberWithPasskey();
    const { token, email } = someone;
    const params = { id: passkeyId };
    const renamed = await test.call(calls.renamePasskey, { token, params, body: { name: 'My phone' } });
    expect(renamed.body.data.passkey.name).toBe('My phone');
    expect((await test.call(calls.removePasskey, { token, params, body: {} })).error.code).toBe('WRONG_PASSWORD');
    expect((await test.call(calls.removePasskey, { token, params, body: { password } })).error.code).toBe(
      'PROOF_REQUIRED',
    );
    const body = await shown(authenticator);
    expect((await test.call(calls.removePasskey, { token, params, body })).status).toBe(200);
    expect((await signInByPasskey(test, authenticator)).status).toBe(401);
    expect((await test.call(calls.listPasskeys, { token })).body.data.passkeys).toEqual([]);
    expect((await textsTo(email)).some((text) => /My phone no longer signs in/.test(text))).toBe(true);
  });

  it('cannot be removed if they are the last sign-in method', async () => {
    const { token, id, passkeyId, authenticator } = await memberWithPasskey();
    await test.db.updateTable('account').set({ password_hash: null }).where('id', '=', id).execute();
    const body = await shown(authenticator);
    const removed = await test.call(calls.removePasskey, { token, params: { id: passkeyId }, body });
    expect([removed.status, removed.error.code]).toEqual([409, 'LAST_WAY_IN']);
    expect((await signInByPasskey(test, authenticator)).status).toBe(200);
  });

  it('cannot be renamed or removed by another member, who gets 404', async () => {
    const { passkeyId: id } = await memberWithPasskey();
    const { token, authenticator } = await memberWithPasskey();
    for (const params of [{ id }, { id: 'no-id' }, { id: '00000000-0000-4000-8000-000000000000' }]) {
      expect((await test.call(calls.renamePasskey, { token, params, body: { name: 'Mine' } })).status).toBe(404);
      const body = await shown(authenticator);
      expect((await test.call(calls.removePasskey, { token, params, body })).status).toBe(404);
    }
  });

  it('confirm the caller’s identity, but only for their own account', async () => {
    const someone = await memberWithPasskey();
    const other = await memberWithPasskey();
    const { secret } = await turnOn(test, someone, await shown(someone.authenticator));
    expect(secret).toBeTruthy();
    const off = async (by: TestMember, authenticator: Authenticator, scene: Scene = {}) =>
      test.call(disableTotp, { token: by.token, body: { passkey: authenticator.sign(await challenge(), scene) } });
    expect((await off(someone, other.authenticator)).error.code).toBe('PASSKEY_REFUSED');
    expect((await off(someone, someone.authenticator, { verified: false })).error.code).toBe('PASSKEY_REFUSED');
    expect((await off(someone, someone.authenticator)).status).toBe(200);
  });
});

describe('an account without a password', () => {
  it('is confirmed by a recent sign-in until it has a stronger method', async () => {
    const someone = await member({ passwordHash: null });
    await test.db.updateTable('account').set({ password_hash: null }).where('id', '=', someone.id).execute();
    expect((await test.call(getSecondFactor, { token: someone.token })).body.data.hasPassword).toBe(false);
    expect((await test.call(setUpTotp, { token: someone.token, body: {} })).status).toBe(200);
    await makePasskey(test, someone, password);
    expect((await test.call(setUpTotp, { token: someone.token, body: {} })).error.code).toBe('PROOF_REQUIRED');
    const stale = await member();
    await test.db.updateTable('account').set({ password_hash: null }).where('id', '=', stale.id).execute();
    test.clock.advance(600);
    expect((await test.call(setUpTotp, { token: stale.token, body: { password } })).error.code).toBe('PROOF_REQUIRED');
    expect((await test.call(login, { body: { email: stale.email, password } })).status).toBe(401);
  });
});
