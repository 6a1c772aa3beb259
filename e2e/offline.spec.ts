import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { accessibilityBreaches } from './axe.ts';
import { eventually, serviceForTests } from './support/harness.ts';
import { cachedIn, keptBy, workerAtWork } from './kept-entries.ts';
import { addressOf, people, see, type Visitor } from './support/visitor.ts';

const service = serviceForTests();

const { ada } = people;
const ofDevice = ['color-scheme', 'device:install-closed', 'device:visits', 'single-keys'];
const notice = (page: Page) => page.getByRole('status').filter({ hasText: "You're offline." });
const heading = (page: Page, name: string) => page.getByRole('heading', { level: 1, name }).waitFor();

/** A visitor whose browser has cached the shell. */
async function come(path: string, as?: typeof ada): Promise<Visitor> {
  const visitor = await service.visitor({ ...(as ? { as } : {}), hasServiceWorker: true });
  await visitor.page.goto(path);
  await workerAtWork(visitor.page);
  return visitor;
}

/** Sockets without a network log expected console errors. */
function forgetLostLines({ problems }: Visitor): void {
  problems.splice(0, problems.length, ...problems.filter((problem) => !/WebSocket/.test(problem)));
}

describe('the installable app', () => {
  it('has a manifest with icons of the declared sizes', async () => {
    const { page } = await service.visitor();
    await page.goto('/faqs');
    const href = (await page.locator('link[rel=manifest]').getAttribute('href')) ?? '';
    const answer = await page.request.get(href);
    expect(answer.headers()['content-type']).toMatch(/^application\/manifest\+json/);
    const manifest = (await answer.json()) as {
      name: string;
      start_url: string;
      scope: string;
      display: string;
      icons: { src: string; type: string; sizes: string; purpose: string }[];
    };
    expect(manifest).toMatchObject({ name: 'Heartwood', scope: '/', display: 'standalone' });
    expect(manifest.start_url).toMatch(/^\/app\/discover/);
    expect(manifest.icons.map(({ sizes, purpose }) => `${purpose} ${sizes}`).sort()).toEqual(
      ['any', 'maskable'].flatMap((purpose) => ['192x192', '512x512', 'any'].map((sizes) => `${purpose} ${sizes}`)),
    );
    const touch = (await page.locator('link[rel=apple-touch-icon]').getAttribute('href')) ?? '';
    const pictures = [...manifest.icons, { src: touch, type: 'image/png', sizes: '180x180' }];
    for (const { src, type, sizes } of pictures) {
      expect((await page.request.get(src)).headers()['content-type'], src).toBe(type);
      const size = await page.evaluate<string>(
        `(async () => { const i = new Image(); i.src = '${src}'; await i.decode(); return i.naturalWidth + 'x' + i.naturalHeight; })()`,
      );
      if (sizes !== 'any') expect(size, src).toBe(sizes);
    }
  });

  it('does not include the component catalogue, which belongs to the development server', async () => {
    const { page } = await service.visitor();
    const answer = await page.request.get('/dev/ui');
    const unknown = await page.request.get('/dev/unknown');
    expect([answer.status(), unknown.status()]).toEqual([404, 404]);
    expect(await answer.json()).toMatchObject({ code: ((await unknown.json()) as { code: string }).code });
    const built = join(import.meta.dirname, '../dist/web');
    const files = readdirSync(built, { recursive: true, encoding: 'utf8' }).filter((name) => /\.(js|html)$/.test(name));
    expect(files.filter((name) => readFileSync(join(built, name), 'utf8').includes('Component catalogue'))).toEqual([]);
  });

  it('has a service worker that is never cached', async () => {
    const { page } = await service.visitor();
    const answer = await page.request.get(`${service.url}/sw.js`);
    expect(answer.headers()['cache-control']).toBe('no-cache');
    expect(answer.headers()['content-type']).toMatch(/javascript/);
    expect(answer.headers()['content-security-policy']).toMatch(/worker-src 'self'/);
    expect(answer.headers()['content-security-policy']).toMatch(/manifest-src 'self'/);
  });
});

