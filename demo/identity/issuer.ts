import { randomBytes } from 'node:crypto';
import { msg } from '@lingui/core/runtime-macro';
import type { FastifyInstance } from 'fastify';
import * as z from 'zod/mini';
import type { IdentityProvider } from '#contract/auth/identities.ts';
import type { Identities } from '../../server/src/deps.ts';
import { RefusedToken, type ShownIdentity } from '../../server/src/features/auth/identity/providers/provider.ts';
import { hashToken } from '#platform/config/secrets.ts';
import { invalid } from '#platform/http/app-error.ts';
import { secondsAfter } from '#platform/process/clock.ts';
import { type ProviderContext, realIdentities } from '../../server/src/providers.ts';
import { builtInPath, type BuiltInPerson, choicePage, chosenPerson, frontPage } from './people.ts';

const tokenSeconds = 3600;
const mostTokens = 1000;

/** The identity behind a token. Tokens exist only in the memory of this process. */
interface Issued {
  provider: IdentityProvider;
  person: BuiltInPerson;
  nonce: string | null;
  until: Date;
}

/** The configured providers, and for the others the built-in issuer, with which anyone can sign in as anyone. */
export function openIssuer({ config, clock, app, addFeature }: ProviderContext): Omit<Identities, 'nonces'> {
  const real = realIdentities(config.signIn);
  const tokens = new Map<string, Issued>();

  function issue(issued: Omit<Issued, 'until'>): string {
    const [oldest] = tokens.keys();
    if (tokens.size >= mostTokens && oldest !== undefined) tokens.delete(oldest);
    const token = randomBytes(24).toString('hex');
    tokens.set(token, { ...issued, until: secondsAfter(clock.now(), tokenSeconds) });
    return token;
  }

  /** The identity of a token. A Google token works once, only with the nonce of its browser, and its address counts as verified. */
  function read(provider: IdentityProvider, token: string, nonce: string | null, now: Date): ShownIdentity {
    const issued = tokens.get(token);
    if (issued?.provider !== provider || issued.until <= now || issued.nonce !== nonce) throw new RefusedToken('token');
    const { person, until } = issued;
    const { subject, email, firstName, lastName } = person;
    const isGoogle = provider === 'google';
    const once = isGoogle ? [token, ...(nonce === null ? [] : [nonce])] : [];
    return {
      ...{ provider, subject, email, firstName, lastName, isEmailProven: isGoogle },
      once: once.map((used) => ({ hash: hashToken(used), until })),
    };
  }

  addFeature({ routes: [() => mountPages(app, issue)] });
  const url = `${builtInPath}/authorize`;
  return {
    google: real.google ?? {
      forBrowsers: { url, clientId: 'heartwood-web', usesCode: false },
      exchange: () => Promise.reject(new RefusedToken('code')),
      read: async (token, nonce, now) => read('google', token, nonce, now),
    },
    facebook: real.facebook ?? {
      forBrowsers: { url, clientId: 'heartwood-app' },
      async read(token, userId, now) {
        const shown = read('facebook', token, null, now);
        if (userId !== undefined && userId !== shown.subject) throw new RefusedToken('userID');
        return shown;
      },
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

/** The path of the app to return to. Other sites in the request are ignored. */
function pathBack(redirectUri: string): string {
  const { pathname } = URL.parse(redirectUri, 'http://here.test') ?? {};
  if (pathname?.startsWith('/app/') !== true) throw invalid('redirect_uri', msg`Go back to a page below /app`);
  return pathname;
}

function mountPages(app: FastifyInstance, issue: (issued: Omit<Issued, 'until'>) => string): void {
  const asPage = 'text/html; charset=utf-8';
  app.get(builtInPath, async (_request, reply) => reply.type(asPage).send(frontPage));
  app.get(`${builtInPath}/authorize`, async (request, reply) => {
    const read = askedSchema.safeParse(request.query);
    if (!read.success) throw invalid(String(read.error.issues[0]?.path[0]), msg`Come here from a sign-in page`);
    const { response_type, redirect_uri, state, nonce = null } = read.data;
    const [back, isGoogle] = [pathBack(redirect_uri), response_type === 'id_token'];
    const person = chosenPerson(request.query);
    void reply.header('cache-control', 'no-store');
    if (person === null || (isGoogle && person.email === null))
      return reply.type(asPage).send(choicePage(isGoogle ? 'Google' : 'Facebook', read.data as Record<string, string>));
    const answer = new URLSearchParams(
      isGoogle
        ? { id_token: issue({ provider: 'google', person, nonce }) }
        : { access_token: issue({ provider: 'facebook', person, nonce: null }), token_type: 'bearer' },
    );
    if (state !== undefined) answer.set('state', state);
    return reply.redirect(`${back}#${answer.toString()}`);
  });
}
