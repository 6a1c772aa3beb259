import type { Page } from 'playwright-core';

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
