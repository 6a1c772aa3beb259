import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import type { FastifyInstance } from 'fastify';
import { exportJWK, generateKeyPair, SignJWT } from 'jose';
import type { Clock } from '../../server/src/platform/process/clock.ts';
import type { FacebookConfig, GoogleConfig } from '../../server/src/platform/config/sign-in.ts';
import { builtInPath, type BuiltInPerson, type BuiltInTokens, mountBuiltInIssuer } from './routes.ts';

/** Only a name: requests to the issuer stay in this process. */
const origin = 'http://built-in.test';
const keyId = 'built-in';
const tokenSeconds = 3600;
const mostTokens = 1000;

/** A local replacement for Google and Facebook: anyone can sign in as anyone. */
export interface BuiltInIssuer extends BuiltInTokens {
  google: GoogleConfig;
  facebook: FacebookConfig;
  /** Registers its pages and API routes on `app`. */
  mount(app: FastifyInstance): void;
}

const isSame = (given: string, wanted: string) => {
  const [one, other] = [Buffer.from(given), Buffer.from(wanted)];
  return one.length === other.length && timingSafeEqual(one, other);
};

/** A new issuer with its own key and app, which exist in memory only. */
export function createBuiltInIssuer(clock: Clock): BuiltInIssuer {
  const pair = generateKeyPair('RS256');
  const google: GoogleConfig = {
    clientIds: ['heartwood-web'],
    issuers: [origin + builtInPath],
    jwksUrl: `${origin}${builtInPath}/keys`,
    authorizeUrl: `${builtInPath}/authorize`,
    clientSecret: null,
    tokenUrl: '',
  };
  const facebook: FacebookConfig = {
    appId: 'heartwood-app',
    appSecret: randomBytes(32).toString('hex'),
    graphUrl: `${origin}${builtInPath}/graph`,
    jwksUrl: google.jwksUrl,
    dialogUrl: google.authorizeUrl,
  };
  const given = new Map<string, { person: BuiltInPerson; until: number }>();
  const seconds = () => Math.floor(clock.now().getTime() / 1000);
  const invalid = { error: { message: 'Invalid OAuth access token', type: 'OAuthException', code: 190 } };

  const issuer: BuiltInIssuer = {
    google,
    facebook,
    mount: (app) => mountBuiltInIssuer(app, issuer),
    async keys() {
      return { keys: [{ ...(await exportJWK((await pair).publicKey)), kid: keyId, alg: 'RS256', use: 'sig' }] };
    },
    async idToken({ subject, email, firstName, lastName }, nonce) {
      const [clientId = ''] = google.clientIds;
      return await new SignJWT({
        azp: clientId,
        given_name: firstName,
        ...(lastName === null ? {} : { family_name: lastName }),
        ...(email === null ? {} : { email, email_verified: true, hd: email.split('@').at(-1) }),
        ...(nonce === null ? {} : { nonce }),
        // Makes two tokens issued in the same second different.
        jti: randomBytes(8).toString('hex'),
      })
        .setProtectedHeader({ alg: 'RS256', kid: keyId })
        .setIssuer(google.issuers[0] ?? '')
        .setAudience(clientId)
        .setSubject(subject)
        .setIssuedAt(seconds())
        .setExpirationTime(seconds() + tokenSeconds)
        .sign((await pair).privateKey);
    },
    accessToken(person) {
      const [oldest] = given.keys();
      if (given.size >= mostTokens && oldest !== undefined) given.delete(oldest);
      const token = randomBytes(24).toString('hex');
      given.set(token, { person, until: seconds() + tokenSeconds });
      return token;
    },
    inspect(token, appToken) {
      if (!isSame(appToken, `${facebook.appId}|${facebook.appSecret}`)) return invalid;
      const found = given.get(token);
      if (found === undefined || found.until <= seconds()) return { data: { is_valid: false } };
      const { person, until } = found;
      const facts = { app_id: facebook.appId, type: 'USER', user_id: person.subject, expires_at: until };
      return { data: { ...facts, is_valid: true } };
    },
    me(token, proof) {
      const found = given.get(token);
      const wanted = createHmac('sha256', facebook.appSecret).update(token).digest('hex');
      if (found === undefined || !isSame(proof, wanted)) return invalid;
      const { subject, firstName, lastName, email } = found.person;
      return { id: subject, first_name: firstName, last_name: lastName, ...(email === null ? {} : { email }) };
    },
  };
  return issuer;
}