describe('the app without a network', () => {
  it('shows visitors the static pages, and only the frame of other pages', async () => {
    const visitor = await come('/privacy');
    const { page, context } = visitor;
    await context.setOffline(true);
    for (const [door, button] of [
      ['/app/sign-in', 'Sign in'],
      ['/login', 'Sign In'],
    ] as const) {
      await page.goto(door);
      await page.getByRole('button', { name: button, exact: true }).waitFor();
      await page.waitForLoadState('networkidle');
      expect(await page.getByRole('alert').allTextContents()).toEqual([]);
    }
    await page.goto('/faqs');
    await heading(page, 'Frequently Asked Questions');
    await page.getByRole('button', { name: 'How do I delete my account?' }).click();
    await see(page, /14 days/);
    await notice(page).waitFor();
    await page.goto('/privacy');
    await heading(page, 'Privacy Policy');
    await page.goto('/app/join');
    await heading(page, "You're offline");
    await notice(page).waitFor();
    await page.getByRole('contentinfo').waitFor();
    expect(await accessibilityBreaches(page)).toEqual([]);
    await context.setOffline(false);
    await heading(page, "What's your email?");
    await notice(page).waitFor({ state: 'detached' });
  });

  it('shows the frame of a member’s page and reloads it automatically', async () => {
    const visitor = await come('/app/likes', ada);
    const { page, context } = visitor;
    await page.reload();
    await see(page, /like you\.$/);
    await context.setOffline(true);
    await page.reload();
    await notice(page).waitFor();
    await heading(page, 'Likes');
    await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Messages' }).waitFor();
    await see(page, "This loads once you're back online.");
    expect(await accessibilityBreaches(page)).toEqual([]);
    expect(await page.getByRole('alert').count()).toBe(0);
    await context.setOffline(false);
    await see(page, /like you\.$/);
    await notice(page).waitFor({ state: 'detached' });
    forgetLostLines(visitor);
  });
});

describe('browser storage', () => {
  it('contains no API answers or pictures, and no personal data after Logout', async () => {
    const visitor = await come('/home', ada);
    const { page } = visitor;
    const tour = [
      'discover',
      'likes',
      'matches',
      'messages',
      'profile',
      'support',
      'premium',
      'settings',
      'support/new',
    ];
    for (const name of tour) {
      await page.goto(`/app/${name}`);
      await page.getByRole('heading', { level: 1 }).waitFor();
      await page.waitForLoadState('networkidle');
    }
    await page
      .getByLabel(/What happened|What is wrong|describe/i)
      .first()
      .fill('A draft that nobody else may read');
    await page.goto('/app/messages');
    await page.getByRole('list', { name: 'Conversations' }).getByRole('link').first().click();
    await page.getByRole('textbox', { name: /^Write to / }).fill('A draft for one person alone');
    const before = await keptBy(page);
    expect(JSON.stringify(before.localStorage)).toContain('A draft for one person alone');
    const paths = cachedIn(before, '');
    expect(paths.length).toBeGreaterThan(60);
    expect(
      paths.filter((path) => !/^\/(|favicon\.svg|icons\/[\w-]+\.png|assets\/[\w.-]+\.(js|css|woff2))$/.test(path)),
    ).toEqual([]);
    const { shell, visited } = { shell: cachedIn(before, 'shell-'), visited: cachedIn(before, 'visited-') };
    expect(shell.length + visited.length).toBe(paths.length);
    expect(before.databases).toEqual([]);

    await page.getByRole('button', { name: 'Logout' }).click();
    await eventually(() => addressOf(page)).toBe('/app/sign-in');
    const visitedStill = async () => cachedIn(await keptBy(page), 'visited-').filter((path) => visited.includes(path));
    await eventually(visitedStill).toEqual([]);
    const after = await keptBy(page);
    expect(Object.keys(after.localStorage).filter((key) => !ofDevice.includes(key))).toEqual([]);
    expect(after.sessionStorage).toEqual({});
    expect(after.databases).toEqual([]);
    expect(cachedIn(after, 'shell-')).toEqual(shell);
    forgetLostLines(visitor);
  });

  it('is cleared by an offline Logout in every tab', async () => {
    const visitor = await come('/app/messages', ada);
    const { page, context } = visitor;
    const other = await visitor.openTab();
    await other.goto('/faqs');
    await other.evaluate("sessionStorage.setItem('draft:report', 'A draft')");
    await page.getByRole('list', { name: 'Conversations' }).getByRole('link').first().click();
    await page.getByRole('textbox', { name: /^Write to / }).fill('Unsent');
    await context.setOffline(true);
    await page.getByRole('button', { name: 'Logout' }).click();
    await eventually(() => addressOf(page)).toBe('/app/sign-in');
    for (const tab of [page, other]) {
      await eventually(async () => {
        const { localStorage, sessionStorage, caches } = await keptBy(tab);
        return [...Object.keys(localStorage), ...Object.keys(sessionStorage), ...Object.keys(caches)].filter(
          (key) => !ofDevice.includes(key) && !key.startsWith('shell-'),
        );
      }).toEqual([]);
    }
    forgetLostLines(visitor);
  });
});
