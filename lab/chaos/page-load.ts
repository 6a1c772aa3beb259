import type { Page } from 'playwright-core';

/** What the browser observed while a page was loading. */
export interface LoadFigures {
  lcpMs: number;
  /** Total blocking time: the part of each task beyond 50 ms, summed from the first paint on. */
  tbtMs: number;
  layoutShift: number;
}

interface Observed {
  fcp: number;
  lcp: number;
  shift: number;
  tasks: { at: number; ms: number }[];
}

const blockingFromMs = 50;

const observers = `
  const seen = { fcp: 0, lcp: 0, shift: 0, tasks: [] };
  globalThis.observedLoad = seen;
  const observe = (type, note) =>
    new PerformanceObserver((list) => list.getEntries().forEach(note)).observe({ type, buffered: true });
  observe('paint', (entry) => { if (entry.name === 'first-contentful-paint') seen.fcp = entry.startTime; });
  observe('largest-contentful-paint', (entry) => { seen.lcp = entry.startTime; });
  observe('layout-shift', (entry) => { if (!entry.hadRecentInput) seen.shift += entry.value; });
  observe('longtask', (entry) => { seen.tasks.push({ at: entry.startTime, ms: entry.duration }); });
`;

/** Observes every page that this tab loads from now on. */
export async function watchLoad(page: Page): Promise<void> {
  await page.addInitScript(observers);
}

/** The observations so far. */
export async function loadFigures(page: Page): Promise<LoadFigures> {
  const { fcp, lcp, shift, tasks } = await page.evaluate<Observed>('globalThis.observedLoad');
  // Count only the part of a running task after the first paint.
  const blocking = tasks.map(({ at, ms }) => Math.max(0, at + ms - Math.max(at, fcp) - blockingFromMs));
  return { lcpMs: lcp, tbtMs: blocking.reduce((sum, ms) => sum + ms, 0), layoutShift: shift };
}
