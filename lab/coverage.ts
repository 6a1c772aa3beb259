import { Session, type Profiler } from 'node:inspector/promises';
import { relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Page } from 'playwright-core';

/** Which files of the product run, from V8's count of function calls. */
export interface Coverage {
  /** Starts counting from zero. */
  reset(): Promise<void>;
  /** The files with a function called since then, as sorted paths from the project's folder. */
  files(): Promise<string[]>;
}

const root = new URL('../', import.meta.url);
const folder = fileURLToPath(root);
const settings = { callCount: true, detailed: false };
const isProduct = (path: string) => /^(server|web|contract)\/src\/.*\.tsx?$/.test(path);

/** A script's first function is its module body, which runs when it is loaded and only declares. */
const wasCalled = ({ functions }: Profiler.ScriptCoverage) =>
  functions.slice(1).some(({ ranges: [whole] }) => (whole?.count ?? 0) > 0);

function filesIn(scripts: Profiler.ScriptCoverage[], pathOf: (url: URL) => string): string[] {
  const called = scripts.filter((script) => wasCalled(script) && URL.canParse(script.url));
  const paths = called.map(({ url }) => pathOf(new URL(url))).filter(isProduct);
  return [...new Set(paths)].sort();
}

/** Counts in this process, where the server runs. */
export async function coverServer(): Promise<Coverage> {
  const session = new Session();
  session.connect();
  await session.post('Profiler.enable');
  await session.post('Profiler.startPreciseCoverage', settings);
  // Reading the counts resets them.
  const take = async () => (await session.post('Profiler.takePreciseCoverage')).result;
  const pathOf = (url: URL) => (url.protocol === 'file:' ? relative(folder, fileURLToPath(url)) : '');
  return { reset: async () => void (await take()), files: async () => filesIn(await take(), pathOf) };
}

/** Where counting in a tab can end early: when a command leaves it, or when it stores the session. */
export type End = 'command' | 'session';

/** Pauses the script at the tab's configured end. */
const pauseAtEnd = `{
  const reach = (end) => { if (globalThis.endOfFlow === end) debugger; };
  const { fetch } = globalThis;
  globalThis.fetch = (url, options) => {
    if ((options?.method ?? 'GET') !== 'GET') reach('command');
    return fetch(url, options);
  };
  const { setItem } = Storage.prototype;
  Storage.prototype.setItem = function (key, value) {
    setItem.call(this, key, value);
    if (key === 'token') reach('session');
  };
}`;

/** Counts in a tab that loads the web app's files one by one from Vite's development server, up to `end` if there is one. */
export async function coverTab(page: Page, end?: End): Promise<Coverage> {
  const session = await page.context().newCDPSession(page);
  await session.send('Profiler.enable');
  await session.send('Profiler.startPreciseCoverage', settings);
  const take = async () => (await session.send('Profiler.takePreciseCoverage')).result;
  const pathOf = ({ pathname }: URL) =>
    pathname.startsWith('/@fs/') ? relative(folder, pathname.slice('/@fs'.length)) : `web${pathname}`;
  let atEnd: Promise<Profiler.ScriptCoverage[]> | null = null;
  if (end !== undefined) {
    await page.addInitScript(pauseAtEnd);
    session.on('Debugger.paused', () => {
      atEnd ??= take();
      void atEnd.then(() => session.send('Debugger.resume'));
    });
    await session.send('Debugger.enable');
  }
  return {
    async reset() {
      atEnd = null;
      if (end !== undefined) await page.evaluate(`globalThis.endOfFlow = '${end}'`);
      await take();
    },
    async files() {
      return filesIn(await (atEnd ?? take()), pathOf);
    },
  };
}
