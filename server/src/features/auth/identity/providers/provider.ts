import type { IdentityProvider } from '#contract/auth/identities.ts';
import { nameMaxLength, identityProviderWithinMs } from '#contract/constants.ts';
import { emailSchema } from '#contract/auth/session.ts';
import { nameText } from '#contract/text.ts';
import { createRemoteJWKSet, customFetch, errors, jwtVerify, type JWTPayload, type JWTVerifyOptions } from 'jose';
import { hashToken } from '../../../../platform/config/secrets.ts';

/** What works once, by its digest, and until when it would work again. */
export interface UsedUp {
  hash: Buffer;
  until: Date;
}

/** Who somebody is at a provider, shown by a token that was checked. */
export interface ShownIdentity {
  provider: IdentityProvider;
  /** What the provider calls them, for good. */
  subject: string;
  email: string | null;
  /** The provider vouches for the address. */
  isEmailProven: boolean;
  firstName: string | null;
  lastName: string | null;
  /** What must not have been shown before. */
  once: UsedUp[];
}

/** A token that shows nobody: forged, another's, too old, or not for us. */
export class RefusedToken extends Error {
  override name = 'RefusedToken';
}

/** The provider did not answer in time, or nothing that can be understood; nothing is known of the token. */
export class ProviderUnavailable extends Error {
  override name = 'ProviderUnavailable';
}

export interface GoogleIdentities {
  /** Where browsers go, and as whom. */
  forBrowsers: { url: string; clientId: string };
  /** The identity of an ID token; `nonce` is what its browser was given, or null. */
  read(tokenId: string, nonce: string | null, now: Date): Promise<ShownIdentity>;
}

export interface FacebookIdentities {
  forBrowsers: { url: string; clientId: string };
  /** The identity of an access token, or of the token of the limited login; `userId` is whom the caller takes it to be about. */
  read(accessToken: string, userId: string | undefined, now: Date): Promise<ShownIdentity>;
}

/** How a provider is reached. */
export type Fetch = (url: string, init: RequestInit) => Promise<Response>;

const nameSchema = nameText(1, nameMaxLength);

/** A name as a provider tells it, if it is one that could be given here. */
export function nameFrom(value: unknown): string | null {
  const name = nameSchema.safeParse(value);
  return name.success ? name.data : null;
}

/** An address as a provider tells it, if it is one. */
export function emailFrom(value: unknown): string | null {
  const email = emailSchema.safeParse(value);
  return email.success ? email.data : null;
}

const clockTolerance = 5;

/** What is wrong with the token, and not with who should tell. */
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

/** Checks tokens signed by who publishes `jwksUrl`: RS256 alone, an hour old at most, with a subject of its own. */
export function createTokenReader(jwksUrl: string, rules: Rules, fetch: Fetch, { cooldownMs = 30_000 } = {}) {
  const keys = createRemoteJWKSet(new URL(jwksUrl), {
    timeoutDuration: identityProviderWithinMs,
    cooldownDuration: cooldownMs,
    [customFetch]: fetch,
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

/** That this token was shown, for as long as it would be taken again; by what is signed, since a signature can be spelled in several ways. */
export function usedUp(token: string, exp: number): UsedUp {
  return { hash: hashToken(token.slice(0, token.lastIndexOf('.'))), until: new Date((exp + clockTolerance) * 1000) };
}
