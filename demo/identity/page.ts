import { escapeHtml } from '../../server/src/platform/http/html.ts';
import { builtInPath, builtInPeople, type BuiltInPerson } from './people.ts';

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
export function builtInPage(provider: 'Google' | 'Facebook', asked: Record<string, string>): string {
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
export function builtInFrontPage(): string {
  return page(
    'The built-in issuer',
    `<p>It stands in for Google and Facebook where no real sign-in with them is set up. It knows these people:</p>
<ul>${peopleOf('Facebook')
      .map(([, one]) => `<li>${inWords(one)}</li>`)
      .join('\n')}</ul>
<p class="on"><a href="/app/sign-in">Go to the sign-in page and choose one of them</a></p>`,
  );
}
