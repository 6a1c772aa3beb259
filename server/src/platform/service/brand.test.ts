import { copyFileSync, globSync, mkdtempSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { readSources } from '../../../../scripts/import-graph.ts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Language, languages } from '#contract/languages.ts';
import { contrast, nearestReadable, tokensOf } from '#contract/service/colours.ts';
import { mailTemplates } from '../../features.ts';
import { totpUri } from '../../features/auth/factors/codes.ts';
import { statusPage } from '../../features/operations/status.ts';
import { checkPassword } from '../../features/auth/policy.ts';
import { usualSettings } from '#contract/service/settings.ts';
import { readConfig } from '../config/config.ts';
import { publicDocuments } from '../http/pages.ts';
import { messageOf } from '../notify/mail.ts';
import { inLanguage } from '../process/log.ts';
import { asFile, presentSeller, showBrand } from './brand.ts';

const root = resolve(import.meta.dirname, '../../../..');
const colours = { light: '#14506b', dark: '#8fd0ec' };
const kastanie = {
  ...usualSettings.brand,
  name: 'Kastanie & "Co"',
  legalEntity: 'Kastanie GmbH',
  colours,
  icon: 'a'.repeat(64),
};
beforeAll(() => showBrand(kastanie));
afterAll(() => showBrand(usualSettings.brand));

function documentsIn(language: Language) {
  const folder = mkdtempSync(join(tmpdir(), 'brand-'));
  for (const file of ['index.html', 'landing.html', 'public/manifest.webmanifest'])
    copyFileSync(join(root, 'web', file), join(folder, file.replace('public/', '')));
  return publicDocuments(readConfig({}), folder, language, usualSettings);
}

/** Every text of the product in an email, whatever its data. */
const anyData = new Proxy<Record<string, string>>({}, { get: () => '1', has: () => true });

describe.each(languages)('with another brand, in %s', (language) => {
  it('no document, mail or page names the product', async () => {
    const documents = documentsIn(language);
    const mails = await inLanguage(language, () =>
      Promise.all(
        Object.values(mailTemplates).map((template) =>
          messageOf(
            readConfig({}).mail,
            { id: 'one', recipient: 'rosa@example.test' },
            template(anyData, 'https://dating.example'),
            new Date(0),
          ),
        ),
      ),
    );
    const shown = [
      ...[...documents].map(([path, { body }]) => `${path} ${body}`),
      ...mails.map((mail) => JSON.stringify(mail)),
      inLanguage(language, () => statusPage([], new Date(0))),
    ];
    expect(shown.filter((text) => /Heartwood|favicon|icon-192|og\.jpg|M24 42\.5/.test(text))).toEqual([]);
    expect(documents.get('/manifest.webmanifest')?.body).not.toContain('screenshots');
    const page = documents.get('/')?.body ?? '';
    expect(page).toContain('<title>Kastanie &amp; &quot;Co&quot;</title>');
    expect(page).toContain(`--hw-accent:${colours.light}`);
    expect(JSON.parse(documents.get('/manifest.webmanifest')?.body ?? '')).toMatchObject({
      name: 'Kastanie & "Co"',
      icons: [{ src: `/brand/${'a'.repeat(64)}.png` }],
    });
    expect(mails[0]).toMatchObject({ from: { name: 'Kastanie & "Co"' } });
  });
});

describe('with another brand', () => {
  it.each([
    [
      'a logo',
      { logo: 'b'.repeat(64) },
      `aria-label="Kastanie &amp; &quot;Co&quot;">\\s*<img class="logo" src="/brand/b{64}.png"`,
    ],
    ['an icon', {}, '<img class="mark" src="/brand/a{64}.png" .*<span>Kastanie &amp; &quot;Co&quot;</span>'],
    ['its name alone', { icon: null }, '<svg class="mark" .*<span>Kastanie &amp; &quot;Co&quot;</span>'],
  ])('the landing page begins with %s', (_, pictures, header) => {
    showBrand({ ...kastanie, ...pictures });
    const landing = documentsIn('en').get('/app')?.body ?? '';
    expect(landing).toMatch(new RegExp(header, 's'));
    expect(landing).not.toContain('og.jpg');
    expect(landing).toContain('<html data-brand="own"');
    showBrand(kastanie);
  });

  it('its landing page has the address without a language in the first one', () => {
    showBrand({ ...kastanie, language: 'de' });
    const [german = '', english = ''] = (['de', 'en'] as const).map((one) => documentsIn(one).get('/app')?.body);
    expect(german).toContain('<html data-brand="own" lang="de"');
    expect(german).toContain('rel="canonical" href="http://localhost:3000/app"');
    expect(english).toContain('rel="canonical" href="http://localhost:3000/app?lang=en"');
    for (const page of [german, english]) expect(page).toMatch(/hreflang="de" href="[^"]*\/app" .*?hreflang="tr"/s);
    expect(english.indexOf('>Deutsch</a>')).toBeLessThan(english.indexOf('>English</a>'));
    showBrand(kastanie);
  });

  it('white text can be read on its mark in both schemes', () => {
    const bright = { light: nearestReadable('light', '#e0a030'), dark: '#ffe08a' };
    const marks = [...tokensOf(bright).matchAll(/--hw-mark:(#\w{6})/g)].map(([, mark = '']) => mark);
    expect(marks).toHaveLength(2);
    for (const mark of marks) expect(contrast(mark, '#ffffff')).toBeGreaterThanOrEqual(4.5);
  });

  it('no catalogue names the product', () => {
    const named = globSync('locales/*/*.po', { cwd: root }).filter((file) =>
      readFileSync(join(root, file), 'utf8').includes('Heartwood'),
    );
    expect(named).toEqual([]);
  });

  it('no source contains the name of the product or writes it to a file', () => {
    const said = readSources(['contract/src', 'web/src', 'web/worker', 'server/src', 'demo'])
      .filter(({ path }) => !/\.test\.tsx?$|\/test\//.test(path))
      .filter(({ text }) =>
        text
          .split('\n')
          .some(
            (line) =>
              !/^\s*(\/\/|\/?\*)/.test(line) && /Heartwood\b|filename="?heartwood|heartwood[\w.-]*\.\w{3}\b/.test(line),
          ),
      )
      .map(({ path }) => path);
    // The default name, and the texts that operators read on a command line.
    expect(said.toSorted()).toEqual([
      'contract/src/constants.ts',
      'server/src/open-database.ts',
      'server/src/platform/config/values.ts',
      'server/src/platform/process/lifecycle.ts',
      'server/src/start.ts',
    ]);
  });

  it.each([
    ['Kastanie & "Co"', 'kastanie-co-cases.csv'],
    ['Łódź Größe', 'lodz-grosse-cases.csv'],
    ['قلب', 'service-cases.csv'],
    ['../\r\n";x', 'x-cases.csv'],
  ])('files of %s begin with its name in plain letters', (name, file) => {
    showBrand({ ...kastanie, name });
    expect(asFile('cases.csv')).toBe(`attachment; filename="${file}"`);
    showBrand(kastanie);
  });

  it('its name is rejected as a password', () => {
    const owner = { email: 'rosa@example.test', names: [], isStaff: false };
    for (const password of ['heartwoodheartwood', 'Kastanie-Co-1234', 'kastaniecokastanieco'])
      expect(() => checkPassword(password, owner)).toThrow(/name of this service/);
  });

  it('authenticator apps and receipts show its name and its legal entity', () => {
    expect(totpUri('JBSWY3DPEHPK3PXP', 'rosa@example.test')).toContain('issuer=Kastanie');
    expect(presentSeller(readConfig({}).payments.seller).name).toBe('Kastanie GmbH');
  });
});
