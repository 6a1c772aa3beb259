import { beforeAll, describe, expect, it } from 'vitest';
import { googleNonce, googleSignIn } from '#contract/auth/identities.ts';
import { type TestIssuer, startWithGoogle } from '../../../../test/doubles/google-issuer.ts';
import { startApp, type TestApp } from '../../../../test/harness.ts';

let google: TestIssuer;
let test: TestApp;
beforeAll(async () => {
  const started = await startWithGoogle();
  ({ google, test } = started);
  return started.close;
});

const now = () => test.clock.now();
const signIn = (tokenId: string, more: { acceptTerms?: boolean } = {}, headers = {}) =>
  test.call(googleSignIn, { body: { tokenId, ...more }, headers });

describe('the Google sign-in nonce', () => {
  const begin = async () => {
    const { body, headers } = await test.call(googleNonce);
    return { nonce: body.data.nonce, cookie: String(headers['set-cookie']).split(';')[0] ?? '' };
  };

  it('is bound to the browser by an HttpOnly, same-site cookie', async () => {
    const { headers } = await test.call(googleNonce);
    expect(headers['set-cookie']).toMatch(/^heartwood-nonce=[\w.-]+; Max-Age=600; Path=\/; HttpOnly; SameSite=Strict$/);
    const { nonce, cookie } = await begin();
    const token = () => google.token(now(), { nonce });
    const other = await begin();
    expect((await signIn(await token())).status).toBe(401);
    expect((await signIn(await token(), {}, { cookie: other.cookie })).status).toBe(401);
    expect((await signIn(await token(), { acceptTerms: true }, { cookie: `a=b; ${cookie}; c=d` })).status).toBe(200);
  });

  it('must be in the token if the browser has one', async () => {
    const { cookie } = await begin();
    expect((await signIn(await google.token(now()), {}, { cookie })).status).toBe(401);
  });

  it('works once, for ten minutes', async () => {
    const { nonce, cookie } = await begin();
    const token = () => google.token(now(), { nonce });
    expect((await signIn(await token(), { acceptTerms: true }, { cookie })).status).toBe(200);
    expect((await signIn(await token(), { acceptTerms: true }, { cookie })).status).toBe(401);
    const late = await begin();
    test.clock.advance(601);
    expect((await signIn(await google.token(now(), { nonce: late.nonce }), {}, { cookie: late.cookie })).status).toBe(
      401,
    );
  });

  it('cannot be forged', async () => {
    const { nonce, cookie } = await begin();
    const [, until = ''] = cookie.split('.');
    for (const forged of [
      `heartwood-nonce=mine.${until}.${'A'.repeat(43)}`,
      cookie.replace(until, String(Number(until) + 1)),
      'heartwood-nonce=',
      'heartwood-nonce=..',
    ])
      expect((await signIn(await google.token(now(), { nonce }), {}, { cookie: forged })).status, forged).toBe(401);
  });

  it('is sent only over TLS when the service uses TLS', async () => {
    const secure = await startApp({ ...google.environment, PUBLIC_URL: 'https://heartwood.example' });
    const { headers } = await secure.call(googleNonce);
    expect(headers['set-cookie']).toMatch(/^__Host-heartwood-nonce=.*; Path=\/; .*; Secure$/);
    await secure.close();
  });
});
