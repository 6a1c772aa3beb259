import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import type { FastifyInstance } from 'fastify';
import { exportJWK, generateKeyPair, SignJWT } from 'jose';
import * as z from 'zod/mini';
import { createFacebook } from '../../server/src/features/auth/identity/providers/facebook.ts';
import { createGoogle } from '../../server/src/features/auth/identity/providers/google.ts';
import { type Identities, realIdentities } from '../../server/src/features/auth/identity/providers/identities.ts';
import type { FacebookConfig, GoogleConfig } from '../../server/src/platform/config/sign-in.ts';
import { invalid } from '../../server/src/platform/http/app-error.ts';
import type { Fetch } from '../../server/src/platform/http/limited-fetch.ts';
import type { Clock } from '../../server/src/platform/process/clock.ts';
import type { ProviderContext } from '../../server/src/providers.ts';
import { builtInPath, type BuiltInPerson, choicePage, chosenPerson, frontPage } from './people.ts';

/** Only a name: requests to the issuer stay in this process. */
const origin = 'http://built-in.test';
const [clientId, keyId] = ['heartwood-web', 'built-in'];
const tokenSeconds = 3600;
const mostTokens = 1000;

const google: GoogleConfig = {
  clientIds: [clientId],
  issuers: [origin + builtInPath],
  jwksUrl: `${origin}${builtInPath}/keys`,
  authorizeUrl: `${builtInPath}/authorize`,
  clientSecret: null,
  tokenUrl: '',
};

/** The real providers where they are set up, and the built-in issuer, where anyone can sign in as anyone, for the others. */
export function openIssuer({ config, clock, app, addFeature }: ProviderContext): Omit<Identities, 'nonces'> {
  const real = realIdentities(config.signIn);
  const [appId, appSecret] = ['heartwood-app', randomBytes(32).toString('hex')];
  const { jwksUrl, authorizeUrl: dialogUrl } = google;
  const facebook = { appId, appSecret, jwksUrl, dialogUrl, graphUrl: `${origin}${builtInPath}/graph` };
  addFeature({ routes: [() => mountIssuer(app, createTokens(clock, facebook))] });
  return {
    google: real.google ?? createGoogle(google, fetchFrom(app)),
    facebook: real.facebook ?? createFacebook(facebook, fetchFrom(app)),
  };
}

/** Requests what `app` serves without a network, so that the address it is served at does not matter. */
function fetchFrom(app: FastifyInstance): Fetch {
  return async (url) => {
    const { pathname, search } = new URL(url);
    const { body, statusCode, headers } = await app.inject({ url: pathname + search });
    return new Response(body, { status: statusCode, headers: { 'content-type': String(headers['content-type']) } });
  };
}

const isSame = (given: string, wanted: string) => {
  const [one, other] = [Buffer.from(given), Buffer.from(wanted)];
  return one.length === other.length && timingSafeEqual(one, other);
};

type Tokens = ReturnType<typeof createTokens>;

