import type { Browser, BrowserContext, BrowserContextOptions, Locator, Page } from 'playwright-core';
import { expect } from 'vitest';
import { login } from '#contract/auth/session.ts';
import { demoAccounts } from '../../demo/accounts.ts';
import type { Caller } from './server-calls.ts';
import { sessionIn } from '../../server/test/session-in.ts';

/** The demo accounts by role. */
export const people = {
  administrator: demoAccounts[0],
  moderator: demoAccounts[1],
  ada: demoAccounts[2],
  bo: demoAccounts[3],
} as const;

export interface Credentials {
  email: string;
  password: string;
}

export interface VisitorOptions {
  /** The account to sign in as; otherwise a visitor without a session. */
  as?: Credentials;
  width?: number;
  height?: number;
  scheme?: 'light' | 'dark';
  reducedMotion?: boolean;
  /** Enables the service worker; without it each test sees every request. */
  hasServiceWorker?: boolean;
}

/** A person with a separate browser profile. */
export interface Visitor {
  /** Whether the test changes the profile in ways that a reset doesn't undo, such as permissions; such a profile is not reused. */
  readonly context: BrowserContext;
  page: Page;
  /** The access token they started with. */
  token: string | undefined;
  /** Browser errors: scripts, console, content security policy. */
  problems: string[];
  /** Unsuccessful server responses, as `status path`. */
  refusals: string[];
  /** Opens another tab of the same browser. */
  openTab(): Promise<Page>;
  /** Ends everything this visitor has open. */
  close(): Promise<void>;
}

/**
 * Playwright's internal way to reuse a profile, which its types leave out: everything stored, routed or installed in it is reset. A new
 * profile has to start a process that compiles the whole app, which takes three times as long as loading it.
 */
export interface ReusingBrowser extends Browser {
  _newContextForReuse(options: BrowserContextOptions): Promise<BrowserContext>;
  _disconnectFromReusedContext(reason: string): Promise<void>;
}

/** The browsers whose reusable profile is in use. */
const taken = new WeakSet<Browser>();

/** A name as it appears in sentences: names written from right to left are isolated from the words around them. */
export const inSentence = (name: string) => (/[\u0590-\u08ff]/.test(name) ? `\u2068${name}\u2069` : name);

export const sessionKeys = ['refreshToken', 'token', 'user'];
/** Long, since all cores may be busy with other tests. */
const slowestStateMs = 60_000;
const failedLoad = /^Failed to load resource/;

const reportPolicyBreaches = `addEventListener('securitypolicyviolation', (event) =>
  console.error('content policy: ' + event.violatedDirective + ' ' + event.blockedURI));`;

/** Opens a browser profile with the given size, colour scheme and account. */
export async function openVisitor(
  browser: ReusingBrowser,
  url: string,
  call: Caller,
  options: VisitorOptions,
): Promise<Visitor> {
  const { as, width = 1280, height = 800, scheme = 'light', reducedMotion = true, hasServiceWorker = false } = options;
  const session = as && sessionIn((await call(login, { body: { email: as.email, password: as.password } })).body);
  const isTaker = !hasServiceWorker && !taken.has(browser);
  if (isTaker) taken.add(browser);
  let isReused = isTaker;
  const profile: BrowserContextOptions = {
    baseURL: url,
    viewport: { width, height },
    colorScheme: scheme,
    serviceWorkers: hasServiceWorker ? 'allow' : 'block',
    reducedMotion: reducedMotion ? 'reduce' : 'no-preference',
    locale: 'en-US',
    timezoneId: 'UTC',
  };
  const context = await (isReused ? browser._newContextForReuse(profile) : browser.newContext(profile));
  context.setDefaultTimeout(slowestStateMs);
  await context.addInitScript(reportPolicyBreaches);
  const problems: string[] = [];
  const refusals: string[] = [];

  async function openTab() {
    return watch(await context.newPage());
  }

  function watch(page: Page): Page {
    page.on('pageerror', (error) => problems.push(`${page.url()}: ${error.message}`));
    page.on('console', (message) => {
      if (message.type() !== 'error' || failedLoad.test(message.text())) return;
      problems.push(`${page.url()}: ${message.text()}`);
    });
    page.on('response', (response) => {
      if (response.status() >= 400) refusals.push(`${response.status()} ${new URL(response.url()).pathname}`);
    });
    return page;
  }

  const [waiting] = context.pages();
  const page = waiting === undefined ? await openTab() : watch(waiting);
  if (session !== undefined) await storeOnFirstVisit(page, url, session);

  async function close(): Promise<void> {
    if (!isReused || context.pages()[0] !== page) return await context.close();
    await Promise.all(
      context
        .pages()
        .slice(1)
        .map((tab) => tab.close()),
    );
    // Otherwise the app would run until the next visitor. Scripts of the test may fail on the empty page.
    for (const kind of ['pageerror', 'console']) page.removeAllListeners(kind);
    await page.goto('about:blank');
    await browser._disconnectFromReusedContext('the visitor left');
  }
  return {
    get context() {
      isReused = false;
      return context;
    },
    page,
    token: session?.token,
    problems,
    refusals,
    openTab,
    close: () => close().finally(() => isTaker && taken.delete(browser)),
  };
}

