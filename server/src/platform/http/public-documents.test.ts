import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { readConfig } from '../config/config.ts';
import { publicDocuments } from './pages.ts';

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
