import type { CDPSession, Page } from 'playwright-core';
import { mainThreadMs } from '../main-thread.ts';
import { median } from 'simple-statistics';
import { figure, type Figure, type Stage } from '../proof.ts';

const bounds = { swipeMs: 110, perSecond: 10 };
const moves = 40;
const thrownPx = 220;
const quickSwipes = 20;

/** Swipes cards as members do: measures the cost of one, and whether ten per second are all accepted. */
export async function throwCards(stage: Stage, page: Page, origin: string): Promise<Figure[]> {
  await page.goto(`${origin}/app/discover`);
  const deck = await page.context().newCDPSession(page);
  await page.getByRole('article').waitFor();
  await page.waitForLoadState('networkidle');
  const place = await middleOf(page);

  const taken: number[] = [];
  for (let round = 0; round < (stage.short ? 3 : 7); round += 1) {
    taken.push(await mainThreadMs(page, () => swipe(deck, place, moves)));
    // Wait for the next picture to be decoded and the decision to be answered.
    await page.waitForTimeout(700);
  }
  stage.say(`swipes ${taken.map(Math.round).join(', ')} ms`);
  const middle = median(taken);

  const decisions: string[] = [];
  page.on('request', (request) => {
    const isDecision = request.method() === 'POST' && /\/(likes|passes)\//.test(request.url());
    if (isDecision) decisions.push(request.url());
  });
  const started = performance.now();
  for (let count = 0; count < quickSwipes; count += 1) {
    const due = started + (count * 1000) / bounds.perSecond;
    await page.waitForTimeout(Math.max(0, due - performance.now()));
    await swipe(deck, place, 1);
  }
  const seconds = (performance.now() - started) / 1000;
  await page.waitForTimeout(4000);
  const people = new Set(decisions.map((url) => url.split('/').at(-1))).size;
  const rate = quickSwipes / seconds;
  return [
    figure(
      `34 A swipe of ${moves} moves ≤ ${bounds.swipeMs} ms of the main thread`,
      `${middle.toFixed(1)} ms, median of ${taken.length}`,
      middle <= bounds.swipeMs,
    ),
    figure(
      `34 Of ${quickSwipes} swipes, ${bounds.perSecond} a second, none is dropped`,
      `${people} decided, at ${rate.toFixed(1)} a second`,
      people === quickSwipes && rate > bounds.perSecond * 0.8,
    ),
  ];
}

/** Where the finger starts on the top card. */
export async function middleOf(page: Page): Promise<{ x: number; y: number }> {
  const box = await page.getByRole('article').boundingBox();
  return { x: (box?.x ?? 0) + (box?.width ?? 0) / 2, y: (box?.y ?? 0) + 160 };
}

/** Throws the top card to the left with so many moves; a pass, since likes are limited. */
export async function swipe(deck: CDPSession, { x, y }: { x: number; y: number }, steps: number): Promise<void> {
  const touch = (type: 'touchStart' | 'touchMove' | 'touchEnd', at?: number) =>
    deck.send('Input.dispatchTouchEvent', { type, touchPoints: at === undefined ? [] : [{ x: at, y }] });
  await touch('touchStart', x);
  for (let step = 1; step <= steps; step += 1) await touch('touchMove', x - (thrownPx * step) / steps);
  await touch('touchEnd');
}
