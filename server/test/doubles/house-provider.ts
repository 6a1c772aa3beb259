import { createHmac, createPrivateKey, generateKeyPairSync, type KeyObject, randomUUID, sign } from 'node:crypto';
import { OAuth2Server } from 'oauth2-mock-server';
import { houseSignIn, startHouse } from '#contract/auth/house.ts';
import { startApp, type TestApp } from '../harness.ts';

export const houseClient = { id: 'heartwood', secret: 'the secret of the client' };

type Claims = Record<string, unknown>;
interface Answer {
  statusCode: number;
  body: Claims;
}

const part = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');
const token = (header: object, claims: Claims, signature: (text: string) => Buffer | string) => {
  const text = `${part(header)}.${part(claims)}`;
  const signed = signature(text);
  return `${text}.${typeof signed === 'string' ? signed : signed.toString('base64url')}`;
};

/** The tokens that a provider, or an impostor, can create from claims. */
export function tokensOf(key: KeyObject, kid: string) {
  return {
    own: (claims: Claims) => token({ alg: 'RS256', kid }, claims, (text) => sign('sha256', Buffer.from(text), key)),
    byStranger: (claims: Claims) =>
      token({ alg: 'RS256', kid }, claims, (text) =>
        sign('sha256', Buffer.from(text), generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey),
      ),
    byFormerKey: (claims: Claims) =>
      token({ alg: 'RS256', kid: 'former' }, claims, (text) => sign('sha256', Buffer.from(text), key)),
    unsigned: (claims: Claims) => token({ alg: 'none' }, claims, () => ''),
    byPassword: (claims: Claims, secret: string) =>
      token({ alg: 'HS256', kid }, claims, (text) => createHmac('sha256', secret).update(text).digest()),
  };
}

/** A provider of the house's accounts. */
export interface HouseProvider {
  environment: Record<string, string>;
  url: string;
  /** Its claims about the person who signs in or is checked. */
  says: Claims;
  /** The claims of its user info endpoint only. */
  saysMore: Claims;
  /** Changes an answer of its token endpoint. */
  answers: ((answer: Answer, claims: Claims, tokens: ReturnType<typeof tokensOf>) => void) | null;
  /** How many times a running session was checked. */
  asked: number;
  /** The public key as text, as a forger could use it. */
  publicKey: string;
  /** The parameters with which a browser sent to this URL returns immediately. */
  visit(url: string): Promise<{ code: string; state: string; iss?: string }>;
  stop(): Promise<void>;
}

/** Starts the provider on a free port. Its codes and refresh tokens work once. */
export async function startHouseProvider(): Promise<HouseProvider> {
  const server = new OAuth2Server();
  await server.issuer.keys.generate('RS256');
  await server.start(0, '127.0.0.1');
  const [jwk] = server.issuer.keys.toJSON(true);
  if (jwk === undefined) throw new Error('the provider has no key');
  const tokens = tokensOf(createPrivateKey({ key: jwk, format: 'jwk' }), jwk.kid);
  const grants = new Set<string>();
  const nonces = new Map<string, string>();
  const url = server.issuer.url ?? '';
  const credentials = `Basic ${Buffer.from(`${houseClient.id}:${encodeURIComponent(houseClient.secret).replaceAll('%20', '+')}`).toString('base64')}`;
  const provider: HouseProvider = {
    url,
    environment: {
      STAFF_OIDC_ISSUER: url,
      STAFF_OIDC_CLIENT_ID: houseClient.id,
      STAFF_OIDC_CLIENT_SECRET: houseClient.secret,
      STAFF_OIDC_NAME: 'Acme',
      STAFF_OIDC_ROLES: 'chiefs=owner, directors=admin, leads=senior, helpdesk=support',
    },
    says: {},
    saysMore: {},
    answers: null,
    asked: 0,
    publicKey: JSON.stringify(server.issuer.keys.toJSON()[0]),
    async visit(address) {
      const { headers } = await fetch(address, { redirect: 'manual' });
      const { code = '', state = '' } = Object.fromEntries(new URL(headers.get('location') ?? '').searchParams);
      nonces.set(code, new URL(address).searchParams.get('nonce') ?? '');
      return { code, state };
    },
    stop: () => server.stop(),
  };
  server.service.on('beforeResponse', (answer: Answer, request: { headers: Claims; body: Record<string, string> }) => {
    const { code = '', refresh_token: grant = '', grant_type: type } = request.body;
    const isAgain = type === 'refresh_token';
    if (isAgain) provider.asked += 1;
    if (request.headers['authorization'] !== credentials) Object.assign(answer, refusal('invalid_client'));
    else if (isAgain && !grants.delete(grant)) Object.assign(answer, refusal('invalid_grant'));
    else {
      const seconds = Math.floor(Date.now() / 1000);
      const claims: Claims = { iss: url, aud: houseClient.id, iat: seconds, exp: seconds + 300, ...provider.says };
      if (!isAgain) claims['nonce'] = nonces.get(code);
      const renewed = randomUUID();
      grants.add(renewed);
      Object.assign(answer.body, { id_token: tokens.own(claims), refresh_token: renewed });
      provider.answers?.(answer, claims, tokens);
      if (isAgain && answer.statusCode !== 200) grants.add(grant);
    }
  });
  server.service.on('beforeUserinfo', (answer: Answer) => {
    answer.body = { sub: provider.says['sub'], ...provider.saysMore };
  });
  return provider;
}

/** An error response of the provider. */
export const refusal = (error: string): Answer => ({ statusCode: 400, body: { error } });

/** A person of the house who is new to the provider. */
export function someoneInHouse(claims: Claims = {}): Claims {
  const sub = randomUUID();
  return {
    sub,
    email: `${sub}@acme.test`,
    email_verified: true,
    given_name: 'Ada',
    groups: ['helpdesk'],
    amr: ['mfa'],
    ...claims,
  };
}

/** Starts a sign-in: the provider's URL, and the cookie of the browser. */
export async function beginAt(test: TestApp) {
  const { body, headers } = await test.call(startHouse);
  return { url: body.data.url, cookie: String(headers['set-cookie']).split(';')[0] ?? '' };
}

/** Signs in as the person in the provider's claims. */
export async function signInAt(test: TestApp, provider: HouseProvider) {
  const { url, cookie } = await beginAt(test);
  return await test.call(houseSignIn, { body: await provider.visit(url), headers: { cookie } });
}

/** Starts the app with a provider of the house; `close` stops both. */
export async function startWithHouse(environment: Record<string, string> = {}) {
  const provider = await startHouseProvider();
  const test = await startApp({ ...provider.environment, ...environment });
  const close = async () => {
    await test.close();
    await provider.stop().catch(() => undefined);
  };
  return { provider, test, close };
}
