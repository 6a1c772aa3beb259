import { setTimeout as pause } from 'node:timers/promises';
import * as oidc from 'openid-client';
import type { StaffRole } from '#contract/staff-roles.ts';
import type { HouseConfig } from '#platform/config/house.ts';
import { keyedHash } from '#platform/config/secrets.ts';
import { type Fetch, limitedFetch } from '#platform/http/limited-fetch.ts';
import { createNonces, type Nonces } from '../identity/providers/google.ts';
import { emailFrom, nameFrom, ProviderUnavailable, reasonOf, RefusedToken } from '../identity/providers/provider.ts';

/** What the house's provider says about a person who works there. */
export interface HousePerson {
  issuer: string;
  subject: string;
  /** Null unless the provider says that it was confirmed. */
  email: string | null;
  firstName: string | null;
  lastName: string | null;
  /** The role of the first configured group that the person is in; null if there is none. */
  role: StaffRole | null;
  /** Whether the person used more than a password there. */
  hasSecondFactor: boolean;
  /** The refresh token for later checks with the provider; null if there is none. */
  grant: string | null;
}

/** The parameters with which a browser returns from the provider. */
interface Returned {
  code: string;
  state: string;
  iss?: string | undefined;
}

/** A person who signed in, and the token for later checks. */
export interface Known {
  subject: string;
  grant: string;
}

/**
 * The house's OpenID provider. Its calls reject with `RefusedToken` for what it or the rules of OpenID refuse, and with
 * `ProviderUnavailable` without a usable answer.
 */
export interface House {
  name: string;
  issuer: string;
  nonces: Nonces;
  /** The address to which a browser with this nonce is sent. */
  begin(nonce: string): Promise<string>;
  /** The person whose browser has this nonce and returned with these parameters. */
  finish(returned: Returned, nonce: string): Promise<HousePerson>;
  /** The provider's current data about the same person. */
  askAgain(known: Known): Promise<HousePerson>;
  /**
   * The URL at which a browser signs out there and then returns to the sign-in page; null if there is none. It names the person, if they
   * are known and the provider confirms them, so that the provider needn't ask who signs out.
   */
  leave(known: Known | null): Promise<string | null>;
}

/** The timeout of each of up to four requests, so that all of them end before the caller's own deadline. */
const withinSeconds = 2;
const clockToleranceSeconds = 5;
const subjectMaxLength = 255;
/** Longer ID tokens would make a URL that servers refuse. */
const hintMaxLength = 4000;
const hintWithinMs = 1000;
/** What the library reports without an answer, or with one that isn't a provider's. */
const unanswered = ['OAUTH_RESPONSE_IS_NOT_CONFORM', 'OAUTH_RESPONSE_IS_NOT_JSON', 'OAUTH_TIMEOUT', 'OAUTH_ABORT'];
/** Errors about the person or the code; all others are about the settings or the provider. */
const refusedGrants = ['invalid_grant', 'access_denied'];

const unavailable = (code: string | null) =>
  new ProviderUnavailable('house', { cause: Object.assign(new Error('no usable answer'), { code }) });

/** The error without the parts of the answer that the library keeps, which could contain tokens. */
function judged(error: unknown): Error {
  if (error instanceof RefusedToken || error instanceof ProviderUnavailable) return error;
  if (error instanceof oidc.AuthorizationResponseError) return new RefusedToken('response');
  if (error instanceof oidc.ResponseBodyError)
    return refusedGrants.includes(error.error) ? new RefusedToken(error.error) : unavailable(error.code);
  return error instanceof oidc.ClientError && error.code !== undefined && !unanswered.includes(error.code)
    ? new RefusedToken(error.code)
    : unavailable(reasonOf(error));
}

const texts = (value: unknown): string[] =>
  (Array.isArray(value) ? value : [value]).filter((one): one is string => typeof one === 'string');

/** Whether the methods of a sign-in (RFC 8176) include two kinds. Codes by phone don't count. */
function isTwoFactor(amr: unknown): boolean {
  const methods = texts(amr);
  return methods.includes('mfa') || (methods.includes('pwd') && methods.some((one) => /^(otp|hwk|swk|sc)$/.test(one)));
}

interface Setting {
  config: HouseConfig;
  publicUrl: string;
  /** Signs the cookie, and derives the values that belong to a nonce. */
  secret: string;
}

const redirectUriOf = ({ publicUrl }: Setting) => new URL('/login', publicUrl).href;

/** Only this service and the nonce's browser know the cookie, and only this service can derive values from it. */
const madeFrom = ({ secret }: Setting, purpose: 'state' | 'nonce' | 'verifier', nonce: string) =>
  keyedHash(secret, `house ${purpose} ${nonce}`).toString('base64url');

async function discover({ config: { issuer, clientId, clientSecret } }: Setting, fetch: Fetch) {
  const [basic, post] = [oidc.ClientSecretBasic(clientSecret), oidc.ClientSecretPost(clientSecret)];
  const authenticate: oidc.ClientAuth = (server, ...rest) =>
    (server.token_endpoint_auth_methods_supported?.includes('client_secret_post') ? post : basic)(server, ...rest);
  const metadata = { [oidc.clockTolerance]: clockToleranceSeconds };
  const found = await oidc.discovery(new URL(issuer), clientId, metadata, authenticate, {
    timeout: withinSeconds,
    [oidc.customFetch]: limitedFetch(fetch) as oidc.CustomFetch,
    // Without these checks, the library trusts the connection and verifies no signature.
    execute: [oidc.enableNonRepudiationChecks, ...(issuer.startsWith('http:') ? [oidc.allowInsecureRequests] : [])],
  });
  // The library accepts an issuer that represents all customers of a cloud, who are strangers.
  if (new URL(found.serverMetadata().issuer).href !== new URL(issuer).href) throw unavailable('OTHER_ISSUER');
  return found;
}

