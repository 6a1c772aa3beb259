import type { CDPSession, Page } from 'playwright-core';
import { mainThreadMs } from '../main-thread.ts';
import { median } from 'simple-statistics';
import { figure, type Figure, type Stage } from '../proof.ts';

const slowdown = 4;
const bounds = { frameMs: 8, sortMs: 60, keyMs: 60, answerMs: 200, routeMs: 100 };
const frames = 120;
const pxPerFrame = 120;

/**
 * Works with a thousand users as an administrator does: scrolls, sorts, filters, opens one, goes to another screen.
 */
export async function workWithUsers(stage: Stage, page: Page, origin: string): Promise<Figure[]> {
  await page.goto(`${origin}/users`);
  await page.getByRole('region', { name: 'Users table' }).waitFor();
  await page.waitForLoadState('networkidle');
  const rounds = stage.short ? 3 : 7;
  return [
    ...(await processorTime(stage, page, rounds)),
    ...(await timeToAnswer(stage, page, rounds)),
    await routeChange(stage, page, rounds),
  ];
}

const sortBy = (page: Page, column: string) => page.getByRole('button', { name: column, exact: true }).click();

async function processorTime({ say }: Stage, page: Page, rounds: number): Promise<Figure[]> {
  const scroll: number[] = [];
  const sort: number[] = [];
  const keys: number[] = [];
  for (let round = 0; round < rounds; round += 1) {
    scroll.push(await scrollFrameMs(page));
    for (const column of ['User', 'Join Date']) sort.push(await mainThreadMs(page, () => sortBy(page, column)));
    await page.getByRole('textbox', { name: 'Search' }).focus();
    for (const key of ['a', 'n', 'Backspace', 'Backspace'])
      keys.push(await mainThreadMs(page, () => page.keyboard.press(key)));
  }
  say(`sort ${sort.map(Math.round).join(', ')} ms; key ${keys.map(Math.round).join(', ')} ms`);
  return [
    bounded('33 A frame of scrolling', scroll, bounds.frameMs, 'of the main thread'),
    bounded('33 Sorting', sort, bounds.sortMs, 'of the main thread'),
    bounded('33 A key in the filter', keys, bounds.keyMs, 'of the main thread'),
  ];
}

/** From the input to the frame that shows its effect, as the browser itself times events, on the slowed-down processor. */
async function timeToAnswer({ say }: Stage, page: Page, rounds: number): Promise<Figure[]> {
  const devtools = await page.context().newCDPSession(page);
  await page.evaluate(
    `globalThis.slowestEventMs = 0;
    new PerformanceObserver((list) => list.getEntries().forEach((entry) => {
      if (entry.interactionId > 0) globalThis.slowestEventMs = Math.max(globalThis.slowestEventMs, entry.duration);
    })).observe({ type: 'event', durationThreshold: 16 })`,
  );
  await setSlowdown(devtools, slowdown);
  const answer = async (work: () => Promise<void>): Promise<number> => {
    await page.evaluate('globalThis.slowestEventMs = 0');
    await work();
    await page.waitForTimeout(500);
    return await page.evaluate<number>('globalThis.slowestEventMs');
  };
  const sort: number[] = [];
  const key: number[] = [];
  const dialog: number[] = [];
  for (let round = 0; round < rounds; round += 1) {
    sort.push(await answer(() => sortBy(page, 'User')));
    await page.getByRole('textbox', { name: 'Search' }).focus();
    for (const name of ['a', 'Backspace']) key.push(await answer(() => page.keyboard.press(name)));
    const view = page.getByRole('button', { name: /^View / }).first();
    dialog.push(await answer(() => view.click()));
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
  }
  await setSlowdown(devtools, 1);
  say(`answers: sort ${sort.join(', ')}; key ${key.join(', ')}; dialog ${dialog.join(', ')} ms`);
  return [
    bounded('31 Sorting is seen', sort, bounds.answerMs, 'on a processor slowed down four times'),
    bounded('31 A key in the filter is seen', key, bounds.answerMs, 'on a processor slowed down four times'),
    bounded('31 A dialog is seen', dialog, bounds.answerMs, 'on a processor slowed down four times'),
  ];
}

async function setSlowdown(devtools: CDPSession, rate: number): Promise<void> {
  await devtools.send('Emulation.setCPUThrottlingRate', { rate });
}

/** To the other screen's heading and back, once both have been seen. */
async function routeChange({ say }: Stage, page: Page, rounds: number): Promise<Figure> {
  const go = (path: string) =>
    page.evaluate<number>(
      `(async () => {
        const heading = () => document.querySelector('h1')?.textContent;
        const [before, from] = [heading(), performance.now()];
        document.querySelector('a[href="${path}"]').click();
        while (heading() === before || heading() === undefined) await new Promise(requestAnimationFrame);
        return performance.now() - from;
      })()`,
    );
  const taken: number[] = [];
  for (let round = 0; round <= rounds; round += 1) {
    for (const path of ['/dashboard', '/users']) {
      const ms = await go(path);
      if (round > 0) taken.push(ms);
      await page.waitForLoadState('networkidle');
    }
  }
  say(`route changes ${taken.map(Math.round).join(', ')} ms`);
  return bounded('35 Another screen, to its heading', taken, bounds.routeMs, 'with a warm cache');
}

/** The median counts, since others share the machine. */
function bounded(what: string, ms: number[], most: number, how: string): Figure {
  const middle = median(ms);
  return figure(`${what} ≤ ${most} ms ${how}`, `${middle.toFixed(1)} ms, median of ${ms.length}`, middle <= most);
}

/** What a frame of scrolling the users list costs the main thread, in milliseconds. */
export async function scrollFrameMs(page: Page): Promise<number> {
  return (await mainThreadMs(page, () => scrollThrough(page))) / frames;
}

/** Scrolls the list down frame by frame, and back to its top. */
async function scrollThrough(page: Page): Promise<void> {
  await page.evaluate(
    `new Promise((done) => {
      const region = document.querySelector('[role=region][aria-label="Users table"]');
      let left = ${frames};
      const step = () => {
        if (left === 0) { region.scrollTop = 0; requestAnimationFrame(() => done()); return; }
        left -= 1;
        region.scrollTop += ${pxPerFrame};
        requestAnimationFrame(step);
      };
      requestAnimationFrame(step);
    })`,
  );
}