/** Issues tokens as Google and Facebook, with a key that exists in memory only, and answers Facebook's questions about them. */
function createTokens(clock: Clock, { appId, appSecret }: FacebookConfig) {
  const pair = generateKeyPair('RS256');
  const issued = new Map<string, { person: BuiltInPerson; until: number }>();
  const seconds = () => Math.floor(clock.now().getTime() / 1000);
  const refused = { error: { message: 'Invalid OAuth access token', type: 'OAuthException', code: 190 } };
  return {
    async keys() {
      return { keys: [{ ...(await exportJWK((await pair).publicKey)), kid: keyId, alg: 'RS256', use: 'sig' }] };
    },
    async idToken({ subject, email, firstName, lastName }: BuiltInPerson, nonce: string | undefined) {
      return await new SignJWT({
        azp: clientId,
        given_name: firstName,
        ...(lastName === null ? {} : { family_name: lastName }),
        ...(email === null ? {} : { email, email_verified: true, hd: email.split('@').at(-1) }),
        ...(nonce === undefined ? {} : { nonce }),
        // Makes two tokens issued in the same second different.
        jti: randomBytes(8).toString('hex'),
      })
        .setProtectedHeader({ alg: 'RS256', kid: keyId })
        .setIssuer(origin + builtInPath)
        .setAudience(clientId)
        .setSubject(subject)
        .setIssuedAt(seconds())
        .setExpirationTime(seconds() + tokenSeconds)
        .sign((await pair).privateKey);
    },
    accessToken(person: BuiltInPerson): string {
      const [oldest] = issued.keys();
      if (issued.size >= mostTokens && oldest !== undefined) issued.delete(oldest);
      const token = randomBytes(24).toString('hex');
      issued.set(token, { person, until: seconds() + tokenSeconds });
      return token;
    },
    /** About a token, to callers with our app's secret. */
    inspect(token: string, appToken: string): object {
      if (!isSame(appToken, `${appId}|${appSecret}`)) return refused;
      const { person, until = 0 } = issued.get(token) ?? {};
      if (person === undefined || until <= seconds()) return { data: { is_valid: false } };
      return { data: { app_id: appId, type: 'USER', user_id: person.subject, expires_at: until, is_valid: true } };
    },
    /** About the token's person, to callers with a proof of the secret. */
    me(token: string, proof: string): object {
      const found = issued.get(token);
      if (found === undefined || !isSame(proof, createHmac('sha256', appSecret).update(token).digest('hex')))
        return refused;
      const { subject, firstName, lastName, email } = found.person;
      return { id: subject, first_name: firstName, last_name: lastName, ...(email === null ? {} : { email }) };
    },
  };
}

const given = z.string().check(z.maxLength(2000));
const askedSchema = z.object({
  response_type: z.enum(['id_token', 'token']),
  redirect_uri: given,
  state: z.optional(given),
  nonce: z.optional(given),
});
const token = z.catch(given, '');
const tokenSchema = z.object({ input_token: token, access_token: token, appsecret_proof: token });

/** The path of the app to return to; never another site, whatever the request says. */
function pathBack(redirectUri: string): string {
  const { pathname } = URL.parse(redirectUri, 'http://here.test') ?? {};
  if (pathname?.startsWith('/app/') !== true) throw invalid('redirect_uri', 'Go back to a page below /app');
  return pathname;
}

/** Serves the issuer's pages, its keys and the Facebook calls about tokens. */
function mountIssuer(app: FastifyInstance, tokens: Tokens): void {
  const asPage = 'text/html; charset=utf-8';
  app.get(builtInPath, async (_request, reply) => reply.type(asPage).send(frontPage));
  app.get(`${builtInPath}/keys`, () => tokens.keys());
  app.get(`${builtInPath}/authorize`, async (request, reply) => {
    const read = askedSchema.safeParse(request.query);
    if (!read.success) throw invalid(String(read.error.issues[0]?.path[0]), 'Come here from a sign-in page');
    const { response_type, redirect_uri, state, nonce } = read.data;
    const [back, isGoogle] = [pathBack(redirect_uri), response_type === 'id_token'];
    const person = chosenPerson(request.query);
    void reply.header('cache-control', 'no-store');
    if (person === null)
      return reply.type(asPage).send(choicePage(isGoogle ? 'Google' : 'Facebook', read.data as Record<string, string>));
    const answer = new URLSearchParams(
      isGoogle
        ? { id_token: await tokens.idToken(person, nonce) }
        : { access_token: tokens.accessToken(person), token_type: 'bearer', expires_in: String(tokenSeconds) },
    );
    if (state !== undefined) answer.set('state', state);
    return reply.redirect(`${back}#${answer.toString()}`);
  });
  app.get(`${builtInPath}/graph/debug_token`, async (request) => {
    const { input_token, access_token } = tokenSchema.parse(request.query);
    return tokens.inspect(input_token, access_token);
  });
  app.get(`${builtInPath}/graph/me`, async (request) => {
    const { access_token, appsecret_proof } = tokenSchema.parse(request.query);
    return tokens.me(access_token, appsecret_proof);
  });
}
