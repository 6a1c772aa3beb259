import { describe, expect, it } from 'vitest';
import { eventually, serviceForTests } from './support/harness.ts';
import { people, see } from './support/visitor.ts';

const service = serviceForTests({ members: 60 });

/** What Safari 16.4 or Firefox 121 lack, and Chromium has. */
const missing = [
  'AbortSignal.any',
  'Array.fromAsync',
  'Blob.prototype.bytes',
  'CloseWatcher',
  'Document.prototype.startViewTransition',
  'Element.prototype.checkVisibility',
  'Element.prototype.moveBefore',
  'Element.prototype.setHTML',
  'Error.isError',
  'HTMLElement.prototype.hidePopover',
  'HTMLElement.prototype.showPopover',
  'HTMLElement.prototype.togglePopover',
  'ImageDecoder',
  'Intl.DurationFormat',
  'Intl.Segmenter',
  'Iterator',
  'Map.groupBy',
  'Map.prototype.getOrInsert',
  'Math.sumPrecise',
  'Navigator.prototype.setAppBadge',
  'Navigator.prototype.clearAppBadge',
  'Object.groupBy',
  'Promise.try',
  'Promise.withResolvers',
  'RegExp.escape',
  'Response.json',
  'Response.prototype.bytes',
  'Uint8Array.fromBase64',
  'Uint8Array.prototype.toBase64',
  'URL.canParse',
  'URL.parse',
  'cancelIdleCallback',
  'navigation',
  'onscrollend',
  'requestIdleCallback',
  'scheduler',
  ...['difference', 'intersection', 'isDisjointFrom', 'isSubsetOf', 'isSupersetOf', 'symmetricDifference', 'union'].map(
    (name) => `Set.prototype.${name}`,
  ),
];
const iterating = ['drop', 'every', 'filter', 'find', 'flatMap', 'forEach', 'map', 'reduce', 'some', 'take', 'toArray'];

const without = (names: string[]) => `
  for (const name of ${JSON.stringify(iterating)}) delete Object.getPrototypeOf(Object.getPrototypeOf([].values()))[name];
  for (const path of ${JSON.stringify(names)}) {
    const parts = path.split('.');
    const owner = parts.slice(0, -1).reduce((object, part) => object?.[part], globalThis);
    if (owner) delete owner[parts.at(-1)];
  }`;

describe('the oldest browsers', () => {
  it.each([
    [
      people.ada,
      ['discover', 'people', 'likes', 'messages', 'profile', 'settings', 'support/new'].map((name) => `/app/${name}`),
    ],
    [people.administrator, ['/dashboard', '/users', '/reports', '/cases', '/insights']],
  ])('show $email each page', async (as, paths) => {
    const { page, context } = await service.visitor({ as });
    await context.addInitScript(without(missing));
    for (const path of paths) {
      await page.goto(path);
      await page.getByRole('heading', { level: 1 }).waitFor();
      await page.waitForLoadState('networkidle');
      expect(await page.getByRole('alert').allTextContents(), path).toEqual([]);
    }
    expect(await page.evaluate('typeof AbortSignal.any + typeof Intl.Segmenter')).toBe('undefinedundefined');
  });

  it('send a message', async () => {
    const { page, context } = await service.visitor({ as: people.ada });
    await context.addInitScript(without(missing));
    await page.goto('/app/messages');
    await page.getByRole('list', { name: 'Conversations' }).getByRole('link').first().click();
    await page.getByRole('textbox', { name: /^Write to / }).fill('Sent from an old telephone');
    await page.getByRole('button', { name: 'Send', exact: true }).click();
    await see(page.getByRole('region', { name: /^Messages with / }), 'Sent from an old telephone');
  });

  it.each(['/app', '/app/sign-in', '/login'])('get colors that they support at %s', async (path) => {
    const { page } = await service.visitor();
    await page.goto(path);
    const styles = await page.evaluate<string>(`Promise.all(
      [...document.querySelectorAll('style, link[rel=stylesheet]')].map(async (node) =>
        node.href ? (await fetch(node.href)).text() : node.textContent),
    ).then((all) => all.join(''))`);
    expect(styles.length).toBeGreaterThan(1000);
    expect(styles).not.toContain('light-dark(');
  });
});

describe('a browser that is too old', () => {
  it.each([
    ['/app/join', 'en', 'Heartwood needs a newer browser.'],
    ['/app/sign-in?lang=de', 'de', 'Heartwood braucht einen neueren Browser.'],
    ['/faqs?lang=ar', 'ar', 'يحتاج .?Heartwood.? إلى متصفح أحدث.'],
    ['/terms?lang=es', 'es', 'Heartwood necesita un navegador más reciente.'],
    ['/app/join?lang=fr', 'fr', 'Heartwood a besoin d’un navigateur plus récent.'],
    ['/safety?lang=pt-BR', 'pt-BR', 'O Heartwood precisa de um navegador mais recente.'],
  ])('is told at %s in the reader’s language (%s) that it is too old', async (path, _, sentence) => {
    const visitor = await service.visitor();
    await visitor.context.addInitScript(without(['String.prototype.toWellFormed']));
    await visitor.page.goto(path);
    await see(visitor.page, new RegExp(sentence));
    await visitor.page.getByRole('link', { name: 'support@heartwood.test' }).waitFor();
    expect(await visitor.page.getByRole('main').count()).toBe(0);
    await eventually(() => visitor.problems).toEqual([expect.stringMatching('The page has no #root')]);
    visitor.problems.length = 0;
  });

  it('still shows the landing page, below the note', async () => {
    const { page, context } = await service.visitor();
    await context.addInitScript(without(['String.prototype.toWellFormed']));
    await page.goto('/app?lang=pl');
    await see(page, /Heartwood wymaga nowszej przeglądarki\./);
    await page.getByRole('main').getByRole('heading', { level: 1 }).waitFor();
  });
});
