import { decodeJwt } from 'jose';
import { Secret, TOTP } from 'otpauth';
import { factorKey, sealSecret } from '../src/features/auth/factors/factors.ts';
import { userHandleOf } from '../src/features/auth/passkeys/sign-in.ts';
import { forgetCodes } from '../src/features/auth/session/throttle.ts';
import { newTotpSecret } from '../src/features/auth/factors/codes.ts';
import { enableTotp, loginWithCode, setUpTotp, type Proof } from '#contract/auth/factors.ts';
import { passkeyLogin, passkeyLoginOptions, passkeyRegister, passkeyRegisterOptions } from '#contract/auth/passkeys.ts';
import { login } from '#contract/auth/session.ts';
import { Authenticator, type Scene } from './doubles/authenticator.ts';
import type { TestMember } from './factories.ts';
import type { TestApp } from './harness.ts';

/** The authenticator app's code at this time, or some time steps from it. */
export function codeAt(secret: string, now: Date, steps = 0): string {
  return TOTP.generate({ secret: Secret.fromBase32(secret), timestamp: now.getTime() + steps * 30_000 });
}

/** A code that is wrong now and in the neighboring steps. */
export function wrongCodeAt(secret: string, now: Date): string {
  const near = [-1, 0, 1].map((steps) => codeAt(secret, now, steps));
  return ['000000', '111111', '222222', '333333'].find((code) => !near.includes(code)) ?? '';
}

type Tokens = { token: string } & Partial<Pick<TestMember, 'refreshToken' | 'sessionId'>>;

/** Stores the new tokens of a raised session; without them, its privileges had been raised before. */
export function takeTokens(
  member: Tokens,
  given: { token?: string | undefined; refreshToken?: string | undefined },
): void {
  if (given.token === undefined) return;
  member.token = given.token;
  if (given.refreshToken !== undefined) member.refreshToken = given.refreshToken;
  member.sessionId = String(decodeJwt(given.token)['sid']);
}

export interface TwoFactors {
  secret: string;
  recoveryCodes: string[];
}

/**
 * Turns on two-step verification. Its code is used up, so the clock moves on by one step. The member gets the new
 * tokens.
 */
export async function turnOn(test: TestApp, member: Tokens, proof: string | Proof): Promise<TwoFactors> {
  const body = typeof proof === 'string' ? { password: proof } : proof;
  const { secret } = (await test.call(setUpTotp, { token: member.token, body })).body.data;
  const enabled = await test.call(enableTotp, {
    token: member.token,
    body: { code: codeAt(secret, test.clock.now()) },
  });
  test.clock.advance(30);
  const { recoveryCodes, ...tokens } = enabled.body.data;
  takeTokens(member, tokens);
  return { secret, recoveryCodes };
}

/** The challenge after the correct password, for an account with two-step verification. */
export async function challengeOf(test: TestApp, email: string, password: string): Promise<string> {
  const { data } = (await test.call(login, { body: { email, password } })).body;
  if (!('challenge' in data)) throw new Error('no second factor was asked for');
  return data.challenge;
}

/** Signs in with the password and the current code. */
export async function signInTwice(test: TestApp, email: string, password: string, code: string) {
  const challenge = await challengeOf(test, email, password);
  return await test.call(loginWithCode, { body: { challenge, code } });
}

/** Creates a passkey; returns its authenticator and its id. The member gets the new tokens. */
export async function makePasskey(
  test: TestApp,
  member: Tokens,
  proof: string | Proof,
  authenticator = new Authenticator(),
): Promise<{ authenticator: Authenticator; id: string }> {
  const { token } = member;
  const body = typeof proof === 'string' ? { password: proof } : proof;
  const { options } = (await test.call(passkeyRegisterOptions, { token, body })).body.data;
  const credential = authenticator.make(options);
  const kept = await test.call(passkeyRegister, { token, body: { credential } });
  const { passkey, ...tokens } = kept.body.data;
  takeTokens(member, tokens);
  return { authenticator, id: passkey._id };
}

/** Signs in with a passkey, or completes the sign-in of a challenge; returns the answer. */
export async function signInByPasskey(
  test: TestApp,
  authenticator: Authenticator,
  scene: Scene = {},
  challenge?: string,
) {
  const { options } = (await test.call(passkeyLoginOptions)).body.data;
  return await test.call(passkeyLogin, { body: { credential: authenticator.sign(options, scene), challenge } });
}

/** Signs in with a passkey, without a code; returns the session. */
export async function sessionByPasskey(test: TestApp, authenticator: Authenticator) {
  const { data } = (await signInByPasskey(test, authenticator)).body;
  if (!('token' in data)) throw new Error('The passkey needed a code');
  return data;
}

/** Turns on two-step verification directly in the database, with an old date and no used code; returns its key. */
export async function placeFactor(test: TestApp, accountId: string): Promise<string> {
  const secret = newTotpSecret();
  const sealed_secret = sealSecret(await factorKey(test.db, null), accountId, secret);
  const since = new Date('2026-01-01T00:00:00Z');
  await test.db
    .insertInto('totp_factor')
    .values({ account_id: accountId, sealed_secret, since, last_step: 0 })
    .onConflict((conflict) => conflict.column('account_id').doUpdateSet({ sealed_secret, last_step: 0 }))
    .execute();
  await forgetCodes(test.db, accountId);
  return secret;
}

/** Stores a passkey directly in the database; returns it and its id. */
export async function placePasskey(
  test: TestApp,
  accountId: string,
): Promise<{ authenticator: Authenticator; id: string }> {
  const authenticator = new Authenticator();
  const { id } = await test.db
    .insertInto('passkey')
    .values({
      account_id: accountId,
      credential_id: authenticator.id,
      public_key: authenticator.keepFor(userHandleOf(accountId)),
      sign_count: 0,
      name: 'A phone',
      synced: false,
      created_at: test.clock.now(),
      last_used_at: null,
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  return { authenticator, id };
}

/** An authenticator's response to an open challenge. */
export async function assertionOf(test: TestApp, authenticator: Authenticator) {
  return authenticator.sign((await test.call(passkeyLoginOptions)).body.data.options);
}
