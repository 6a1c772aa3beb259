import { createServer, type IncomingHttpHeaders, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import { accessibilityBreaches } from './axe.ts';
import { eventually, serviceForTests } from './support/harness.ts';
import { keptBy, workerAtWork } from './kept-entries.ts';
import { people, signInAt, type Visitor } from './support/visitor.ts';

/** The server behind a proxy that can also serve the next version of the web app: the same files under new names. */
interface Deployment {
  url: string;
  /** Switches to the next version and removes the files of the previous one. */
  deploy(): void;
  close(): Promise<void>;
}

const isText = (type: unknown) => /javascript|html|css/.test(String(type));
const fileName = /(assets\/|\.\/)([\w.-]+\.(?:js|css))/g;
const version = /(["'`])([0-9a-f]{12})\1/;
const mark = 'next-';

/** Removes headers that describe the original bytes, which the proxy changes. */
function plain(headers: IncomingHttpHeaders): IncomingHttpHeaders {
  const spoken = [
    'accept-encoding',
    'if-none-match',
    'if-modified-since',
    'etag',
    'content-length',
    'transfer-encoding',
  ];
  return Object.fromEntries(Object.entries(headers).filter(([name]) => !spoken.includes(name)));
}

/** A file of the web app as in the next version: with new file names and, in the service worker, a new version. */
function renamed(text: string): string {
  return text.replaceAll(fileName, `$1${mark}$2`).replace(version, `$1${mark}$2$1`);
}

/** Starts a proxy that can deploy a new version of the server at `url`. */
async function openDeployment(url: string): Promise<Deployment> {
  let isNext = false;

  const server = createServer((asked, answer) => {
    const path = asked.url ?? '/';
    const isGone = path.startsWith('/assets/') && path.startsWith(`/assets/${mark}`) !== isNext;
    if (isGone) return void answer.writeHead(404).end();
    const target = new URL(path.replace(mark, ''), url);
    const forwarded = request(target, { method: asked.method, headers: plain(asked.headers) }, (answered) => {
      const parts: Buffer[] = [];
      answered.on('data', (part: Buffer) => parts.push(part));
      answered.on('end', () => {
        const body = Buffer.concat(parts);
        const isChanged = isNext && isText(answered.headers['content-type']);
        answer.writeHead(answered.statusCode ?? 500, plain(answered.headers));
        answer.end(isChanged ? renamed(body.toString()) : body);
      });
    });
    forwarded.on('error', () => answer.destroy());
    asked.pipe(forwarded);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;

  return {
    url: `http://127.0.0.1:${port}`,
    deploy: () => {
      isNext = true;
    },
    close: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

const service = serviceForTests();
let deployment: Deployment;
afterEach(async () => {
  await service.closeVisitors();
  await deployment.close();
});

/** A visitor whose tab was open before the deployment; `loads` counts how often it was loaded. */
async function readerOf(hasServiceWorker = true): Promise<Visitor & { loads: () => number }> {
  deployment = await openDeployment(service.url);
  const visitor = await service.visitor({ hasServiceWorker });
  let loads = 0;
  visitor.page.on('load', () => {
    loads += 1;
  });
  await visitor.page.goto(`${deployment.url}/faqs`);
  if (hasServiceWorker) await workerAtWork(visitor.page);
  else await visitor.page.waitForLoadState('networkidle');
  return { ...visitor, loads: () => loads };
}

const isNewVersionWaiting =
  'navigator.serviceWorker.getRegistration().then((registration) => registration.waiting !== null)';
const preload = 'navigator.serviceWorker.getRegistration().then(({ navigationPreload }) => navigationPreload)';
const lookForUpdates = 'navigator.serviceWorker.getRegistration().then((registration) => registration.update())';

describe('a new version of the app', () => {
  it('is offered, installed on request, and removes all files of the old version', async () => {
    const { page, loads } = await readerOf();
    const [before] = Object.keys((await keptBy(page)).caches);
    deployment.deploy();
    await page.evaluate(lookForUpdates);
    const offer = page.getByRole('status').filter({ hasText: 'A new version is available.' });
    await offer.waitFor();
    expect(await accessibilityBreaches(page)).toEqual([]);
    await eventually(() => page.evaluate(isNewVersionWaiting)).toBe(true);
    expect(loads()).toBe(1);

    await page.getByRole('button', { name: 'Reload' }).click();
    await eventually(loads).toBe(2);
    await page.getByRole('heading', { level: 1 }).waitFor();
    expect(await page.locator('script[src*=index-]').getAttribute('src')).toContain('next-');
    await workerAtWork(page);
    expect(await offer.count()).toBe(0);
    const names = Object.keys((await keptBy(page)).caches);
    expect(names.filter((name) => name.startsWith('shell-'))).toHaveLength(1);
    expect(names).not.toContain(before);
    await page.waitForLoadState('networkidle');
    expect(loads()).toBe(2);
  });

  it('keeps unsent text', async () => {
    const { page, problems } = await readerOf();
    await page.goto(`${deployment.url}/app/sign-in`);
    await signInAt(page, people.ada);
    await page.waitForURL('**/app/discover');
    await page.goto(`${deployment.url}/app/support/new`);
    await page.getByLabel('What happened?').fill('Written for a long time');
    deployment.deploy();
    await page.evaluate(lookForUpdates);
    await page.getByRole('button', { name: 'Reload' }).click();
    await eventually(() => page.locator('script[src*=index-]').getAttribute('src')).toContain('next-');
    await eventually(() => page.getByLabel('What happened?').inputValue()).toBe('Written for a long time');
    // This proxy does not forward sockets.
    problems.splice(0, problems.length, ...problems.filter((problem) => !/WebSocket/.test(problem)));
  });

  it('stops the preload of pages that earlier versions enabled', async () => {
    const { page } = await readerOf();
    const isPreloading = () => page.evaluate(`${preload}.then((it) => it.getState()).then(({ enabled }) => enabled)`);
    expect(await isPreloading()).toBe(false);
    await page.evaluate(`${preload}.then((it) => it.enable())`);
    deployment.deploy();
    await page.reload();
    await eventually(isPreloading).toBe(false);
  });

  it('can be dismissed separately in each tab', async () => {
    const { page, openTab, loads } = await readerOf();
    const other = await openTab();
    await other.goto(`${deployment.url}/privacy`);
    deployment.deploy();
    await page.evaluate(lookForUpdates);
    await page.getByRole('button', { name: 'Later' }).click();
    expect(await page.getByText('A new version is available.').count()).toBe(0);
    await other.getByRole('button', { name: 'Reload' }).click();
    await eventually(() => other.locator('script[src*=index-]').getAttribute('src')).toContain('next-');
    expect(loads()).toBe(1);
  });

  it('takes over without a notice if the tab already shows it', async () => {
    const { page, loads } = await readerOf();
    const cacheNames = async () => Object.keys((await keptBy(page)).caches);
    const before = await cacheNames();
    deployment.deploy();
    await page.reload();
    await eventually(async () => (await cacheNames()).filter((name) => before.includes(name))).toEqual([]);
    expect(
      await page.evaluate(
        'navigator.serviceWorker.getRegistration().then(({ waiting, installing }) => [waiting, installing])',
      ),
    ).toEqual([null, null]);
    expect(await page.getByText('A new version is available.').count()).toBe(0);
    expect(loads()).toBe(2);
  });

  it.each([['with', true] as const, ['without', false] as const])(
    'is announced when a page of the old version is missing, %s a service worker',
    async (_, hasServiceWorker) => {
      const { page } = await readerOf(hasServiceWorker);
      deployment.deploy();
      await page.getByRole('link', { name: 'Join' }).click();
      await page.getByRole('heading', { level: 1, name: "This page didn't load" }).waitFor();
      await page.getByRole('contentinfo').waitFor();
      await page.getByRole('button', { name: 'Reload' }).click();
      await page.getByRole('heading', { level: 1, name: "What's your email?" }).waitFor();
    },
  );
});
