import type { Page } from 'playwright-core';
import { mainThreadMs } from '../main-thread.ts';
import { median } from 'simple-statistics';
import { figure, type Figure, type Stage } from '../proof.ts';

const frames = 120;
/** The speed of fast wheel scrolling: three and a half rows per frame. */
const pxPerFrame = 240;
const frameMostMs = 16;
const loadedWithinMs = 300_000;
const rounds = 5;

/** Loads all users into the list by scrolling to its end, then scrolls through it. */
export async function scrollLongList({ say }: Stage, page: Page, origin: string): Promise<Figure[]> {
  await page.goto(`${origin}/users`);
  await page.getByRole('region', { name: 'Users table' }).waitFor();
  const total = await loadAll(page);
  say(`${total} users loaded`);
  const cpu: number[] = [];
  let blank = 0;
  for (let round = 0; round < rounds; round += 1) {
    cpu.push(
      (await mainThreadMs(page, () => scrollFrom(page, (round + 1) / (rounds + 2)).then(() => undefined))) / frames,
    );
    blank += await scrollFrom(page, (round + 1) / (rounds + 2), true);
  }
  const middle = median(cpu);
  const what = `of ${total.toLocaleString('en-US')} users`;
  return [
    figure(
      `33 A frame of scrolling ${what} ≤ ${frameMostMs} ms`,
      `${middle.toFixed(1)} ms, median of ${rounds}`,
      middle <= frameMostMs,
    ),
    figure(`33 No blank frame ${what}`, `${blank} of ${rounds * frames}`, blank === 0),
  ];
}

/** Scrolls to the end until no more rows load; returns the number of rows. */
async function loadAll(page: Page): Promise<number> {
  const rows = await page.evaluate<number>(
    `new Promise((done, fail) => {
      const region = document.querySelector('[role=region][aria-label="Users table"]');
      const giveUp = setTimeout(() => fail(new Error('not all rows were loaded in time')), ${loadedWithinMs});
      const step = () => {
        region.scrollTop = region.scrollHeight;
        const wanted = Number(region.querySelector('table').getAttribute('aria-rowcount'));
        const last = region.querySelector('tr[aria-rowindex="' + wanted + '"]');
        if (last === null || wanted < 2) setTimeout(step, 30);
        else { clearTimeout(giveUp); done(wanted - 1); }
      };
      step();
    })`,
  );
  return rows;
}

/** Scrolls frame by frame from a position in the list; when `looking`, returns in how many frames its middle was empty. */
async function scrollFrom(page: Page, part: number, looking = false): Promise<number> {
  return await page.evaluate<number>(
    `new Promise((done) => {
      const region = document.querySelector('[role=region][aria-label="Users table"]');
      const box = region.getBoundingClientRect();
      const isEmpty = () => !document.elementFromPoint(box.x + box.width / 2, box.y + box.height / 2)?.closest('tr[aria-rowindex]');
      region.scrollTop = region.scrollHeight * ${part};
      let left = ${frames};
      let empty = 0;
      const step = () => {
        if (left === 0) return done(empty);
        left -= 1;
        region.scrollTop += ${pxPerFrame};
        // The content after this frame's callbacks is what it paints.
        if (${looking}) setTimeout(() => { if (isEmpty()) empty += 1; });
        requestAnimationFrame(step);
      };
      setTimeout(() => requestAnimationFrame(step), 300);
    })`,
  );
}
