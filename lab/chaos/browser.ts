import type { Page } from 'playwright-core';

/** Slows the page's processor down by this factor. */
export async function slowDown(page: Page, rate: number): Promise<void> {
  const devtools = await page.context().newCDPSession(page);
  await devtools.send('Emulation.setCPUThrottlingRate', { rate });
}

interface Observed {
  fcp: number;
  lcp: number;
  shift: number;
  tasks: { at: number; ms: number }[];
}

/** The part of a task that exceeds this time counts as blocking. */
const blockingFromMs = 50;

/** Observes every page that this tab loads from now on. */
export async function watchLoad(page: Page): Promise<void> {
  await page.addInitScript(`
    const seen = { fcp: 0, lcp: 0, shift: 0, tasks: [] };
    globalThis.observedLoad = seen;
    const observe = (type, note) =>
      new PerformanceObserver((list) => list.getEntries().forEach(note)).observe({ type, buffered: true });
    observe('paint', (entry) => { if (entry.name === 'first-contentful-paint') seen.fcp = entry.startTime; });
    observe('largest-contentful-paint', (entry) => { seen.lcp = entry.startTime; });
    observe('layout-shift', (entry) => { if (!entry.hadRecentInput) seen.shift += entry.value; });
    observe('longtask', (entry) => { seen.tasks.push({ at: entry.startTime, ms: entry.duration }); });
  `);
}

/** The largest paint, the total blocking time from the first paint on, and the layout shift so far. */
export async function loadFigures(page: Page): Promise<{ lcpMs: number; tbtMs: number; layoutShift: number }> {
  const { fcp, lcp, shift, tasks } = await page.evaluate<Observed>('globalThis.observedLoad');
  // Count only the part of a running task after the first paint.
  const blocking = tasks.map(({ at, ms }) => Math.max(0, at + ms - Math.max(at, fcp) - blockingFromMs));
  return { lcpMs: lcp, tbtMs: blocking.reduce((sum, ms) => sum + ms, 0), layoutShift: shift };
}

/**
 * Milliseconds of processor time that the page's main thread spends on `work`, up to two frames after it, minus the cost of
 * measuring.
 */
export async function mainThreadMs(page: Page, work: () => Promise<void>): Promise<number> {
  const devtools = await page.context().newCDPSession(page);
  // Thread time, not wall time, so that other processes on the machine do not count.
  await devtools.send('Performance.enable', { timeDomain: 'threadTicks' });
  const taken = async () => {
    const { metrics } = await devtools.send('Performance.getMetrics');
    return (metrics.find(({ name }) => name === 'TaskDuration')?.value ?? 0) * 1000;
  };
  const settled = () =>
    page.evaluate('new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => done())))');
  await settled();
  const start = await taken();
  await settled();
  const before = await taken();
  await work();
  await settled();
  const after = await taken();
  await devtools.detach();
  return Math.max(0, after - before - (before - start));
}
