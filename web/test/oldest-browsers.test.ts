import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { oldestBrowsers } from '../build/oldest-browsers.ts';

describe('the oldest browsers', () => {
  it.each([
    'README.md',
    'docs/web.md',
    'web/index.html',
    'web/landing.html',
    'web/src/features/service/shipped/faq.ts',
  ])('match the build targets in %s', (file) => {
    const words = readFileSync(join(import.meta.dirname, '../..', file), 'utf8').replaceAll(/\s+/g, ' ');
    const named = [...words.matchAll(/\b(Safari|Firefox|Chrome) (\d[\d.]*\d)/g)];
    expect(named.map(([, name = '', version]) => name.toLowerCase() + version)).toEqual(oldestBrowsers.slice(0, 3));
  });
});
