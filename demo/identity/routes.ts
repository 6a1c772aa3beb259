import type { FastifyInstance } from 'fastify';
import type { JWK } from 'jose';
import * as z from 'zod/mini';
import { invalid } from '../../server/src/platform/http/app-error.ts';
import { builtInFrontPage, builtInPage } from './page.ts';
import { emailFrom, nameFrom } from '../../server/src/features/auth/identity/providers/provider.ts';
import { builtInPath, builtInPeople, personOf, type BuiltInPerson } from './people.ts';

const given = z.string().check(z.maxLength(2000));
const askedSchema = z.object({
  response_type: z.enum(['id_token', 'token']),
  redirect_uri: given,
  state: z.optional(given),
  nonce: z.optional(given),
});
const chosenSchema = z.object({ as: z.optional(given), email: z.optional(given), firstName: z.optional(given) });
const tokensSchema = z.object({
  input_token: z.catch(given, ''),
  access_token: z.catch(given, ''),
  appsecret_proof: z.catch(given, ''),
});

/** The person chosen on the page, or null before the choice. */
function chosenPerson(query: unknown): BuiltInPerson | null {
  const { as = '', email, firstName } = chosenSchema.safeParse(query).data ?? {};
  const [address, name] = [emailFrom(email), nameFrom(firstName)];
  if (address !== null && name !== null) return personOf(address, name);
  return Object.hasOwn(builtInPeople, as) ? (builtInPeople[as] ?? null) : null;
}

/** The path of the app to return to; never another site, whatever the request says. */
function pathBack(redirectUri: string): string {
  const { pathname } = URL.parse(redirectUri, 'http://here.test') ?? {};
  if (pathname?.startsWith('/app/') !== true) throw invalid('redirect_uri', 'Go back to a page below /app');
  return pathname;
}

/** What the issuer knows about tokens. */
export interface BuiltInTokens {
  /** The keys that verify its tokens. */
  keys(): Promise<{ keys: JWK[] }>;
  /** An ID token as Google's. */
  idToken(person: BuiltInPerson, nonce: string | null): Promise<string>;
  /** An access token as Facebook's. */
  accessToken(person: BuiltInPerson): string;
  /** What Facebook returns about a token to callers with our app's secret. */
  inspect(token: string, appToken: string): object;
  /** What Facebook returns about the token's person to callers with a proof of the secret. */
  me(token: string, proof: string): object;
}

/** Serves the built-in issuer: its page, its keys and the Facebook calls about tokens. */
export function mountBuiltInIssuer(app: FastifyInstance, issuer: BuiltInTokens): void {
  const asPage = 'text/html; charset=utf-8';
  app.get(builtInPath, async (_request, reply) => reply.type(asPage).send(builtInFrontPage()));
  app.get(`${builtInPath}/keys`, async () => await issuer.keys());

  app.get(`${builtInPath}/authorize`, async (request, reply) => {
    const read = askedSchema.safeParse(request.query);
    if (!read.success) throw invalid(String(read.error.issues[0]?.path[0]), 'Come here from a sign-in page');
    const { response_type, redirect_uri, state, nonce } = read.data;
    const back = pathBack(redirect_uri);
    const person = chosenPerson(request.query);
    void reply.header('cache-control', 'no-store');
    if (person === null) {
      const asked = {
        response_type,
        redirect_uri,
        ...(state === undefined ? {} : { state }),
        ...(nonce === undefined ? {} : { nonce }),
      };
      const provider = response_type === 'id_token' ? 'Google' : 'Facebook';
      return reply.type(asPage).send(builtInPage(provider, asked));
    }
    const answer = new URLSearchParams(
      response_type === 'id_token'
        ? { id_token: await issuer.idToken(person, nonce ?? null) }
        : { access_token: issuer.accessToken(person), token_type: 'bearer', expires_in: '3600' },
    );
    if (state !== undefined) answer.set('state', state);
    return reply.redirect(`${back}#${answer.toString()}`);
  });

  app.get(`${builtInPath}/graph/debug_token`, async (request) => {
    const { input_token, access_token } = tokensSchema.parse(request.query);
    return issuer.inspect(input_token, access_token);
  });
  app.get(`${builtInPath}/graph/me`, async (request) => {
    const { access_token, appsecret_proof } = tokensSchema.parse(request.query);
    return issuer.me(access_token, appsecret_proof);
  });
}
