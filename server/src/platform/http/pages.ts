import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { FastifyRequest } from 'fastify';
import * as z from 'zod/mini';
import { apiBasePath, freeLikesPerDay, productName } from '#contract/constants.ts';
import type { Access, EndpointSpec } from '#contract/endpoint.ts';
import { errorStatus } from '#contract/errors.ts';
import { errorBodySchema } from '#contract/error-body.ts';
import { directionOf, type Language, languageNames, languages, usualLanguage } from '#contract/languages.ts';
import { tokensOf } from '#contract/service/colours.ts';
import type { ServiceSettings } from '#contract/service/settings.ts';
import { languagesInOrder } from '#contract/service/words.ts';
import { moneyIn } from '#contract/subscriptions/currency.ts';
import type { OutboxMail } from '#contract/system.ts';
import { isPermission, permissions } from '#contract/roles.ts';
import { presentBrand, shownBrand, supportAddress } from '../service/brand.ts';
import type { Config } from '../config/config.ts';
import { requestedLanguage, textOf } from '../texts.ts';
import { replaceTexts } from './document-texts.ts';

const entities: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' };

/** Escapes text for HTML elements and attributes. */
export function escapeHtml(text: string): string {
  return text.replaceAll(/[&<>"']/g, (character) => entities[character] ?? character);
}

type JsonSchema = Record<string, unknown>;

const schemaOf = (schema: z.ZodMiniType, io: 'input' | 'output'): JsonSchema => {
  const { $schema: _, ...rest } = z.toJSONSchema(schema, { io, target: 'draft-2020-12', unrepresentable: 'any' });
  return rest;
};

/** The operation id of an endpoint: `POST /auth/login` is `postAuthLogin`. */
function operationId(endpoint: EndpointSpec): string {
  const words = endpoint.path.split(/[^A-Za-z0-9]+/).filter((word) => word !== '');
  return endpoint.method.toLowerCase() + words.map((word) => word.charAt(0).toUpperCase() + word.slice(1)).join('');
}

function parameters(schema: z.ZodMiniType | undefined, place: 'path' | 'query'): JsonSchema[] {
  if (schema === undefined) return [];
  const { properties = {}, required = [] } = schemaOf(schema, 'input') as {
    properties?: Record<string, JsonSchema>;
    required?: string[];
  };
  return Object.entries(properties).map(([name, inner]) => ({
    name,
    in: place,
    required: required.includes(name),
    schema: inner,
  }));
}

function operation(endpoint: EndpointSpec): JsonSchema {
  const failures = new Set<number>([...(endpoint.errors ?? []).map((code) => errorStatus[code]), 400, 429, 503]);
  if (endpoint.access !== 'everyone') for (const status of [401, 403]) failures.add(status);
  if (endpoint.method !== 'GET') for (const status of [413, 415]) failures.add(status);
  if (endpoint.creates === true) failures.add(errorStatus.IDEMPOTENCY_MISMATCH);
  const idempotencyHeader = {
    name: 'Idempotency-Key',
    in: 'header',
    required: false,
    schema: { type: 'string', minLength: 8, maxLength: 128 },
  };
  const content =
    endpoint.response === undefined
      ? { [endpoint.streams ?? 'text/plain']: { schema: { type: 'string' } } }
      : { 'application/json': { schema: schemaOf(endpoint.response, 'output') } };
  return {
    operationId: operationId(endpoint),
    summary: endpoint.summary,
    tags: [endpoint.path.split('/')[1]],
    ...(endpoint.access === 'everyone' ? { security: [{}, { bearer: [] }] } : { security: [{ bearer: [] }] }),
    'x-access': endpoint.access,
    parameters: [
      ...parameters(endpoint.params, 'path'),
      ...parameters(endpoint.query, 'query'),
      ...(endpoint.creates === true ? [idempotencyHeader] : []),
    ],
    ...(endpoint.body === undefined
      ? {}
      : {
          requestBody: {
            required: true,
            content:
              endpoint.uploads === true
                ? { 'multipart/form-data': { schema: oneFile } }
                : { 'application/json': { schema: schemaOf(endpoint.body, 'input') } },
          },
        }),
    responses: {
      [endpoint.status ?? 200]: { description: 'Success', content },
      ...Object.fromEntries([...failures].map((status) => [status, { $ref: '#/components/responses/Failure' }])),
    },
  };
}

/** The schema of a form with one file. */
const oneFile: JsonSchema = {
  type: 'object',
  properties: { file: { type: 'string', contentMediaType: 'application/octet-stream' } },
  required: ['file'],
};

/** The OpenAPI 3.1 description of `endpoints`, generated from the schemas that validate requests and answers. */
export function describeApi(endpoints: EndpointSpec[]): JsonSchema {
  const paths: Record<string, JsonSchema> = {};
  for (const endpoint of endpoints) {
    const path = (paths[endpoint.path] ??= {});
    path[endpoint.method.toLowerCase()] = operation(endpoint);
  }
  return {
    openapi: '3.1.0',
    info: {
      title: presentBrand().name,
      version: '1',
      description: 'A dating service that people can trust and a team can run.',
    },
    servers: [{ url: apiBasePath }],
    paths,
    components: {
      securitySchemes: { bearer: { type: 'http', scheme: 'bearer' } },
      responses: {
        Failure: {
          description: 'Refused',
          content: { 'application/json': { schema: schemaOf(errorBodySchema, 'output') } },
        },
      },
    },
  };
}

/** The style of the API documentation page. */
export const apiDocsStyle = `
:root { color-scheme: light dark; --line: color-mix(in srgb, currentColor 22%, transparent); }
body { font: 16px/1.55 system-ui, sans-serif; max-width: 58rem; margin: 2rem auto; padding: 0 1rem; }
h1 { font-size: 1.75rem; } h2 { font-size: 1.2rem; margin-top: 2.5rem; }
details { border: 1px solid var(--line); border-radius: 10px; margin: .5rem 0; padding: .5rem 1rem; }
summary { cursor: pointer; overflow-wrap: anywhere; } code { font-family: ui-monospace, monospace; font-size: .9em; }
.method { display: inline-block; min-width: 4.5rem; font-weight: 700; } .access { opacity: .75; }
pre { overflow: auto; border-top: 1px solid var(--line); padding-top: .5rem; }`;

const accessWords = {
  everyone: 'open to everyone',
  signedIn: 'signed in',
  completed: 'members with a verified email address and a complete profile, and staff',
};

const wordsForAccess = (access: Access) =>
  isPermission(access) ? `staff with the permission ${access}: ${permissions[access].join(', ')}` : accessWords[access];

function shape(title: string, schema: z.ZodMiniType | undefined, io: 'input' | 'output'): string {
  if (schema === undefined) return '';
  const { $schema: _, ...json } = z.toJSONSchema(schema, { io, unrepresentable: 'any' });
  return `<h4>${title}</h4><pre><code>${escapeHtml(JSON.stringify(json, null, 2))}</code></pre>`;
}

function card(endpoint: EndpointSpec): string {
  const errors =
    endpoint.errors === undefined
      ? ''
      : `<p>Specific errors: <code>${endpoint.errors.join('</code>, <code>')}</code></p>`;
  const creates = endpoint.creates === true ? '<p>Accepts <code>Idempotency-Key</code>.</p>' : '';
  return `<details id="${operationId(endpoint)}"><summary><span class="method">${endpoint.method}</span> <code>${escapeHtml(endpoint.path)}</code></summary>
<p>${escapeHtml(endpoint.summary)}</p><p class="access">For ${wordsForAccess(endpoint.access)}; returns ${endpoint.status ?? 200}.</p>${creates}${errors}
${shape('Path', endpoint.params, 'input')}${shape('Query', endpoint.query, 'input')}${shape('Body', endpoint.body, 'input')}${shape('Answer', endpoint.response, 'output')}</details>`;
}

/** An HTML page that documents the whole API, generated from the same declarations as the OpenAPI file. */
export function apiDocsPage(endpoints: EndpointSpec[]): string {
  const brand = escapeHtml(presentBrand().name);
  const groups = Map.groupBy(endpoints, (endpoint) => endpoint.path.split('/')[1] ?? '');
  const sections = [...groups]
    .map(([name, list]) => `<h2>${escapeHtml(name)}</h2>${list.map(card).join('\n')}`)
    .join('\n');
  return `<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<title>API · ${brand}</title><link rel="stylesheet" href="/api/docs.css"></head><body><h1>${brand} API</h1>
<p>All paths are below <code>${apiBasePath}</code>. Machine-readable: <a href="${apiBasePath}/openapi.json">openapi.json</a>.
Sign in with <code>POST /auth/login</code> and send <code>Authorization: Bearer …</code>.</p>${sections}</body></html>`;
}

const style = `
:root { color-scheme: light dark; }
body { font: 16px/1.5 system-ui, sans-serif; max-width: 44rem; margin: 2rem auto; padding: 0 1rem; }
article { border: 1px solid color-mix(in srgb, currentColor 25%, transparent); border-radius: 12px; padding: 1rem 1.25rem; margin: 1rem 0; }
h1 { font-size: 1.5rem; } h2 { font-size: 1.1rem; margin: 0; } .meta { opacity: .75; margin: .25rem 0 .75rem; overflow-wrap: anywhere; }
pre { white-space: pre-wrap; overflow-wrap: anywhere; font: inherit; margin: 0; }`;

function mailCard(mail: OutboxMail): string {
  const links = mail.links.map((link) => `<p><a href="${escapeHtml(link)}">${escapeHtml(link)}</a></p>`).join('');
  return `<article><h2>${escapeHtml(mail.subject)}</h2>
<p class="meta">to ${escapeHtml(mail.to)} · <time>${escapeHtml(mail.createdAt)}</time></p>
<pre>${escapeHtml(mail.text)}</pre>${links}</article>`;
}

/** The page that shows emails during development, when they are not sent. */
export function outboxPage(mails: OutboxMail[]): string {
  const list = mails.length === 0 ? '<p>No emails yet.</p>' : mails.map(mailCard).join('\n');
  return `<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<title>Outbox · ${escapeHtml(presentBrand().name)}</title><style>${style}</style></head>
<body><h1>Outbox</h1><p>Emails that a production installation would have sent. Nothing leaves this machine.</p>${list}</body></html>`;
}

/** A document that is the same for all readers of a language. */
interface PublicDocument {
  type: string;
  body: string;
}

/** The pages that search engines may list because they need no account. */
const openPaths = ['/app', '/app/join', '/app/safety', '/faqs', '/privacy', '/app/terms'];
/** Paths that are useless to search engines. */
const closedPaths = ['/api/', '/dev/', '/realtime/'];

/** The landing page, the app's page and its manifest, which the web app's build contains in English. */
const builtDocuments = [
  ['/app', 'landing.html', 'text/html; charset=utf-8'],
  ['/', 'index.html', 'text/html; charset=utf-8'],
  ['/manifest.webmanifest', 'manifest.webmanifest', 'application/manifest+json'],
] as const;

/** The language of a document: as chosen by its URL or earlier on the device, or else as the browser requests. */
export function languageOf({ query, headers }: FastifyRequest): Language {
  const known = (tag?: string) => languages.find((one) => one === tag);
  const chosen = /(?:^|;\s*)language=([^;]+)/.exec(headers.cookie ?? '')?.[1];
  return known((query as { lang?: string }).lang) ?? known(chosen) ?? requestedLanguage(headers['accept-language']);
}

/** Links to a document in every language, by their own names. */
export function languageLinks(path: string, present: Language): string {
  const links = languagesInOrder().map((one) => {
    const current = one === present ? ' aria-current="true"' : '';
    return `<a href="${path}?lang=${one}" hreflang="${one}" lang="${one}"${current}>${languageNames[one]}</a>`;
  });
  return links.join(' ');
}

type Shown = ReturnType<typeof shownBrand>;

/** Whether this service has its own brand, so that the product's pictures with its name and heart don't fit. */
const isRenamed = ({ name, logo, icon }: Shown) => name !== productName || logo !== null || icon !== null;

/** A built page with the brand's pictures in place of the product's: its icons, the logo beside its name, and the link preview. */
function withPictures(page: string, brand: Shown, address: string): string {
  if (!isRenamed(brand)) return page;
  const { logo, icon } = brand;
  const mark = icon && `<img class="mark" src="${icon}" width="32" height="32" alt="">`;
  return page
    .replace('<html ', '<html data-brand="own" ')
    .replace(/<meta property="og:image".*?"og:image:alt"[^>]*>/s, () =>
      icon === null ? '' : `<meta property="og:image" content="${address}${icon}">`,
    )
    .replace('content="summary_large_image"', 'content="summary"')
    .replaceAll(/"\/(?:favicon\.svg|icons\/apple-touch-icon\.png)"(?: type="[^"]*")?/g, (whole) =>
      icon === null ? whole : `"${icon}"`,
    )
    .replace(/(<svg class="mark".*?<\/svg>)(\s*<span>.*?<\/span>)/s, (_, heart: string, written: string) =>
      logo === null ? (mark ?? heart) + written : `<img class="logo" src="${logo}" alt="">`,
    );
}

/**
 * Documents in a language, by their paths: the app's page at `/`, its manifest and the landing page from the web app's build in `folder`,
 * and the files for search engines. Empty without a build.
 */
export function publicDocuments(
  config: Config,
  folder: string,
  language: Language,
  { parts, registration: { minimumAge } }: Pick<ServiceSettings, 'parts' | 'registration'>,
): ReadonlyMap<string, PublicDocument> {
  if (!existsSync(join(folder, 'index.html'))) return new Map();
  const { payments, publicUrl, apiBaseUrl } = config;
  const brand = shownBrand(config);
  const address = escapeHtml(publicUrl);
  const pathIn = (one: Language) => `/app${one === usualLanguage ? '' : `?lang=${one}`}`;
  const { monthly, quarterly, annual } = payments.prices;
  const words: Record<string, string> = {
    PUBLIC_URL: address,
    SUPPORT_EMAIL: escapeHtml(supportAddress(config)),
    BRAND: escapeHtml(JSON.stringify({ ...brand, parts, minimumAge })),
    PATH: pathIn(language),
    LOCALE: `${language.slice(0, 2)}_${new Intl.Locale(language).maximize().region}`,
    MINIMUM_AGE: String(minimumAge),
    FREE_LIKES: freeLikesPerDay.toLocaleString(language),
    PRICE_MONTHLY: moneyIn(language, monthly),
    PRICE_QUARTERLY: moneyIn(language, quarterly),
    PRICE_ANNUAL: moneyIn(language, annual),
    LANGUAGES: languageLinks('/app', language),
  };
  const alternates = languages.map(
    (one) => `<link rel="alternate" hreflang="${one}" href="${address}${pathIn(one)}" />`,
  );
  const filledIn = (built: string, name: string) =>
    (language === 'en' ? built : replaceTexts(built, (text) => textOf(text, { ...words, brand: '%brand%' }, language)))
      .replace(/(lang"?[=:] ?)"en"(,?\s+"?dir"?[=:] ?)"ltr"/, `$1"${language}"$2"${directionOf(language)}"`)
      .replaceAll(/%(\w+)%/g, (whole, word: string) => (word === 'brand' ? name : (words[word] ?? whole)))
      .replace('<link rel="canonical"', `${alternates.join('')}$&`)
      .replace('<html ', payments.provider === 'off' ? '<html data-sells="no" ' : '<html ')
      .replace('content="/api/v1"', `content="${apiBaseUrl}"`)
      .replace('</head>', () => `<style id="brand">${tokensOf(brand.colours)}</style></head>`);
  const manifestOf = (built: string) => {
    const manifest = filledIn(built, JSON.stringify(brand.name).slice(1, -1));
    if (!isRenamed(brand)) return manifest;
    const {
      shortcuts,
      screenshots: _,
      ...others
    } = JSON.parse(manifest) as { shortcuts: object[]; screenshots: unknown };
    if (brand.icon === null) return JSON.stringify({ ...others, shortcuts });
    const icons = [{ src: brand.icon, sizes: '512x512', type: 'image/png', purpose: 'any' }];
    return JSON.stringify({ ...others, icons, shortcuts: shortcuts.map((one) => ({ ...one, icons })) });
  };
  const robots = [
    'User-agent: *',
    ...closedPaths.map((path) => `Disallow: ${path}`),
    `Sitemap: ${publicUrl}/sitemap.xml`,
  ];
  const addresses = openPaths.map((path) => `<url><loc>${escapeHtml(publicUrl + path)}</loc></url>`);
  return new Map<string, PublicDocument>([
    ['/robots.txt', { type: 'text/plain; charset=utf-8', body: `${robots.join('\n')}\n` }],
    [
      '/sitemap.xml',
      {
        type: 'application/xml; charset=utf-8',
        body: `<?xml version="1.0" encoding="UTF-8"?>\n<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">${addresses.join('')}</urlset>\n`,
      },
    ],
    ...builtDocuments.map(([path, file, type]): [string, PublicDocument] => [
      path,
      {
        type,
        body: file.endsWith('.html')
          ? withPictures(filledIn(readFileSync(join(folder, file), 'utf8'), escapeHtml(brand.name)), brand, address)
          : manifestOf(readFileSync(join(folder, file), 'utf8')),
      },
    ]),
  ]);
}
