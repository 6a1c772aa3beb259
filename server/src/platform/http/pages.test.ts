import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { brotliDecompressSync, gunzipSync, zstdDecompressSync } from 'node:zlib';
import type { FastifyRequest } from 'fastify';
import { beforeAll, describe, expect, it } from 'vitest';
import { register } from '#contract/auth/auth.ts';
import { type Language, languages } from '#contract/languages.ts';
import { listOutbox } from '#contract/system.ts';
import { apiBasePath } from '#contract/constants.ts';
import { startAppForTests } from '../../../test/harness.ts';
import { replaceTexts } from './document-texts.ts';
import { escapeHtml, languageOf, publicDocuments } from './pages.ts';
import { queueMail } from '../notify/mail.ts';
import { usualSettings } from '#contract/service/settings.ts';
import { readConfig } from '../config/config.ts';
import { makeAdministrator, makeMember, type TestMember } from '../../../test/factories.ts';
import { callName, contractEndpoints } from '../../../test/guards/contract-endpoints.ts';
import { compressedFrom } from './compression.ts';

const test = startAppForTests();

describe('the development outbox', () => {
  it('escapes members’ text on its page and in the emails', async () => {
    const name = '<img src=x onerror=alert(1)>';
    const body = { email: 'words@example.test', password: 'a long enough secret', firstName: name, acceptTerms: true };
    await test.call(register, { body });
    expect((await test.app.inject('/dev/outbox')).body).not.toContain('img src=x');
    const mail = { to: body.email, accountId: null, template: 'passkeyAdded', data: { name } };
    test.clock.advance(1);
    await queueMail(test.db, mail, test.clock.now());
    const page = (await test.app.inject('/dev/outbox')).body;
    expect(page).toContain('&lt;img src=x');
    expect(page).not.toMatch(/<img|<script/i);
    const [shown] = (await test.call(listOutbox, { query: { to: 'WORDS@example.test' } })).body.data.mails;
    expect(shown?.text).toContain(name);
    expect(shown?.html).not.toContain('<img src=x');
  });

  it('lists the newest hundred emails', async () => {
    for (let n = 0; n < 102; n += 1) {
      test.clock.advance(1);
      await test.db
        .insertInto('mail')
        .values({
          recipient: 'many@example.test',
          template: 'passwordChanged',
          data: '{}',
          created_at: test.clock.now(),
          last_error: null,
          sent_at: null,
        })
        .execute();
    }
    const { mails } = (await test.call(listOutbox, { query: { to: 'many@example.test' } })).body.data;
    expect(mails).toHaveLength(100);
    expect(mails[0]?.createdAt).toBe(test.clock.now().toISOString());
  });
});

describe('text inserted into HTML', () => {
  it('is escaped in elements and attributes', () => {
    expect(escapeHtml(`<a href="x" title='y'>&`)).toBe('&lt;a href=&quot;x&quot; title=&#39;y&#39;&gt;&amp;');
    expect(escapeHtml('ключ 🔑')).toBe('ключ 🔑');
  });
});

const folder = mkdtempSync(join(tmpdir(), 'web-'));
const landing =
  '<html lang="en" dir="ltr"><link rel="canonical" href="%PUBLIC_URL%%PATH%"><img alt="More filters"><p><b>%PRICE_MONTHLY%</b> a month</p><p>%PRICE_QUARTERLY%, %PRICE_ANNUAL%, %FREE_LIKES% likes, 100%</p><nav>%LANGUAGES%</nav></html>';
writeFileSync(join(folder, 'landing.html'), landing);
writeFileSync(
  join(folder, 'index.html'),
  '<html lang="en" dir="ltr"><script>const a = 1 > 0, b = "Join";</script><a>Join</a>',
);
writeFileSync(
  join(folder, 'manifest.webmanifest'),
  '{\n  "name": "Likes",\n  "lang": "en",\n  "dir": "ltr",\n  "x": [{ "name": "Discover" }] }',
);

const documentsOf = (environment: Record<string, string>, language: Language = 'en') =>
  publicDocuments(readConfig({ PUBLIC_URL: 'http://localhost:3000', ...environment }), folder, language, usualSettings);