/**
 * Stores the session once, before the first page of `url` loads. Setting it as the profile's initial storage would cost another renderer
 * process, which takes as long as opening the visitor.
 */
async function storeOnFirstVisit(
  page: Page,
  url: string,
  { token, refreshToken, user }: ReturnType<typeof sessionIn>,
): Promise<void> {
  const stored = { token, refreshToken, user: JSON.stringify(user) };
  const script = `if (location.origin === ${JSON.stringify(new URL(url).origin)})
    Object.assign(localStorage, ${JSON.stringify(stored)});`;
  const storing = await page.addInitScript({ content: script });
  // Closing the page ends it, too.
  page.once('domcontentloaded', () => void storing.dispose().catch(() => undefined));
}

/** The path, query and fragment of the tab. */
export function addressOf(page: Page): string {
  const { pathname, search, hash } = new URL(page.url());
  return pathname + search + hash;
}

/** The session's entries in the browser, by name. */
export async function storedSession(page: Page): Promise<Record<string, string>> {
  const all = await page.evaluate<Record<string, string>>('({ ...localStorage })');
  return Object.fromEntries(Object.entries(all).filter(([key]) => sessionKeys.includes(key)));
}

/** A script that sums up layout shifts as browsers measure them. */
export const sumShifts = `globalThis.shifts = 0;
  new PerformanceObserver((list) => {
    for (const entry of list.getEntries()) if (!entry.hadRecentInput) globalThis.shifts += entry.value;
  }).observe({ type: 'layout-shift', buffered: true });`;
/** The largest sum of layout shifts while a page loads. */
export const largestShift = 0.05;

/** Waits until each text is visible. */
export async function see(place: Page | Locator, ...texts: (string | RegExp)[]): Promise<void> {
  for (const text of texts) {
    await place
      .getByText(text, { exact: typeof text === 'string' })
      .first()
      .waitFor();
  }
}

/** Fills in and sends either sign-in form. */
export async function signInAt(page: Page, { email, password }: Credentials): Promise<void> {
  await page.getByLabel('Email').fill(email);
  await page.getByRole('textbox', { name: 'Password' }).fill(password);
  await page.getByRole('button', { name: /^sign in$/i }).click();
}

/** Waits until the page has rendered its data and the updates that measuring caused; pages in the background render nothing. */
export async function drawn(page: Page): Promise<void> {
  await page.evaluate(
    'new Promise((done) => { requestAnimationFrame(() => requestAnimationFrame(done)); setTimeout(done, 1000); })',
  );
}

/** Whether `target` has the focus. */
export async function hasFocus(target: Locator): Promise<boolean> {
  return (await target.and(target.page().locator(':focus')).count()) > 0;
}

const mostTabs = 40;

/** Presses Tab or Shift+Tab until `target` has the focus. */
export async function tabTo(page: Page, target: Locator, key: 'Tab' | 'Shift+Tab' = 'Tab'): Promise<void> {
  for (let tabs = 0; tabs < mostTabs; tabs += 1) {
    await page.keyboard.press(key);
    if (await hasFocus(target)) return;
  }
  expect.unreachable(`the focus did not reach ${String(target)}`);
}
