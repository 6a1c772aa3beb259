import { createSecretKey, type KeyObject } from 'node:crypto';
import { jwtVerify, SignJWT } from 'jose';
import { accessTokenTtlSeconds } from '#contract/constants.ts';

const issuer = 'heartwood';
const audience = 'heartwood-api';
const keyId = 'k1';
/** How far clocks of processes may differ: for the end of a token, and for its beginning. */
const toleranceSeconds = 5;
const aheadSeconds = 60;
/** A signature is checked once a token and process, since checking it costs as much as the query that loads the caller. */
const rememberedTokens = 20_000;
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
  read(token: string, now: Date): Promise<{ accountId: string; sessionId: string; endsAt: Date } | null>;
}

/** Access tokens over `secret` (at least 256 bits of text). */
export function createAccessTokens(secret: string): AccessTokens {
  const key: KeyObject = createSecretKey(Buffer.from(secret, 'utf8'));
  const verified = new Map<string, Claims>();
  const verify = async (token: string, now: Date) => {
    const claims = await verifiedClaims(token, key, now);
    if (claims === null) return null;
    const [oldest] = verified.keys();
    if (verified.size >= rememberedTokens && oldest !== undefined) verified.delete(oldest);
    verified.set(token, claims);
    return claims;
  };
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
      const claims = verified.get(token) ?? (await verify(token, now));
      if (claims === null) return null;
      // Asked anew each time: a signature stays good, the present moment does not.
      const seconds = now.getTime() / 1000;
      if (claims.exp <= seconds - toleranceSeconds || claims.iat > seconds + aheadSeconds) return null;
      return { accountId: claims.accountId, sessionId: claims.sessionId, endsAt: new Date(claims.exp * 1000) };
    },
  };
}

interface Claims {
  accountId: string;
  sessionId: string;
  iat: number;
  exp: number;
}

async function verifiedClaims(token: string, key: KeyObject, now: Date): Promise<Claims | null> {
  try {
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
    if (typeof iat !== 'number' || typeof exp !== 'number') return null;
    if (typeof sub !== 'string' || typeof sid !== 'string' || !isUuid(sub) || !isUuid(sid)) return null;
    return { accountId: sub, sessionId: sid, iat, exp };
  } catch {
    return null;
  }
}