type Tokens = oidc.TokenEndpointResponse & oidc.TokenEndpointResponseHelpers;

/** The person whose tokens these are; `known` is who they must belong to. */
async function personOf(
  { issuer, groupsClaim, roles }: HouseConfig,
  provider: oidc.Configuration,
  tokens: Tokens,
  known?: Known,
): Promise<HousePerson> {
  const told: Record<string, unknown> = { ...tokens.claims() };
  const subject = known?.subject ?? told['sub'];
  if (typeof subject !== 'string' || subject === '' || subject.length > subjectMaxLength)
    throw new RefusedToken('subject');
  if ((told['sub'] ?? subject) !== subject) throw new RefusedToken('another subject');
  // Some providers return groups only there; the library compares its subject.
  const more = told[groupsClaim] === undefined ? await userInfo(provider, tokens.access_token, subject) : {};
  const claims: Record<string, unknown> = { ...more, ...told };
  // Nothing is known in that case: a refreshed token needs no ID token, and its groups may be only there.
  if (tokens.claims() === undefined && claims[groupsClaim] === undefined) throw new RefusedToken('groups');
  const groups = texts(claims[groupsClaim]);
  return {
    issuer,
    subject,
    email: claims['email_verified'] === true ? emailFrom(claims['email']) : null,
    firstName: nameFrom(claims['given_name']) ?? nameFrom(claims['name']),
    lastName: nameFrom(claims['family_name']),
    role: roles.find(({ group }) => groups.includes(group))?.role ?? null,
    hasSecondFactor: isTwoFactor(told['amr']),
    grant: tokens.refresh_token ?? known?.grant ?? null,
  };
}

const userInfo = async (provider: oidc.Configuration, accessToken: string, subject: string) =>
  provider.serverMetadata().userinfo_endpoint === undefined
    ? {}
    : await oidc.fetchUserInfo(provider, accessToken, subject);

/** A new ID token of the person, so that none has to be stored; none if the provider gives no answer or another one. */
async function hintOf(provider: oidc.Configuration, { subject, grant }: Known) {
  const tokens = await oidc.refreshTokenGrant(provider, grant).catch(() => undefined);
  const isTheirs = tokens?.claims()?.sub === subject && (tokens.id_token ?? '').length <= hintMaxLength;
  return isTheirs && tokens.id_token !== undefined ? { id_token_hint: tokens.id_token } : {};
}

/** Signing out doesn't wait longer for a hint that it can do without. */
const noHintInTime = () => pause(hintWithinMs, {}, { ref: false });

/** Opens the configured provider; it is contacted when it is first needed. */
export function createHouse(setting: Setting, fetch: Fetch): House {
  const { config, publicUrl, secret } = setting;
  let discovered: Promise<oidc.Configuration> | null = null;

  /** Runs `work` with the discovered provider. Without an answer, the discovery is discarded, because the provider may have moved. */
  async function asking<T>(work: (provider: oidc.Configuration) => Promise<T>): Promise<T> {
    try {
      discovered ??= discover(setting, fetch).catch((error: unknown) => {
        throw unavailable(reasonOf(error));
      });
      return await work(await discovered);
    } catch (error) {
      const fault = judged(error);
      if (fault instanceof ProviderUnavailable) discovered = null;
      throw fault;
    }
  }

  return {
    name: config.name,
    issuer: config.issuer,
    nonces: createNonces(secret, publicUrl.startsWith('https:'), 'house'),
    begin: (nonce) =>
      asking(async (provider) => {
        const asked = {
          redirect_uri: redirectUriOf(setting),
          scope: config.scope,
          state: madeFrom(setting, 'state', nonce),
          nonce: madeFrom(setting, 'nonce', nonce),
          code_challenge: await oidc.calculatePKCECodeChallenge(madeFrom(setting, 'verifier', nonce)),
          code_challenge_method: 'S256',
        };
        return oidc.buildAuthorizationUrl(provider, asked).href;
      }),
    finish: ({ code, state, iss }, nonce) =>
      asking(async (provider) => {
        const url = new URL(redirectUriOf(setting));
        url.search = new URLSearchParams({ code, state, ...(iss !== undefined && { iss }) }).toString();
        const tokens = await oidc.authorizationCodeGrant(provider, url, {
          expectedState: madeFrom(setting, 'state', nonce),
          expectedNonce: madeFrom(setting, 'nonce', nonce),
          pkceCodeVerifier: madeFrom(setting, 'verifier', nonce),
          idTokenExpected: true,
        });
        return await personOf(config, provider, tokens);
      }),
    askAgain: (known) =>
      asking(async (provider) =>
        personOf(config, provider, await oidc.refreshTokenGrant(provider, known.grant), known),
      ),
    leave: (known) =>
      asking(async (provider) => {
        if (provider.serverMetadata().end_session_endpoint === undefined) return null;
        const hint = known === null ? {} : await Promise.race([hintOf(provider, known), noHintInTime()]);
        const back = { post_logout_redirect_uri: redirectUriOf(setting) };
        const address = oidc.buildEndSessionUrl(provider, { ...back, ...hint });
        return address.protocol === new URL(config.issuer).protocol ? address.href : null;
      }),
  };
}
