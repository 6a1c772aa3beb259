import { createSecretKey } from 'node:crypto';
import { jwtVerify, SignJWT } from 'jose';
import { accessTokenTtlSeconds } from '#contract/constants.ts';
import { isUuid } from '../db/uuid.ts';
import { secondsAfter } from '../process/clock.ts';

const issuer = 'heartwood';
const audience = 'heartwood-api';
const keyId = 'k1';
/** How far the clocks of processes may differ when a token's expiry and start are checked. */
const toleranceSeconds = 5;
const aheadSeconds = 60;
/** Takes about 12 MB. */
const verifiedMost = 20_000;

/** The content of an access token: its account, its session, and when it expires. */
export interface TokenClaims {
  accountId: string;
  sessionId: string;
  endsAt: Date;
}

/** Signs and reads access tokens with an HS256 key. */
export interface AccessTokens {
  /** Creates a token that is valid for 15 minutes from `now`. */
  sign(accountId: string, sessionId: string, now: Date): Promise<string>;
  /** The content of a token, or null if it is forged, expired, from the future or of another kind. */
  read(token: string, now: Date): Promise<TokenClaims | null>;
}

/** Creates access tokens with `secret` (at least 256 bits of text). */
export function createAccessTokens(secret: string): AccessTokens {
  const key = createSecretKey(Buffer.from(secret, 'utf8'));
  // The library verifies in another thread, which would add 15 % CPU time to the shortest requests.
  const verified = new Map<string, TokenClaims>();

  async function verifiedClaims(token: string, now: Date): Promise<TokenClaims | null> {
    const { payload, protectedHeader } = await jwtVerify(token, key, {
      algorithms: ['HS256'],
      issuer,
      audience,
      currentDate: now,
      clockTolerance: toleranceSeconds,
      requiredClaims: ['sub', 'sid', 'typ', 'iat', 'exp'],
    });
    const { sub, sid, typ, iat, exp } = payload;
    if (protectedHeader.kid !== keyId || typ !== 'access') return null;
    if (typeof sub !== 'string' || typeof sid !== 'string' || !isUuid(sub) || !isUuid(sid)) return null;
    if (typeof iat !== 'number' || typeof exp !== 'number' || iat > now.getTime() / 1000 + aheadSeconds) return null;
    const claims = { accountId: sub, sessionId: sid, endsAt: new Date(exp * 1000) };
    if (verified.size === verifiedMost) verified.clear();
    verified.set(token, claims);
    return claims;
  }

  return {
    async sign(accountId, sessionId, now) {
      const iat = Math.floor(now.getTime() / 1000);
      return await new SignJWT({ sid: sessionId, typ: 'access' })
        .setProtectedHeader({ alg: 'HS256', kid: keyId })
        .setIssuer(issuer)
        .setAudience(audience)
        .setSubject(accountId)
        .setIssuedAt(iat)
        .setExpirationTime(iat + accessTokenTtlSeconds)
        .sign(key);
    },
    async read(token, now) {
      const claims = verified.get(token) ?? (await verifiedClaims(token, now).catch(() => null));
      // A cached signature stays valid, but the token may have expired.
      return claims !== null && claims.endsAt > secondsAfter(now, -toleranceSeconds) ? claims : null;
    },
  };
}