describe('the landing page', () => {
  const prices = {
    PREMIUM_CURRENCY: 'EUR',
    PREMIUM_PRICE_MONTHLY: '12.50',
    PREMIUM_PRICE_QUARTERLY: '35.97',
    PREMIUM_PRICE_ANNUAL: '119.88',
  };

  it('shows the configured address, prices and limits', () => {
    const page = documentsOf(prices).get('/app')?.body;
    expect(page).toContain('<link rel="canonical" href="http://localhost:3000/app">');
    expect(page).toContain('<p><b>€12.50</b> a month</p><p>€35.97, €119.88, 30 likes, 100%</p>');
  });

  it('contains the texts and prices of a language in its direction', () => {
    const page = documentsOf(prices, 'de').get('/app')?.body;
    expect(page).toMatch(/^<html lang="de" dir="ltr">/);
    expect(page).toContain('<link rel="canonical" href="http://localhost:3000/app?lang=de"><img alt="Weitere Filter">');
    expect(page).toContain('<p><b>12,50\u00a0€</b> im Monat</p><p>35,97\u00a0€, 119,88\u00a0€, 30 likes, 100%</p>');
    expect(documentsOf({}, 'ar').get('/app')?.body).toMatch(/^<html lang="ar" dir="rtl">/);
  });

  it('links to itself in every language', () => {
    const page = documentsOf({}, 'pl').get('/app')?.body;
    for (const language of languages)
      expect(page).toContain(`<a href="/app?lang=${language}" hreflang="${language}" lang="${language}"`);
    expect(page).toContain('lang="pl" aria-current="true">Polski</a>');
    expect(page).toContain('<link rel="alternate" hreflang="pt-BR" href="http://localhost:3000/app?lang=pt-BR" />');
    expect(page).toContain('<link rel="alternate" hreflang="en" href="http://localhost:3000/app" />');
  });

  it('does not offer premium where it can’t be bought', () => {
    expect(documentsOf({ PAYMENTS_PROVIDER: 'off' }).get('/app')?.body).toMatch(/^<html data-sells="no" lang="en"/);
  });
});

describe('the documents of the web app', () => {
  it('contain the texts of a language, and unchanged scripts', () => {
    const documents = documentsOf({}, 'de');
    expect(documents.get('/')?.body).toBe(
      '<html lang="de" dir="ltr"><script>const a = 1 > 0, b = "Join";</script><a>Registrieren</a>',
    );
    expect(JSON.parse(documents.get('/manifest.webmanifest')?.body ?? '')).toEqual({
      name: 'Likes',
      lang: 'de',
      dir: 'ltr',
      x: [{ name: 'Entdecken' }],
    });
  });

  it('are unchanged in English', () => {
    expect(documentsOf({}).get('/')?.body).toBe(readFileSync(join(folder, 'index.html'), 'utf8'));
  });

  it('don’t exist without a build', () => {
    expect(publicDocuments(readConfig({}), join(tmpdir(), 'no-such-folder'), 'en', usualSettings).size).toBe(0);
  });
});

describe('the texts of a document', () => {
  it('include everything that people see, with placeholders and bold words', () => {
    const found: string[] = [];
    replaceTexts(
      `<title>%brand%</title><style>p > a { color: red }</style><meta name="description"
        content="About us"><meta name="theme-color" content="red"><svg aria-label="A mark"><path d="M1 2"/></svg>
      <p>One <b>bold</b>
        text</p><li><strong>%COUNT%</strong> likes</li><a>%LANGUAGES%</a><img alt=""><noscript><p>No script</p></noscript>`,
      ({ message }) => `${found.push(message)}`,
    );
    expect(found).toEqual([
      'About us',
      'A mark',
      'One <b>bold</b> text',
      '<strong>{COUNT}</strong> likes',
      'No script',
    ]);
  });

  it('can contain quotation marks', () => {
    expect(replaceTexts('<img alt="a">', () => 'say "b"')).toBe('<img alt="say &quot;b&quot;">');
    expect(replaceTexts('{"label": "A b"}', () => 'say "b"')).toBe('{"label": "say \\"b\\""}');
  });
});

describe('the language of a document', () => {
  const chosen = (lang: string | undefined, cookie: string, accepted: string) =>
    languageOf({ query: { lang }, headers: { cookie, 'accept-language': accepted } } as unknown as FastifyRequest);

  it.each([
    ['the address', 'tr', 'language=pl', 'de', 'tr'],
    ['the device', undefined, 'a=b; language=pt-BR; c=d', 'de', 'pt-BR'],
    ['the browser', undefined, 'my-language=pl', 'de-AT,en;q=0.5', 'de'],
    ['the browser, for unknown choices', 'xx', 'language=constructor', 'ar', 'ar'],
    ['English', undefined, '', '', 'en'],
  ])('is the language of %s', (_, lang, cookie, accepted, expected) => {
    expect(chosen(lang, cookie, accepted)).toBe(expected);
  });
});

describe('the documents for search engines', () => {
  it('list the public pages and link to the sitemap', () => {
    const documents = documentsOf({});
    expect(documents.get('/robots.txt')?.body).toContain('Sitemap: http://localhost:3000/sitemap.xml\n');
    expect(documents.get('/sitemap.xml')?.body).toContain('<loc>http://localhost:3000/faqs</loc>');
    expect(documents.get('/sitemap.xml')?.body).not.toMatch(/api|users|dashboard/);
  });
});

