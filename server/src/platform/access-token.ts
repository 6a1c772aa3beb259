import { createSecretKey, type KeyObject } from 'node:crypto';
import { jwtVerify, SignJWT } from 'jose';
import { accessTokenTtlSeconds } from '#contract/constants.ts';

const issuer = 'heartwood';
const audience = 'heartwood-api';
const keyId = 'k1';
const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;

/** Whether `text` has the form of our identifiers, so that asking the database cannot fail on its type. */
export function isUuid(text: string): boolean {
  return uuid.test(text);
}

/** Signs and reads access tokens with one HS256 key. */
export interface AccessTokens {
  /** A token for 15 minutes from `now`. */
  sign(accountId: string, sessionId: string, now: Date): Promise<string>;
  /** Who the token names, or null if it is not ours, expired, from the future or of another kind. */
  read(token: string, now: Date): Promise<{ accountId: string; sessionId: string } | null>;
}

/** Access tokens over `secret` (at least 256 bits of text). */
export function createAccessTokens(secret: string): AccessTokens {
  const key: KeyObject = createSecretKey(Buffer.from(secret, 'utf8'));
  return {
    sign: (accountId, sessionId, now) =>
      new SignJWT({ sid: sessionId, typ: 'access' })
        .setProtectedHeader({ alg: 'HS256', kid: keyId })
        .setIssuer(issuer)
        .setAudience(audience)
        .setSubject(accountId)
        .setIssuedAt(now)
        .setExpirationTime(new Date(now.getTime() + accessTokenTtlSeconds * 1000))
        .sign(key),
    read: async (token, now) => {
      try {
        const { payload, protectedHeader } = await jwtVerify(token, key, {
          algorithms: ['HS256'],
          issuer,
          audience,
          currentDate: now,
          clockTolerance: 5,
          requiredClaims: ['sub', 'sid', 'typ', 'iat', 'exp'],
        });
        const { sub, sid, typ, iat } = payload;
        if (protectedHeader.kid !== keyId || typ !== 'access') return null;
        if (typeof iat !== 'number' || iat * 1000 > now.getTime() + 60_000) return null;
        if (typeof sub !== 'string' || typeof sid !== 'string' || !isUuid(sub) || !isUuid(sid)) return null;
        return { accountId: sub, sessionId: sid };
      } catch {
        return null;
      }
    },
  };
}
