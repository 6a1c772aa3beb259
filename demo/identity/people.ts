import { createHash } from 'node:crypto';
import * as z from 'zod/mini';
import { emailFrom, nameFrom } from '../../server/src/features/auth/identity/providers/provider.ts';
import { escapeHtml } from '#platform/http/pages.ts';
import { presentBrand } from '#platform/service/brand.ts';

export const builtInPath = '/dev/idp';

/** A person the built-in issuer can sign in. */
export interface BuiltInPerson {
  subject: string;
  firstName: string;
  lastName: string | null;
  /** Null if they gave Facebook only a phone number. */
  email: string | null;
  /** What to expect when signing in as this person. */
  about: string;
}

/** The person with this address, who always has the same subject. */
function personOf(email: string, firstName: string, lastName: string | null = null, about = ''): BuiltInPerson {
  const subject = createHash('sha256').update(email).digest('hex').slice(0, 20);
  return { subject, firstName, lastName, email, about };
}

/** The people that the built-in issuer offers, by their name in the request. */
const people: Record<string, BuiltInPerson> = {
  ada: personOf('ada@heartwood.test', 'Ada', 'Lindqvist', 'already a member'),
  bo: personOf('bo@heartwood.test', 'Bo', 'Hansen', 'a member with premium'),
  nora: personOf('nora.newman@heartwood.test', 'Nora', 'Newman', 'not yet a member'),
  finn: {
    ...personOf('', 'Finn', 'Falk', 'not yet a member, without an address at Facebook'),
    ...{ subject: 'finn-without-an-address', email: null },
  },
  iris: personOf('admin@heartwood.test', 'Iris', 'Calder', "staff, who can't sign in this way"),
};

const given = z.optional(z.string().check(z.maxLength(2000)));
const chosenSchema = z.object({ as: given, email: given, firstName: given });

/** The person chosen on the page, or null before the choice. */
export function chosenPerson(query: unknown): BuiltInPerson | null {
  const { as = '', email, firstName } = chosenSchema.safeParse(query).data ?? {};
  const [address, name] = [emailFrom(email), nameFrom(firstName)];
  if (address !== null && name !== null) return personOf(address, name);
  return Object.hasOwn(people, as) ? (people[as] ?? null) : null;
}

const style = `
:root { color-scheme: light dark; }
body { font: 16px/1.5 system-ui, sans-serif; max-width: 30rem; margin: 2rem auto; padding: 0 1rem; }
ul { list-style: none; padding: 0; } ul, form, label { display: grid; gap: .5rem; }
li > *, input, button { display: block; padding: .7rem 1rem; border: 1px solid color-mix(in srgb, currentColor 40%, transparent);
  border-radius: 12px; color: inherit; font: inherit; text-decoration: none; }
:is(a, button):hover { background: color-mix(in srgb, currentColor 8%, transparent); }
:focus-visible { outline: 2px solid currentColor; outline-offset: 2px; }
strong { display: block; } small { opacity: .8; overflow-wrap: anywhere; }`;

/** A page of a stand-in, in the style of its system. */
export const page = (title: string, content: string) => `<!doctype html><html lang="en"><head><meta charset="utf-8">
<meta name="viewport" content="width=device-width"><title>${title} · ${escapeHtml(presentBrand().name)}</title><style>${style}</style></head>
<body><main><h1>${title}</h1>${content}</main></body></html>`;

const inWords = ({ firstName, lastName, email, about }: BuiltInPerson) =>
  `<strong>${escapeHtml(`${firstName} ${lastName ?? ''}`)}</strong>
<small>${escapeHtml([email, about].filter((part) => part !== null).join(' · '))}</small>`;

/** The page on which a person is chosen, in place of Google's or Facebook's; `asked` are the app's parameters. */
export function choicePage(provider: 'Google' | 'Facebook', asked: Record<string, string>): string {
  const offered = Object.entries(people).filter(([, { email }]) => provider === 'Facebook' || email !== null);
  const addressFor = (as: string) => `${builtInPath}/authorize?${new URLSearchParams({ ...asked, as }).toString()}`;
  const choices = offered.map(([as, one]) => `<li><a href="${escapeHtml(addressFor(as))}">${inWords(one)}</a></li>`);
  const hidden = Object.entries(asked).map(
    ([name, value]) => `<input type="hidden" name="${escapeHtml(name)}" value="${escapeHtml(value)}">`,
  );
  return page(
    `Who are you at ${provider}?`,
    `<p>This page stands in for ${provider}, as no real sign-in with it is set up on this machine. Nothing leaves it.</p>
<ul>${choices.join('\n')}</ul>
<h2>Someone else</h2>
<form method="get" action="${builtInPath}/authorize">${hidden.join('')}
<label>First name <input name="firstName" required maxlength="60" autocomplete="off"></label>
<label>Address <input name="email" type="email" required maxlength="254" autocomplete="off"></label>
<button>Continue as this person</button></form>`,
  );
}

/** Explains the built-in issuer to visitors; no one can sign in from here. */
export const frontPage = page(
  'The built-in issuer',
  `<p>It stands in for Google and Facebook where no real sign-in with them is set up. It knows these people:</p>
<ul>${Object.values(people)
    .map((one) => `<li><div>${inWords(one)}</div></li>`)
    .join('\n')}</ul>
<p><a href="/app/sign-in">Go to the sign-in page and choose one of them</a></p>`,
);
