import { existsSync, readFileSync } from 'node:fs';
import { freeLikesPerDay } from '#contract/constants.ts';
import type { Money } from '#contract/subscriptions/plan.ts';
import type { Config } from '../config/config.ts';
import { escapeHtml } from './pages.ts';

/** A document that is the same for everyone. */
export interface PublicDocument {
  type: string;
  body: string;
}

/** The pages that need no account, for search engines. */
const openPaths = ['/app', '/app/join', '/faqs', '/privacy', '/app/terms'];
/** What is of no use to them. */
const closedPaths = ['/api/', '/dev/', '/realtime/'];

function formatMoney({ amountMinor, currency }: Money): string {
  const format = new Intl.NumberFormat('en', { style: 'currency', currency });
  return format.format(amountMinor / 10 ** (format.resolvedOptions().maximumFractionDigits ?? 0));
}

function landingPage(html: string, { payments, publicUrl }: Config): string {
  const { monthly, quarterly, annual } = payments.prices;
  const words: Record<string, string> = {
    PUBLIC_URL: publicUrl,
    FREE_LIKES: String(freeLikesPerDay),
    PRICE_MONTHLY: formatMoney(monthly),
    PRICE_QUARTERLY: formatMoney(quarterly),
    PRICE_ANNUAL: formatMoney(annual),
  };
  return html
    .replaceAll(/%([A-Z_]+)%/g, (whole, name: string) => escapeHtml(words[name] ?? whole))
    .replace('<html ', payments.provider === 'off' ? '<html data-sells="no" ' : '<html ');
}

/**
 * What is served to everyone at fixed paths: the landing page, if the web app is built, and what search engines ask for.
 * `landingFile` is the built page; the server fills in addresses, prices and limits.
 */
export function publicDocuments(config: Config, landingFile: string): ReadonlyMap<string, PublicDocument> {
  const { publicUrl } = config;
  const robots = [
    'User-agent: *',
    ...closedPaths.map((path) => `Disallow: ${path}`),
    `Sitemap: ${publicUrl}/sitemap.xml`,
  ];
  const addresses = openPaths.map((path) => `<url><loc>${escapeHtml(publicUrl + path)}</loc></url>`);
  const documents = new Map<string, PublicDocument>([
    ['/robots.txt', { type: 'text/plain; charset=utf-8', body: `${robots.join('\n')}\n` }],
    [
      '/sitemap.xml',
      {
        type: 'application/xml; charset=utf-8',
        body: `<?xml version="1.0" encoding="UTF-8"?>\n<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">${addresses.join('')}</urlset>\n`,
      },
    ],
  ]);
  if (existsSync(landingFile))
    documents.set('/app', {
      type: 'text/html; charset=utf-8',
      body: landingPage(readFileSync(landingFile, 'utf8'), config),
    });
  return documents;
}
