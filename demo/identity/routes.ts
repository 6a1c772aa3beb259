import { createHash } from 'node:crypto';
import { escapeHtml } from '../../server/src/platform/http/pages.ts';
import type { FastifyInstance } from 'fastify';
import type { JWK } from 'jose';
import * as z from 'zod/mini';
import { invalid } from '../../server/src/platform/http/app-error.ts';
import { emailFrom, nameFrom } from '../../server/src/features/auth/identity/providers/provider.ts';

export const builtInPath = '/dev/idp';

/** A person the built-in issuer can sign in. */
export interface BuiltInPerson {
  subject: string;
  firstName: string;
  lastName: string | null;
  /** Null: they only gave Facebook a phone number. */
  email: string | null;
  /** What to expect when signing in as this person. */
  about: string;
}

/** The person with this address: always the same subject. */
export function personOf(email: string, firstName: string): BuiltInPerson {
  const subject = createHash('sha256').update(email).digest('hex').slice(0, 20);
  return { subject, firstName, lastName: null, email, about: '' };
}

const person = (name: string, email: string, about: string): BuiltInPerson => {
  const [firstName = '', lastName = null] = name.split(' ');
  return { ...personOf(email, firstName), lastName, about };
};

/** The people the built-in issuer offers, by their name in addresses. */
const builtInPeople: Record<string, BuiltInPerson> = {
  ada: person('Ada Lindqvist', 'ada@heartwood.test', 'already a member'),
  bo: person('Bo Hansen', 'bo@heartwood.test', 'a member with premium'),
  nora: person('Nora Newman', 'nora.newman@heartwood.test', 'not yet a member'),
  finn: {
    subject: 'finn-without-an-address',
    firstName: 'Finn',
    lastName: 'Falk',
    email: null,
    about: 'not yet a member, without an address at Facebook',
  },
  iris: person('Iris Calder', 'admin@heartwood.test', "staff, who can't sign in this way"),
};

const style = `
:root { color-scheme: light dark; }
body { font: 16px/1.5 system-ui, sans-serif; max-width: 30rem; margin: 2rem auto; padding: 0 1rem; }
h1 { font-size: 1.5rem; line-height: 1.25; margin: 0 0 .5rem; } h2 { font-size: 1.05rem; margin: 1.75rem 0 .5rem; }
p { margin: 0 0 1rem; } ul { list-style: none; margin: 0; padding: 0; display: grid; gap: .5rem; }
li a { display: block; padding: .7rem 1rem; border: 1px solid color-mix(in srgb, currentColor 30%, transparent);
  border-radius: 12px; color: inherit; text-decoration: none; }
li a:hover, li a.on { margin-top: 1.5rem; }
:focus-visible { background: color-mix(in srgb, currentColor 8%, transparent); }
strong { display: block; } small { opacity: .8; overflow-wrap: anywhere; }
form { display: grid; gap: .75rem; } label { display: grid; gap: .25rem; }
input, button { font: inherit; padding: .6rem .8rem; border-radius: 10px; border: 1px solid color-mix(in srgb, currentColor 45%, transparent); }
button { cursor: pointer; font-weight: 600; }
.on { margin-top: 1.5rem; }
:focus-visible { outline: 2px solid currentColor; outline-offset: 2px; }`;

const peopleOf = (provider: 'Google' | 'Facebook') =>
  Object.entries(builtInPeople).filter(([, { email }]) => provider === 'Facebook' || email !== null);

const inWords = ({
  firstName,
  lastName,
  email,
  about,
}: BuiltInPerson) => `<strong>${escapeHtml(`${firstName} ${lastName ?? ''}`)}</strong>
<small>${escapeHtml([email, about].filter((part) => part !== null).join(' · '))}</small>`;

const page = (title: string, content: string) => `<!doctype html><html lang="en"><head><meta charset="utf-8">
<meta name="viewport" content="width=device-width"><title>${title} · Heartwood</title><style>${style}</style></head>
<body><main><h1>${title}</h1>${content}</main></body></html>`;

/** The page to choose a person on, in place of Google's or Facebook's; `asked` are the app's parameters. */
function builtInPage(provider: 'Google' | 'Facebook', asked: Record<string, string>): string {
  const addressFor = (as: string) =>
    escapeHtml(`${builtInPath}/authorize?${new URLSearchParams({ ...asked, as }).toString()}`);
  const people = peopleOf(provider).map(([as, one]) => `<li><a href="${addressFor(as)}">${inWords(one)}</a></li>`);
  const hidden = Object.entries(asked).map(
    ([name, value]) => `<input type="hidden" name="${escapeHtml(name)}" value="${escapeHtml(value)}">`,
  );
  return page(
    `Who are you at ${provider}?`,
    `<p>This page stands in for ${provider}, as no real sign-in with it is set up on this machine. Nothing leaves it.</p>
<ul>${people.join('\n')}</ul>
<h2>Someone else</h2>
<form method="get" action="${builtInPath}/authorize">${hidden.join('')}
<label>First name <input name="firstName" required maxlength="60" autocomplete="off"></label>
<label>Address <input name="email" type="email" required maxlength="254" autocomplete="off"></label>
<button>Continue as this person</button></form>`,
  );
}

/** Explains the built-in issuer to visitors; no one can sign in from here. */
function builtInFrontPage(): string {
  return page(
    'The built-in issuer',
    `<p>It stands in for Google and Facebook where no real sign-in with them is set up. It knows these people:</p>
<ul>${peopleOf('Facebook')
      .map(([, one]) => `<li>${inWords(one)}</li>`)
      .join('\n')}</ul>
<p class="on"><a href="/app/sign-in">Go to the sign-in page and choose one of them</a></p>`,
  );
}

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
