import { createRemoteJWKSet, customFetch, errors, jwtVerify, type JWTPayload, type JWTVerifyOptions } from 'jose';
import { identityProviderWithinMs } from '#contract/constants.ts';
import { hashToken } from '../../../../platform/config/seal.ts';
import { ProviderUnavailable, RefusedToken, type Fetch, type UsedUp } from './provider.ts';

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
