import type { IdentityProvider } from '#contract/auth/identities.ts';
import { nameMaxLength, identityProviderWithinMs } from '#contract/constants.ts';
import { emailSchema } from '#contract/text.ts';
import { personNameText } from '#contract/text.ts';
import { createRemoteJWKSet, customFetch, errors, jwtVerify, type JWTPayload, type JWTVerifyOptions } from 'jose';
import { hashToken } from '#platform/config/secrets.ts';
import { type Fetch, limitedFetch } from '#platform/http/limited-fetch.ts';

/** The hash of a token that works once, and when the token expires. */
export interface UsedUp {
  hash: Buffer;
  until: Date;
}

/** A person's identity at a provider, read from a verified token. */
export interface ShownIdentity {
  provider: IdentityProvider;
  /** The provider's permanent id for the person. */
  subject: string;
  email: string | null;
  /** Whether the provider vouches for the address. */
  isEmailProven: boolean;
  firstName: string | null;
  lastName: string | null;
  /** Tokens that must not have been used before. */
  once: UsedUp[];
}

/** Thrown for an invalid token: forged, expired, or issued to someone else. */
export class RefusedToken extends Error {
  override name = 'RefusedToken';
}

/** Thrown if the provider did not answer in time or in a known form, so the token may or may not be valid. */
export class ProviderUnavailable extends Error {
  override name = 'ProviderUnavailable';
}

/** The code of an error's innermost cause, such as a connection error; null if there is none. */
export function reasonOf(error: unknown): string | null {
  if (!(error instanceof Error)) return null;
  const { code } = error as Error & { code?: unknown };
  return reasonOf(error.cause) ?? (typeof code === 'string' ? code : null);
}

export interface GoogleIdentities {
  /** The address browsers are sent to, and our client id. */
  forBrowsers: { url: string; clientId: string; usesCode: boolean };
  /** Exchanges a code of the authorization code flow for its ID token; refused if no client secret is configured. */
  exchange(code: { authorizationCode: string; codeVerifier: string; redirectUri: string }): Promise<string>;
  /** The identity in an ID token; `nonce` is the one issued to the browser, or null. */
  read(tokenId: string, nonce: string | null, now: Date): Promise<ShownIdentity>;
}

export interface FacebookIdentities {
  forBrowsers: {
    url: string;
    clientId: string;
  };
  /** The identity of an access token or limited-login token; `userId` is the user that the caller expects. */
  read(accessToken: string, userId: string | undefined, now: Date): Promise<ShownIdentity>;
}

const nameSchema = personNameText(1, nameMaxLength);

/** A name from a provider, if it is valid here. */
export function nameFrom(value: unknown): string | null {
  const name = nameSchema.safeParse(value);
  return name.success ? name.data : null;
}

/** An email address from a provider, if it is valid. */
export function emailFrom(value: unknown): string | null {
  const email = emailSchema.safeParse(value);
  return email.success ? email.data : null;
}

const clockTolerance = 5;

/** Errors that mean the token is invalid, not that the provider is unreachable. */
const refusals = [
  errors.JWTExpired,
  errors.JWTClaimValidationFailed,
  errors.JWTInvalid,
  errors.JWSInvalid,
  errors.JWSSignatureVerificationFailed,
  errors.JWKSNoMatchingKey,
  errors.JWKSMultipleMatchingKeys,
  errors.JOSEAlgNotAllowed,
  errors.JOSENotSupported,
];

type Rules = Required<Pick<JWTVerifyOptions, 'issuer' | 'audience' | 'requiredClaims'>>;

/** Verifies tokens signed with the keys at `jwksUrl`: RS256 only, at most an hour old, with a subject. */
export function createTokenReader(jwksUrl: string, rules: Rules, fetch: Fetch, { cooldownMs = 30_000 } = {}) {
  const keys = createRemoteJWKSet(new URL(jwksUrl), {
    timeoutDuration: identityProviderWithinMs,
    cooldownDuration: cooldownMs,
    [customFetch]: limitedFetch(fetch),
  });
  return async (token: string, now: Date): Promise<JWTPayload & { sub: string; exp: number }> => {
    try {
      const { payload } = await jwtVerify(token, keys, {
        ...rules,
        algorithms: ['RS256'],
        clockTolerance,
        maxTokenAge: '1h',
        currentDate: now,
      });
      const { sub, exp } = payload;
      if (sub === undefined || sub === '' || sub.length > 255 || exp === undefined) throw new RefusedToken('subject');
      return { ...payload, sub, exp };
    } catch (error) {
      if (error instanceof RefusedToken) throw error;
      if (refusals.some((kind) => error instanceof kind)) throw new RefusedToken('token', { cause: error });
      throw new ProviderUnavailable('keys', { cause: error });
    }
  };
}

/**
 * Marks a token as used for as long as it would be accepted. Hashes the signed part, because one signature can be
 * encoded in several ways.
 */
export function usedUp(token: string, exp: number): UsedUp {
  return { hash: hashToken(token.slice(0, token.lastIndexOf('.'))), until: new Date((exp + clockTolerance) * 1000) };
}
