import { nonceMinutes } from '#contract/constants.ts';
import { secondsAfter } from '../../../../platform/process/clock.ts';
import type { GoogleConfig } from '../../../../platform/config/config-sign-in.ts';
import { hashToken } from '../../../../platform/config/seal.ts';
import { emailFrom, nameFrom } from './person-claims.ts';
import { RefusedToken, type Fetch, type GoogleIdentities } from './provider.ts';
import { createTokenReader, usedUp } from './signed-token.ts';

/**
 * Reads ID tokens of Google: signed by it, for one of our clients, with a verified address. One that was asked for with a
 * nonce is only good together with it, and then only once.
 */
export function createGoogle(config: GoogleConfig, fetch: Fetch, options?: { cooldownMs?: number }): GoogleIdentities {
  const { clientIds, issuers, jwksUrl, authorizeUrl } = config;
  const rules = { issuer: issuers, audience: clientIds, requiredClaims: ['sub', 'email', 'exp', 'iat'] };
  const readToken = createTokenReader(jwksUrl, rules, fetch, options);
  return {
    forBrowsers: { url: authorizeUrl, clientId: clientIds[0] ?? '' },
    async read(tokenId, nonce, now) {
      const claims = await readToken(tokenId, now);
      const email = emailFrom(claims['email']);
      if (claims['email_verified'] !== true || email === null) throw new RefusedToken('address');
      const { azp } = claims as { azp?: unknown };
      if (azp !== undefined && !clientIds.some((id) => id === azp)) throw new RefusedToken('azp');
      if ((claims['nonce'] ?? null) !== nonce) throw new RefusedToken('nonce');
      const firstName = nameFrom(claims['given_name']) ?? nameFrom(claims['name']);
      return {
        provider: 'google',
        subject: claims.sub,
        email,
        isEmailProven: true,
        firstName,
        lastName: nameFrom(claims['family_name']),
        once: [
          usedUp(tokenId, claims.exp),
          ...(nonce === null ? [] : [{ hash: hashToken(nonce), until: secondsAfter(now, nonceMinutes * 60) }]),
        ],
      };
    },
  };
}
