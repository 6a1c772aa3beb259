import type { Page } from 'playwright-core';
import { eventually } from './support/harness.ts';

/** Everything a browser stores for the service. */
export interface Kept {
  localStorage: Record<string, string>;
  sessionStorage: Record<string, string>;
  databases: string[];
  /** Paths by cache. Empty caches are left out, since reading a cache during its deletion leaves an empty one. */
  caches: Record<string, string[]>;
}

const read = `(async () => {
  const cached = {};
  for (const name of await caches.keys()) {
    const requests = await (await caches.open(name)).keys();
    if (requests.length === 0) continue;
    cached[name] = requests.map(({ url }) => new URL(url).pathname + new URL(url).search).sort();
  }
  return {
    localStorage: { ...localStorage },
    sessionStorage: { ...sessionStorage },
    databases: (await indexedDB.databases()).map(({ name }) => name),
    caches: cached,
  };
})()`;

/** What the browser of this tab stores now. */
export async function keptBy(page: Page): Promise<Kept> {
  return await page.evaluate<Kept>(read);
}

/** Paths in all caches with this name prefix. */
export function cachedIn({ caches }: Kept, start: string): string[] {
  return Object.entries(caches).flatMap(([name, paths]) => (name.startsWith(start) ? paths : []));
}

/** Registers the service worker now instead of when the page has settled; waits until it has cached the shell and controls this page. */
export async function workerAtWork(page: Page): Promise<void> {
  await page.evaluate("navigator.serviceWorker.register('/sw.js').then(() => undefined)");
  await eventually(() => page.evaluate('navigator.serviceWorker.controller?.state')).toBe('activated');
}
