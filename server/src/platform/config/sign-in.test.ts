import { describe, expect, test } from 'vitest';
import { ConfigError } from './values.ts';
import { production } from '../../../test/production.ts';
import { readConfig } from './config.ts';

const google = { GOOGLE_CLIENT_IDS: 'web.example' };
const facebook = { FACEBOOK_APP_ID: '4711', FACEBOOK_APP_SECRET: 'hidden-secret' };
const signIn = (env: Record<string, string>) => readConfig(env).signIn;

describe('sign-in providers', () => {
  test.each<[string, Record<string, string>, { google: boolean; facebook: boolean; builtIn: boolean }]>([
    ['nothing set', {}, { google: false, facebook: false, builtIn: true }],
    ['a local URL', { PUBLIC_URL: 'http://127.0.0.1:3000' }, { google: false, facebook: false, builtIn: true }],
    ['a public URL', { PUBLIC_URL: 'https://dating.example' }, { google: false, facebook: false, builtIn: false }],
    [
      'a public URL and an explicit request',
      { PUBLIC_URL: 'https://dating.example', SIGN_IN_ISSUER: 'built-in' },
      { google: false, facebook: false, builtIn: true },
    ],
    ['turned off', { SIGN_IN_ISSUER: 'off' }, { google: false, facebook: false, builtIn: false }],
    ['Google', google, { google: true, facebook: false, builtIn: true }],
    ['Facebook', facebook, { google: false, facebook: true, builtIn: true }],
    ['production', production, { google: false, facebook: false, builtIn: false }],
    [
      'production and both providers',
      { ...production, ...google, ...facebook },
      { google: true, facebook: true, builtIn: false },
    ],
  ])('are chosen with %s', (_, env, expected) => {
    const { google: one, facebook: other, builtIn } = signIn(env);
    expect({ google: one !== null, facebook: other !== null, builtIn }).toEqual(expected);
  });

  test("use Google's own endpoints, for all our clients", () => {
    expect(signIn({ GOOGLE_CLIENT_IDS: ' web.example, ,android.example ' }).google).toEqual({
      clientIds: ['web.example', 'android.example'],
      issuers: ['https://accounts.google.com', 'accounts.google.com'],
      jwksUrl: 'https://www.googleapis.com/oauth2/v3/certs',
      authorizeUrl: 'https://accounts.google.com/o/oauth2/v2/auth',
      clientSecret: null,
      tokenUrl: 'https://oauth2.googleapis.com/token',
    });
  });

  test('exchange Google codes once the client secret is set', () => {
    const env = {
      ...google,
      GOOGLE_CLIENT_SECRET: 'a long enough secret',
      GOOGLE_TOKEN_URL: 'http://127.0.0.1:9/token',
    };
    expect(signIn(env).google).toMatchObject({
      clientSecret: 'a long enough secret',
      tokenUrl: 'http://127.0.0.1:9/token',
    });
    expect(() => signIn({ GOOGLE_CLIENT_SECRET: 'a long enough secret' })).toThrow(/GOOGLE_CLIENT_IDS is not/);
  });

  test('trust only the configured issuer instead of Google', () => {
    const env = { ...google, GOOGLE_ISSUER: 'http://127.0.0.1:9', GOOGLE_JWKS_URL: 'http://127.0.0.1:9/jwks' };
    expect(signIn(env).google).toMatchObject({
      issuers: ['http://127.0.0.1:9'],
      jwksUrl: 'http://127.0.0.1:9/jwks',
    });
  });

  test('call one version of Facebook’s Graph API everywhere', () => {
    expect(signIn(facebook).facebook).toEqual({
      appId: '4711',
      appSecret: 'hidden-secret',
      graphUrl: 'https://graph.facebook.com/v25.0',
      jwksUrl: 'https://limited.facebook.com/.well-known/oauth/openid/jwks/',
      dialogUrl: 'https://www.facebook.com/v25.0/dialog/oauth',
    });
    const env = { ...facebook, FACEBOOK_GRAPH_URL: 'https://graph.facebook.com/v26.0/' };
    expect(signIn(env).facebook?.dialogUrl).toBe('https://www.facebook.com/v26.0/dialog/oauth');
  });

  test.each<[Record<string, string>, RegExp]>([
    [{ GOOGLE_ISSUER: 'https://i.example' }, /^GOOGLE_ISSUER is set, but GOOGLE_CLIENT_IDS is not\.$/],
    [{ GOOGLE_CLIENT_IDS: ' , ', GOOGLE_JWKS_URL: 'https://i.example' }, /GOOGLE_CLIENT_IDS is not\.$/],
    [{ ...google, GOOGLE_ISSUER: 'https://i.example' }, /^GOOGLE_ISSUER is set, but GOOGLE_JWKS_URL is not\.$/],
    [{ ...google, GOOGLE_JWKS_URL: 'https://i.example' }, /^GOOGLE_JWKS_URL is set, but GOOGLE_ISSUER is not\.$/],
    [{ ...google, GOOGLE_ISSUER: 'accounts.example' }, /^GOOGLE_ISSUER /],
    [{ FACEBOOK_APP_ID: '4711' }, /^FACEBOOK_APP_ID is set, but FACEBOOK_APP_SECRET is not\.$/],
    [{ FACEBOOK_APP_SECRET: 'hidden-secret' }, /^FACEBOOK_APP_SECRET is set, but FACEBOOK_APP_ID is not\.$/],
    [{ FACEBOOK_GRAPH_URL: 'https://g.example' }, /^FACEBOOK_GRAPH_URL is set, but FACEBOOK_APP_ID is not\.$/],
    [{ ...facebook, FACEBOOK_APP_SECRET: 'short' }, /^FACEBOOK_APP_SECRET (?!.*short)/],
    [{ ...production, ...facebook, FACEBOOK_GRAPH_URL: 'http://g.example' }, /^FACEBOOK_GRAPH_URL .* https:\/\/\.$/],
    [
      { ...production, ...google, GOOGLE_ISSUER: 'http://i.example', GOOGLE_JWKS_URL: 'https://i.example' },
      /^GOOGLE_ISSUER .* https:\/\/\.$/,
    ],
    [
      { ...production, ...google, GOOGLE_ISSUER: 'https://i.example', GOOGLE_JWKS_URL: 'http://i.example' },
      /^GOOGLE_JWKS_URL /,
    ],
    [{ ...production, ...google, GOOGLE_AUTHORIZE_URL: 'http://i.example' }, /^GOOGLE_AUTHORIZE_URL /],
    [
      { ...production, SIGN_IN_ISSUER: 'built-in' },
      /^SIGN_IN_ISSUER=built-in is refused when NODE_ENV is production: /,
    ],
    [{ SIGN_IN_ISSUER: 'yes' }, /^SIGN_IN_ISSUER must be one of built-in, off/],
  ])('stop the start with %j', (env, words) => {
    expect(() => readConfig(env)).toThrow(ConfigError);
    expect(() => readConfig(env)).toThrow(words);
  });
});
