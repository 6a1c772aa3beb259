import { identityProviderWithinMs, nonceMinutes } from '#contract/constants.ts';
import { secondsAfter } from '#platform/process/clock.ts';
import { type Fetch, limitedFetch } from '#platform/http/limited-fetch.ts';
import type { GoogleConfig } from '#platform/config/sign-in.ts';
import { hashToken, keyedHash, newToken } from '#platform/config/secrets.ts';
import {
  emailFrom,
  nameFrom,
  ProviderUnavailable,
  RefusedToken,
  type GoogleIdentities,
  createTokenReader,
  usedUp,
} from './provider.ts';
import { timingSafeEqual } from 'node:crypto';

/**
 * Reads Google's ID tokens: signed by Google, for one of our clients, with a verified address. A token requested with a
 * nonce is valid only together with that nonce, and only once.
 */
export function createGoogle(config: GoogleConfig, fetch: Fetch, options?: { cooldownMs?: number }): GoogleIdentities {
  const { clientIds, issuers, jwksUrl, authorizeUrl, clientSecret } = config;
  const rules = { issuer: issuers, audience: clientIds, requiredClaims: ['sub', 'email', 'exp', 'iat'] };
  const readToken = createTokenReader(jwksUrl, rules, fetch, options);
  return {
    forBrowsers: { url: authorizeUrl, clientId: clientIds[0] ?? '', usesCode: clientSecret !== null },
    exchange: (code) => exchangeCode(config, code, fetch),
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
        isEmailProven: vouchesFor(email, claims['hd']),
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

/**
 * Exchanges a code for its ID token, with our client secret and the verifier that only the requesting browser has (RFC
 * 7636). https://developers.google.com/identity/protocols/oauth2/web-server#exchange-authorization-code
 */
async function exchangeCode(
  { clientIds, clientSecret, tokenUrl }: GoogleConfig,
  {
    authorizationCode,
    codeVerifier,
    redirectUri,
  }: { authorizationCode: string; codeVerifier: string; redirectUri: string },
  fetch: Fetch,
): Promise<string> {
  if (clientSecret === null) throw new RefusedToken('code');
  const form = {
    grant_type: 'authorization_code',
    client_id: clientIds[0] ?? '',
    client_secret: clientSecret,
    code: authorizationCode,
    code_verifier: codeVerifier,
    redirect_uri: redirectUri,
  };
  const answer = await limitedFetch(fetch)(tokenUrl, {
    method: 'POST',
    body: new URLSearchParams(form),
    // A redirect would send the client secret to another address.
    redirect: 'error',
    signal: AbortSignal.timeout(identityProviderWithinMs),
  }).catch((error: unknown) => {
    throw new ProviderUnavailable('token', { cause: error });
  });
  if (answer.status === 400 || answer.status === 401) throw new RefusedToken('code');
  const { id_token } = (await answer.json().catch(() => ({}))) as { id_token?: unknown };
  if (!answer.ok || typeof id_token !== 'string') throw new ProviderUnavailable('token');
  return id_token;
}

/**
 * Whether Google is authoritative for an address: its own mail domains, and the domain of the Workspace that manages
 * the account (`hd`). Any other address was verified only once and may have a new owner.
 * https://developers.google.com/identity/gsi/web/guides/verify-google-id-token
 */
function vouchesFor(email: string, hostedDomain: unknown): boolean {
  const domain = email.slice(email.lastIndexOf('@') + 1);
  return domain === 'gmail.com' || domain === 'googlemail.com' || domain === String(hostedDomain).toLowerCase();
}

/** Nonces that work for ten minutes and only in the browser that requested them. */
export interface Nonces {
  /** Creates a nonce, and the `Set-Cookie` header that binds it to the browser. */
  issue(now: Date): { nonce: string; cookie: string };
  /** The nonce in a `Cookie` header, or null. */
  read(cookies: string | undefined, now: Date): string | null;
}

/**
 * Creates nonces whose cookies are signed with `secret`; pass `isSecure` if the service uses TLS. Nonces of one `purpose` are invalid for
 * another, so each has its own cookie and signature.
 */
export function createNonces(secret: string, isSecure: boolean, purpose = 'nonce'): Nonces {
  const name = `${isSecure ? '__Host-' : ''}heartwood-${purpose}`;
  const attributes = `Path=/; HttpOnly; SameSite=Strict${isSecure ? '; Secure' : ''}`;
  const signatureOf = (nonce: string, until: string) =>
    keyedHash(secret, purpose === 'nonce' ? `${nonce}.${until}` : `${purpose}.${nonce}.${until}`);
  return {
    issue(now) {
      const nonce = newToken();
      const until = String(secondsAfter(now, nonceMinutes * 60).getTime());
      const value = `${nonce}.${until}.${signatureOf(nonce, until).toString('base64url')}`;
      return { nonce, cookie: `${name}=${value}; Max-Age=${nonceMinutes * 60}; ${attributes}` };
    },
    read(cookies, now) {
      const given = (cookies ?? '').split(/; */).find((cookie) => cookie.startsWith(`${name}=`));
      const [nonce = '', until = '', signature = ''] = (given ?? '').slice(name.length + 1).split('.');
      const [wanted, shown] = [signatureOf(nonce, until), Buffer.from(signature, 'base64url')];
      const isOurs = shown.length === wanted.length && timingSafeEqual(shown, wanted);
      return isOurs && Number(until) > now.getTime() ? nonce : null;
    },
  };
}