describe('compression', () => {
  let administrator: TestMember;

  beforeAll(async () => {
    administrator = await makeAdministrator(test);
    for (let made = 0; made < 20; made += 1) await makeMember(test);
  });

  const decoders = { br: brotliDecompressSync, zstd: zstdDecompressSync, gzip: gunzipSync };

  function ask(url: string, accepted?: string) {
    const headers = { authorization: `Bearer ${administrator.token}` };
    return test.app.inject({
      url: `${apiBasePath}${url}`,
      headers: accepted === undefined ? headers : { ...headers, 'accept-encoding': accepted },
    });
  }

  describe('a response', () => {
    it.each([
      ['gzip', 'gzip'],
      ['gzip, deflate, br', 'br'],
      ['gzip, deflate, br, zstd', 'zstd'],
      ['gzip, zstd', 'zstd'],
      ['zstd, br;q=0', 'zstd'],
    ] as const)('is compressed for the accept-encoding "%s" with %s', async (accepted, encoding) => {
      const plain = await ask('/auth/users?limit=20');
      const answer = await ask('/auth/users?limit=20', accepted);
      expect(answer.headers['content-encoding']).toBe(encoding);
      expect(answer.headers.vary).toContain('accept-encoding');
      expect(answer.rawPayload.length).toBeLessThan(plain.rawPayload.length / 3);
      expect(decoders[encoding](answer.rawPayload).toString()).toBe(plain.body);
    });

    it('is not compressed when it is small or the client does not request it', async () => {
      expect((await ask('/auth/users?limit=20')).headers['content-encoding']).toBeUndefined();
      const small = await ask('/auth/sessions', 'gzip');
      expect(small.rawPayload.length).toBeLessThan(compressedFrom);
      expect(small.headers['content-encoding']).toBeUndefined();
    });

    it('is compressed when it is streamed', async () => {
      const plain = await ask('/admin/users/export?reason=Figures');
      const answer = await ask('/admin/users/export?reason=Figures', 'gzip');
      expect(answer.headers['content-encoding']).toBe('gzip');
      expect(gunzipSync(answer.rawPayload).toString()).toBe(plain.body);
    });

    it('hides its exact size with a header of random length', async () => {
      const lengths = new Set<number>();
      for (let asked = 0; asked < 20; asked += 1)
        lengths.add(String((await ask('/auth/sessions', 'gzip')).headers['x-padding']).length);
      expect(lengths.size).toBeGreaterThan(5);
    });
  });

  const routesAt = (path: string, methods: string) =>
    methods.split(', ').map((method) => `${method} ${path.replaceAll(/:(\w+)/g, '{$1}')}`);
  /** The routes that compress their answers, as `GET /path`. */
  function compressingRoutes(): string[] {
    const parents: string[] = [];
    let routes: string[] = [];
    return test.app
      .printRoutes({ commonPrefix: false, includeHooks: true })
      .split('\n')
      .flatMap((line) => {
        if (line.includes('• (onSend) ["onSend()"')) return routes;
        // Another method of the same path, with other hooks, follows without a branch.
        const again = /^[│ ]*[^•│├└ ].* \(([A-Z, ]+)\)$/.exec(line)?.[1];
        if (again !== undefined) {
          routes = routesAt(parents.at(-1) ?? '', again);
          return [];
        }
        const found = /^([│ ]*)[├└]── (.*?)(?: \(([A-Z, ]+)\))?$/.exec(line);
        if (found === null) return [];
        const [, indent = '', part = '', methods = ''] = found;
        parents.length = indent.length / 4;
        const path = (parents.at(-1) ?? '') + part;
        parents.push(path);
        routes = routesAt(path, methods);
        return [];
      });
  }

  describe('contract endpoints', () => {
    it('compress their responses, except those with credentials', async () => {
      const compressing = new Set(compressingRoutes());
      const plain = (await contractEndpoints())
        .filter(({ method, path }) => !compressing.has(`${method} ${apiBasePath}${path}`))
        .map(callName);
      expect(plain.sort()).toEqual([
        'GET /auth/google/nonce',
        'GET /dev/outbox',
        'GET /notices/challenge',
        'POST /auth/change-email',
        'POST /auth/confirm',
        'POST /auth/facebook',
        'POST /auth/google',
        'POST /auth/house',
        'POST /auth/join',
        'POST /auth/link',
        'POST /auth/login',
        'POST /auth/login/totp',
        'POST /auth/passkeys/login/options',
        'POST /auth/passkeys/login/verify',
        'POST /auth/passkeys/register/options',
        'POST /auth/passkeys/register/verify',
        'POST /auth/refresh-token',
        'POST /auth/register',
        'POST /auth/resend-verification',
        'POST /auth/totp/enable',
        'POST /auth/totp/recovery-codes',
        'POST /auth/totp/setup',
        'POST /auth/verify-email',
        'POST /subscription/create',
        'POST /subscription/resume',
        'POST /subscription/setup-intent',
        'PUT /subscription/update',
      ]);
    });
  });
});
