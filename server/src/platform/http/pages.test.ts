import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { register } from '#contract/auth/auth.ts';
import { listOutbox } from '#contract/system.ts';
import { startApp, type TestApp } from '../../../test/harness.ts';
import { escapeHtml, publicDocuments } from './pages.ts';
import { queueMail } from '../notify/mail.ts';
import { readConfig } from '../config/config.ts';

let test: TestApp;
beforeAll(async () => {
  test = await startApp();
});
afterAll(() => test.close());

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

const file = join(mkdtempSync(join(tmpdir(), 'landing-')), 'landing.html');
writeFileSync(
  file,
  '<html lang="en"><a href="%PUBLIC_URL%/app">%PRICE_MONTHLY%, %PRICE_QUARTERLY%, %PRICE_ANNUAL%, %FREE_LIKES% likes, 100%</a></html>',
);
const documentsOf = (environment: Record<string, string>) =>
  publicDocuments(readConfig({ PUBLIC_URL: 'http://localhost:3000', ...environment }), file);

describe('the landing page', () => {
  it('shows the configured address, prices and limits', () => {
    const page = documentsOf({
      PREMIUM_CURRENCY: 'EUR',
      PREMIUM_PRICE_MONTHLY: '12.50',
      PREMIUM_PRICE_QUARTERLY: '35.97',
      PREMIUM_PRICE_ANNUAL: '119.88',
    }).get('/app')?.body;
    expect(page).toBe(
      '<html lang="en"><a href="http://localhost:3000/app">€12.50, €35.97, €119.88, 30 likes, 100%</a></html>',
    );
  });

  it('does not offer premium where it can’t be bought', () => {
    expect(documentsOf({ PAYMENTS_PROVIDER: 'off' }).get('/app')?.body).toMatch(/^<html data-sells="no" lang="en">/);
  });

  it('returns 404 without a web build', () => {
    expect(publicDocuments(readConfig({}), join(tmpdir(), 'no-such-page.html')).has('/app')).toBe(false);
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
