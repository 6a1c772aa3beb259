import { createHash, randomBytes } from 'node:crypto';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { googleNonce, googleSignIn } from '#contract/auth/identities.ts';
import { getConfig } from '#contract/system.ts';
import { googleClientId, startGoogle, type TestIssuer } from '../../../../test/doubles/google-issuer.ts';
import { startApp, type TestApp } from '../../../../test/harness.ts';

const clientSecret = 'a secret of the client';
const publicUrl = 'http://localhost:3000';
let google: TestIssuer;
let exchange: Server;
let test: TestApp;
/** The issued codes with their challenge, return address and ID token. */
const codes = new Map<string, { challenge: string; redirectUri: string; idToken: string }>();

/** Where the token endpoint redirects to, if it does. */
let movedTo: string | null = null;

beforeAll(async () => {
  google = await startGoogle();
  exchange = createServer((request, response) => {
    if (movedTo !== null) return response.writeHead(307, { location: movedTo }).end();
    void text(request).then((body) => {
      const form = new URLSearchParams(body);
      const known = codes.get(form.get('code') ?? '');
      const challenge = createHash('sha256')
        .update(form.get('code_verifier') ?? '')
        .digest('base64url');
      const isRight =
        known !== undefined &&
        form.get('client_secret') === clientSecret &&
        form.get('client_id') === googleClientId &&
        form.get('redirect_uri') === known.redirectUri &&
        challenge === known.challenge;
      codes.delete(form.get('code') ?? '');
      response.writeHead(isRight ? 200 : 400, { 'content-type': 'application/json' });
      response.end(JSON.stringify(isRight ? { id_token: known.idToken } : { error: 'invalid_grant' }));
    });
  });
  await new Promise<void>((resolve) => exchange.listen(0, '127.0.0.1', resolve));
  const { port } = exchange.address() as AddressInfo;
  test = await startApp({
    ...google.environment,
    PUBLIC_URL: publicUrl,
    GOOGLE_CLIENT_SECRET: clientSecret,
    GOOGLE_TOKEN_URL: `http://127.0.0.1:${port}/token`,
  });
});
afterAll(async () => {
  await test.close();
  await google.close();
  exchange.close();
});

/** What a browser holds after it returned from Google. */
async function comeBack(claims: Record<string, unknown> = {}) {
  const { body, headers } = await test.call(googleNonce);
  const cookie = String(headers['set-cookie']).split(';')[0] ?? '';
  const codeVerifier = randomBytes(32).toString('base64url');
  const redirectUri = `${publicUrl}/app/sign-in`;
  const authorizationCode = randomBytes(16).toString('hex');
  codes.set(authorizationCode, {
    challenge: createHash('sha256').update(codeVerifier).digest('base64url'),
    redirectUri,
    idToken: await google.token(test.clock.now(), { nonce: body.data.nonce, ...claims }),
  });
  return { cookie, body: { authorizationCode, codeVerifier, redirectUri, acceptTerms: true } };
}

const signIn = ({ cookie, body }: Awaited<ReturnType<typeof comeBack>>) =>
  test.call(googleSignIn, { body, headers: { cookie } });

describe('signing in with an authorization code from Google', () => {
  it('is offered to browsers once the client secret is set', async () => {
    const { signInWith } = (await test.call(getConfig)).body.data;
    expect(signInWith.google?.usesCode).toBe(true);
  });

  it('exchanges the code once for an ID token bound to the same browser', async () => {
    const back = await comeBack();
    expect((await signIn(back)).status).toBe(200);
    expect((await signIn(back)).error.code).toBe('INVALID_CREDENTIALS');
  });

  it.each<[string, (back: Awaited<ReturnType<typeof comeBack>>) => void]>([
    ['with another verifier', (back) => (back.body.codeVerifier = 'x'.repeat(43))],
    ['with an unknown code', (back) => (back.body.authorizationCode = 'stolen')],
    ['without the nonce of the browser', (back) => (back.cookie = '')],
    ['for a page of another site', (back) => (back.body.redirectUri = 'https://evil.example/app/sign-in')],
  ])('rejects a code %s', async (_, change) => {
    const back = await comeBack();
    change(back);
    expect((await signIn(back)).status).toBe(401);
  });

  it('does not follow a redirect, so the secret and the code are not forwarded', async () => {
    const received: string[] = [];
    const elsewhere = createServer((request, response) => {
      void text(request).then((body) => {
        received.push(body);
        response.end('{}');
      });
    });
    await new Promise<void>((resolve) => elsewhere.listen(0, '127.0.0.1', resolve));
    movedTo = `http://127.0.0.1:${(elsewhere.address() as AddressInfo).port}/token`;
    expect((await signIn(await comeBack())).status).toBe(503);
    expect(received).toEqual([]);
    movedTo = null;
    elsewhere.close();
  });

  it('rejects an ID token that was issued for another nonce', async () => {
    expect((await signIn(await comeBack({ nonce: 'another' }))).status).toBe(401);
  });
});

it('a server without a client secret rejects authorization codes', async () => {
  const without = await startApp(google.environment);
  const back = await comeBack();
  const refused = await without.call(googleSignIn, { body: back.body, headers: { cookie: back.cookie } });
  expect(refused.status).toBe(401);
  await without.close();
});

describe('the Google sign-in nonce', () => {
  const now = () => test.clock.now();
  const signInWithToken = (tokenId: string, more: { acceptTerms?: boolean } = {}, headers = {}) =>
    test.call(googleSignIn, { body: { tokenId, ...more }, headers });
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
    expect((await signInWithToken(await token())).status).toBe(401);
    expect((await signInWithToken(await token(), {}, { cookie: other.cookie })).status).toBe(401);
    expect(
      (await signInWithToken(await token(), { acceptTerms: true }, { cookie: `a=b; ${cookie}; c=d` })).status,
    ).toBe(200);
  });

  it('must be in the token if the browser has one', async () => {
    const { cookie } = await begin();
    expect((await signInWithToken(await google.token(now()), {}, { cookie })).status).toBe(401);
  });

  it('works once, for ten minutes', async () => {
    const { nonce, cookie } = await begin();
    const token = () => google.token(now(), { nonce });
    expect((await signInWithToken(await token(), { acceptTerms: true }, { cookie })).status).toBe(200);
    expect((await signInWithToken(await token(), { acceptTerms: true }, { cookie })).status).toBe(401);
    const late = await begin();
    test.clock.advance(601);
    expect(
      (await signInWithToken(await google.token(now(), { nonce: late.nonce }), {}, { cookie: late.cookie })).status,
    ).toBe(401);
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
      expect((await signInWithToken(await google.token(now(), { nonce }), {}, { cookie: forged })).status, forged).toBe(
        401,
      );
  });

  it('is sent only over TLS when the service uses TLS', async () => {
    const secure = await startApp({ ...google.environment, PUBLIC_URL: 'https://heartwood.example' });
    const { headers } = await secure.call(googleNonce);
    expect(headers['set-cookie']).toMatch(/^__Host-heartwood-nonce=.*; Path=\/; .*; Secure$/);
    await secure.close();
  });
});
