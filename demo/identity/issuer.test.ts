import { describe, expect, it } from 'vitest';
import { facebookSignIn, googleNonce, googleSignIn } from '#contract/auth/identities.ts';
import { getConfig } from '#contract/system.ts';
import { shownAtBuiltIn } from '../../server/test/doubles/google-issuer.ts';
import { makeMember } from '../../server/test/factories.ts';
import { startApp, startAppForTests } from '../../server/test/harness.ts';
import { production } from '../../server/test/production.ts';

const test = startAppForTests();

const authorize = (query: Record<string, string>) =>
  test.app.inject(`/dev/idp/authorize?${new URLSearchParams(query).toString()}`);
const asked = { response_type: 'id_token', redirect_uri: 'http://localhost:3000/app/sign-in', state: 'my-state' };

describe('the built-in issuer', () => {
  it('replaces both providers when neither is configured', async () => {
    const { providers, signInWith } = (await test.call(getConfig)).body.data;
    expect(providers).toMatchObject({ google: true, facebook: true });
    expect(signInWith).toEqual({
      google: { url: '/dev/idp/authorize', clientId: 'heartwood-web', usesCode: false },
      facebook: { url: '/dev/idp/authorize', clientId: 'heartwood-app' },
    });
  });

  it('signs members in as Google, only once and only with the nonce of their browser', async () => {
    const ada = await makeMember(test, { email: 'ada@heartwood.test' });
    const { body, headers } = await test.call(googleNonce);
    const { id_token: tokenId = '' } = await shownAtBuiltIn(test, { as: 'ada', nonce: body.data.nonce });
    expect((await test.call(googleSignIn, { body: { tokenId } })).status).toBe(401);
    const cookie = String(headers['set-cookie']).split(';')[0] ?? '';
    const { data } = (await test.call(googleSignIn, { body: { tokenId }, headers: { cookie } })).body;
    expect(data).toMatchObject({ user: { _id: ada.id } });
    expect((await test.call(googleSignIn, { body: { tokenId }, headers: { cookie } })).status).toBe(401);
    expect((await test.call(facebookSignIn, { body: { accessToken: tokenId } })).status).toBe(401);
  });

  it('registers new members as Facebook, even without an e-mail address', async () => {
    const { access_token: accessToken = '' } = await shownAtBuiltIn(test, { as: 'nora', response_type: 'token' });
    const { data } = (await test.call(facebookSignIn, { body: { accessToken, acceptTerms: true } })).body;
    expect(data).toMatchObject({ user: { firstName: 'Nora', email: 'nora.newman@heartwood.test' } });
    const finn = await shownAtBuiltIn(test, { as: 'finn', response_type: 'token' });
    const { error } = await test.call(facebookSignIn, { body: { accessToken: finn['access_token'] ?? '' } });
    expect(error).toMatchObject({ code: 'JOIN_UNFINISHED', data: { joining: { firstName: 'Finn', email: null } } });
  });

  it('treats a typed-in address as the same person every time', async () => {
    const typed = { email: 'Some.Body@example.test', firstName: 'Some' };
    const sign = async () => {
      const { id_token: tokenId = '' } = await shownAtBuiltIn(test, typed);
      return (await test.call(googleSignIn, { body: { tokenId, acceptTerms: true } })).body.data;
    };
    const [first, second] = [await sign(), await sign()];
    expect(first).toMatchObject({ user: { email: 'some.body@example.test' } });
    expect('user' in first && 'user' in second && first.user._id === second.user._id).toBe(true);
  });

  it('lists its people and redirects back with a token of the chosen one', async () => {
    const page = await authorize(asked);
    expect(page.headers['content-type']).toContain('text/html');
    expect(page.body).toContain('Who are you at Google?');
    expect(page.body).toContain('ada@heartwood.test');
    expect(page.body).not.toContain('Finn');
    const chosen = await authorize({ ...asked, as: 'ada' });
    expect(chosen.statusCode).toBe(302);
    expect(chosen.headers.location).toMatch(/^\/app\/sign-in#id_token=[\w.-]+&state=my-state$/);
    expect((await authorize({ ...asked, response_type: 'token' })).body).toContain('Finn');
  });

  it.each([
    ['another site', 'https://evil.example/'],
    ['another site, in disguise', '//evil.example/app/sign-in/../..'],
    ['a script', 'javascript:alert(1)'],
    ['a page outside the app', '/api/v1/config'],
  ])('never redirects to %s', async (_, redirect_uri) => {
    const { statusCode, headers } = await authorize({ ...asked, redirect_uri, as: 'ada' });
    expect([statusCode, headers.location]).toEqual([400, undefined]);
  });

  it('only redirects within this site, whatever host is requested', async () => {
    const { headers } = await authorize({ ...asked, redirect_uri: 'https://evil.example/app/sign-in', as: 'ada' });
    expect(headers.location).toMatch(/^\/app\/sign-in#/);
  });

  it('escapes the request parameters that it shows', async () => {
    const state = '"><script>alert(1)</script>';
    const { body } = await authorize({ ...asked, state });
    expect(body).not.toContain('<script');
    expect(body).toContain('&quot;&gt;&lt;script&gt;');
  });

  it('rejects a token after an hour', async () => {
    const { access_token: accessToken = '' } = await shownAtBuiltIn(test, { as: 'bo', response_type: 'token' });
    test.clock.advance(3600);
    expect((await test.call(facebookSignIn, { body: { accessToken } })).status).toBe(401);
  });

  it.each<[string, Record<string, string>]>([
    ['in production', { ...production, RATE_LIMITS: 'on' }],
    ['at a public address', { PUBLIC_URL: 'https://dating.example' }],
    ['when it is turned off', { SIGN_IN_ISSUER: 'off' }],
  ])('does not exist %s, nor do its calls', async (_, environment) => {
    const other = await startApp(environment);
    expect((await other.call(getConfig)).body.data).toMatchObject({
      providers: { google: false, facebook: false },
      signInWith: { google: null, facebook: null },
    });
    for (const url of ['/dev/idp', '/dev/idp/authorize'])
      expect((await other.app.inject(url)).statusCode, url).toBe(404);
    for (const [method, url] of [
      ['POST', '/api/v1/auth/google'],
      ['POST', '/api/v1/auth/facebook'],
      ['GET', '/api/v1/auth/google/nonce'],
    ] as const)
      expect((await other.app.inject({ method, url, payload: {} })).statusCode, url).toBe(404);
    await other.close();
  });

  it('does not exist when both providers are real', async () => {
    const other = await startApp({
      GOOGLE_CLIENT_IDS: 'web.example',
      FACEBOOK_APP_ID: '4711',
      FACEBOOK_APP_SECRET: 'hidden-secret',
    });
    expect((await other.app.inject('/dev/idp')).statusCode).toBe(404);
    expect((await other.call(getConfig)).body.data.signInWith).toEqual({
      google: { url: 'https://accounts.google.com/o/oauth2/v2/auth', clientId: 'web.example', usesCode: false },
      facebook: { url: 'https://www.facebook.com/v25.0/dialog/oauth', clientId: '4711' },
    });
    await other.close();
  });
});
