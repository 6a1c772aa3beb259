import type { Random } from '../../random.ts';
import { d } from '../drawing/outline.ts';
import { down, glow } from '../drawing/paint.ts';
import { pictureHeight, pictureWidth, type Sheet } from '../drawing/sheet.ts';
import type { Mood } from './moods.ts';

/** The sky over the whole picture. */
export function drawSky(sheet: Sheet, { sky }: Mood, horizon = pictureHeight): void {
  sheet.box(0, 0, pictureWidth, horizon, down(...sky));
  if (horizon < pictureHeight) sheet.box(0, horizon - 1, pictureWidth, pictureHeight - horizon + 1, sky[2]);
}

/** Sun or moon with a halo. */
export function drawSun(sheet: Sheet, { sun }: Mood, x: number, y: number, size: number): void {
  sheet.oval(x, y, size * 3.4, size * 3.4, glow(`${sun}aa`, `${sun}44`, `${sun}00`), 0.8);
  sheet.oval(x, y, size, size, sun);
}

/** A cloud of a few balls on a flat base. */
export function drawCloud(sheet: Sheet, random: Random, { cloud }: Mood, x: number, y: number, width: number): void {
  const h = width * 0.16;
  const bump = () => 0.9 + random.next() * 0.5;
  sheet.path(
    d`M ${x - width / 2} ${y} C ${x - width * 0.56} ${y - h * bump()} ${x - width * 0.34} ${y - h * 1.3} ${x - width * 0.28} ${y - h}
      C ${x - width * 0.24} ${y - h * 2.4 * bump()} ${x + width * 0.06} ${y - h * 2.4} ${x + width * 0.08} ${y - h * 1.2}
      C ${x + width * 0.2} ${y - h * 2 * bump()} ${x + width * 0.4} ${y - h * 1.4} ${x + width * 0.36} ${y - h * 0.7} C ${x + width * 0.56} ${y - h} ${x + width * 0.56} ${y} ${x + width / 2} ${y} Z`,
    cloud,
    0.75,
  );
}

/** Stars, the brighter the higher. */
export function drawStars(sheet: Sheet, random: Random, count: number, below: number): void {
  for (let i = 0; i < count; i++) {
    const y = random.next() * below;
    const size = 1.5 + random.next() * 3;
    sheet.oval(random.next() * pictureWidth, y, size, size, '#fdf3da', 0.9 - (y / below) * 0.6);
  }
}

/** Short lines of light on water. */
export function drawGlitter(
  sheet: Sheet,
  random: Random,
  colour: string,
  [x, from, to]: readonly [number, number, number],
  spread: number,
): void {
  for (let i = 0; i < 16; i++) {
    const y = from + ((to - from) * i) / 16 + random.next() * 12;
    const half = 14 + random.next() * 46 * (0.5 + i / 16);
    const middle = x + (random.next() - 0.5) * spread * (0.4 + i / 12);
    sheet.line(d`M ${middle - half} ${y} L ${middle + half} ${y}`, colour, 5 + i * 0.4, 0.6);
  }
}
