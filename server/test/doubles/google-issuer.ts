import { createHash, randomUUID } from 'node:crypto';
import { OAuth2Server } from 'oauth2-mock-server';
import { startApp, type TestApp } from '../harness.ts';

export const googleClientId = 'web.client.test';
export const googleAppId = 'android.client.test';

export interface IssuerClaims {
  sub?: string;
  email?: string | null;
  [claim: string]: unknown;
}

/** A local issuer that signs like Google. */
export interface TestIssuer {
  url: string;
  /** The environment that points `readConfig` to it. */
  environment: Record<string, string>;
  /** An ID token of a new user, issued at `now`; null omits a claim. */
  token(now: Date, claims?: IssuerClaims): Promise<string>;
  /** Rotates to a new signing key and drops the old one. */
  rotate(): Promise<void>;
  /** The public key as text, as a forger could use it. */
  publicKey(): string;
  close(): Promise<void>;
}

/** Starts the issuer on a free port. */
export async function startGoogle(): Promise<TestIssuer> {
  let server = new OAuth2Server();
  await server.issuer.keys.generate('RS256');
  await server.start(0, '127.0.0.1');
  const { port } = server.address();
  const url = server.issuer.url ?? '';
  return {
    url,
    environment: {
      GOOGLE_CLIENT_IDS: `${googleClientId}, ${googleAppId}`,
      GOOGLE_ISSUER: url,
      GOOGLE_JWKS_URL: `${url}/jwks`,
    },
    token(now, claims = {}) {
      const seconds = Math.floor(now.getTime() / 1000);
      const subject = randomUUID();
      const all = {
        sub: subject,
        email: `${subject}@gmail.test`,
        email_verified: true,
        hd: String(claims['email'] ?? 'gmail.test')
          .split('@')
          .at(-1),
        aud: googleClientId,
        iat: seconds,
        exp: seconds + 3600,
        nbf: null,
        given_name: 'Gina',
        family_name: 'Googler',
        jti: randomUUID(),
        ...claims,
      };
      return server.issuer.buildToken({
        scopesOrTransform: (_header, payload) => {
          Object.assign(payload, all);
          for (const [name, value] of Object.entries(all)) if (value === null) Reflect.deleteProperty(payload, name);
        },
      });
    },
    async rotate() {
      await server.stop();
      server = new OAuth2Server();
      await server.issuer.keys.generate('RS256');
      await server.start(port, '127.0.0.1');
    },
    publicKey: () => JSON.stringify(server.issuer.keys.toJSON()[0]),
    close: () => server.stop(),
  };
}

/** Starts the app with Google sign-in pointed at a local issuer; `close` stops both. */
export async function startWithGoogle(environment: Record<string, string> = {}) {
  const google: TestIssuer = await startGoogle();
  const test: TestApp = await startApp({ ...google.environment, ...environment });
  const close = async () => {
    await test.close();
    await google.close();
  };
  return { google, test, close };
}

/** What the built-in issuer returns to the app for a chosen person, like Google unless `response_type` is `token`. */
export async function shownAtBuiltIn(
  { app }: Pick<TestApp, 'app'>,
  query: Record<string, string>,
): Promise<Record<string, string>> {
  const asked = { response_type: 'id_token', redirect_uri: '/app/sign-in', ...query };
  const { headers } = await app.inject(`/dev/idp/authorize?${new URLSearchParams(asked).toString()}`);
  return Object.fromEntries(new URLSearchParams(headers.location?.split('#')[1] ?? ''));
}

/** The id of a person with this address at the built-in issuer. */
export const subjectAtBuiltIn = (email: string): string =>
  createHash('sha256').update(email).digest('hex').slice(0, 20);
