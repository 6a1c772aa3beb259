import type { Random } from '../random.ts';
import { d, darker, down, glow, lighter, mix, pictureHeight, pictureWidth, type Point, type Sheet } from './sheet.ts';

/** The light of a time of day: its colours from the sky down to the foreground. */
export interface Mood {
  /** The colours at the top of the sky, between, and at the horizon. */
  sky: readonly [string, string, string];
  sun: string;
  far: string;
  middle: string;
  near: string;
  water: readonly [string, string];
  /** Lit windows and lamps. */
  lamp: string;
  isDark: boolean;
}

/** The colours of each mood: three of the sky, the sun, far, middle and near land, two of the water, lamps. */
const colours = {
  morning: '#c3d6de #ecdfd0 #fbe6cd #fff4dc #b9c3b4 #93a585 #667a52 #d9e0da #9db8bd #fff0c0',
  day: '#8fb9d0 #c4dde0 #f4efdc #fff1c4 #9fb5b5 #7f9a6a #56703f #b5d3d6 #5f95a8 #fff0c0',
  golden: '#e8b36c #f3cd92 #fae7c6 #fff3d0 #d3a77d #a98452 #6d6137 #f6d9a6 #c08a5c #fff0c0',
  rosy: '#d98f83 #eab79d #f9dfc2 #fbe9c8 #b9838a #8a5a66 #5a3b48 #f0c6ae #a8727a #fff0c0',
  dusk: '#475b80 #a77488 #f0ae86 #f9d3a0 #6c6586 #4a4a68 #2f3148 #d9a08e #4f5a7c #ffd27a',
  night: '#1c2742 #2f3f63 #5a5a7c #f6ecd0 #3c4a6c #2a3655 #1b2338 #4a5a80 #202c48 #ffcf74',
};

function moodOf(name: keyof typeof colours): Mood {
  const [top = '', low = '', horizon = '', sun = '', far = '', middle = '', near = '', lit = '', deep = '', lamp = ''] =
    colours[name].split(' ');
  const isDark = name === 'dusk' || name === 'night';
  return { sky: [top, low, horizon], sun, far, middle, near, water: [lit, deep], lamp, isDark };
}

export const moods = {
  ...{ morning: moodOf('morning'), day: moodOf('day'), golden: moodOf('golden') },
  ...{ rosy: moodOf('rosy'), dusk: moodOf('dusk'), night: moodOf('night') },
};

/** Draws the sky with sun or moon, clouds or stars. */
export function drawSky(sheet: Sheet, random: Random, { sky, sun, isDark }: Mood): void {
  sheet.box([0, 0], [pictureWidth, pictureHeight], down(...sky, sky[2]));
  const [x, y] = [150 + random.next() * 900, 220 + random.next() * 320];
  sheet.oval([x, y], [290, 290], glow(`${sun}aa`, `${sun}44`, `${sun}00`), 0.8);
  sheet.oval([x, y], [85, 85], sun);
  for (let i = 0; i < (isDark ? 60 : 4); i++) {
    const [left, top] = [random.next() * pictureWidth, random.next() * 620];
    if (isDark) sheet.oval([left, top], [1.5 + random.next() * 3, 3], '#fdf3da', 0.9 - top / 1000);
    else drawCloud(sheet, random, [left, 110 + top * 0.7], 220 + random.next() * 200);
  }
}

function drawCloud(sheet: Sheet, random: Random, [x, y]: Point, width: number): void {
  const h = width * 0.16;
  const bump = () => 0.9 + random.next() * 0.5;
  sheet.path(
    d`M ${x - width / 2} ${y} C ${x - width * 0.56} ${y - h * bump()} ${x - width * 0.34} ${y - h * 1.3} ${x - width * 0.28} ${y - h}
      C ${x - width * 0.24} ${y - h * 2.4 * bump()} ${x + width * 0.06} ${y - h * 2.4} ${x + width * 0.08} ${y - h * 1.2}
      C ${x + width * 0.2} ${y - h * 2 * bump()} ${x + width * 0.4} ${y - h * 1.4} ${x + width * 0.36} ${y - h * 0.7} C ${x + width * 0.56} ${y - h} ${x + width * 0.56} ${y} ${x + width / 2} ${y} Z`,
    '#fff8ec',
    0.7,
  );
}

/** Draws water from `y` down, with short lines of light on it. */
export function drawWater(sheet: Sheet, random: Random, { water, sun }: Mood, y: number): void {
  sheet.box([0, y], [pictureWidth, pictureHeight - y], down(...water));
  const x = 300 + random.next() * 600;
  for (let i = 0; i < 16; i++) {
    const at = y + 20 + ((pictureHeight - y - 40) * i) / 16 + random.next() * 12;
    const half = 14 + random.next() * 46 * (0.5 + i / 16);
    const middle = x + (random.next() - 0.5) * 460 * (0.4 + i / 12);
    sheet.line(d`M ${middle - half} ${at} L ${middle + half} ${at}`, sun, 5 + i * 0.4, 0.6);
  }
}

/** A ridge across the picture: its base, its greatest height and its colour. */
interface Ridge {
  y: number;
  height: number;
  colour: string;
}

/** Draws a line of hills from edge to edge, filled down to the bottom. */
export function drawHills(
  sheet: Sheet,
  random: Random,
  { y, height, colour, count = 3 }: Ridge & { count?: number },
): void {
  const step = pictureWidth / count;
  let path = d`M -20 ${y}`;
  for (let i = 0; i < count; i++) {
    const [x, top] = [i * step, y - height * (0.4 + random.next() * 0.6)];
    path += d` C ${x + step * 0.3} ${top} ${x + step * 0.6} ${top} ${x + step * 1.05} ${y - random.next() * height * 0.3}`;
  }
  sheet.path(`${path} L 1220 1520 L -20 1520 Z`, down(lighter(colour, 0.12), colour, darker(colour, 0.12)));
}

/** Draws mountains with a lit and a shaded side, and snow on top. */
export function drawMountains(sheet: Sheet, random: Random, { y, height, colour }: Ridge): void {
  const count = 3 + random.below(2);
  for (let i = 0; i < count; i++) {
    const x = (pictureWidth / (count - 0.6)) * (i + 0.1) + random.next() * 90;
    const [h, w] = [height * (0.6 + random.next() * 0.4), height * (0.72 + random.next() * 0.3)];
    const tip = y - h;
    sheet.path(
      d`M ${x - w} ${y} L ${x - w * 0.4} ${tip + h * 0.46} L ${x} ${tip} L ${x + w * 0.5} ${tip + h * 0.4} L ${x + w} ${y} Z`,
      colour,
    );
    sheet.path(
      d`M ${x} ${tip} L ${x + w * 0.5} ${tip + h * 0.4} L ${x + w} ${y} L ${x + w * 0.2} ${y} L ${x - w * 0.06} ${tip + h * 0.5} L ${x + w * 0.08} ${tip + h * 0.3} Z`,
      darker(colour, 0.16),
    );
    sheet.path(
      d`M ${x} ${tip} L ${x + w * 0.25} ${tip + h * 0.2} L ${x + w * 0.1} ${tip + h * 0.26} L ${x} ${tip + h * 0.2} L ${x - w * 0.12} ${tip + h * 0.3} L ${x - w * 0.24} ${tip + h * 0.27} Z`,
      mix(colour, '#fffaf1', 0.85),
    );
  }
}

/** Draws a tree with a round crown. */
export function drawTree(sheet: Sheet, [x, y]: Point, size: number, colour: string): void {
  sheet.box([x - size * 0.05, y - size], [size * 0.1, size], mix('#5b3d2c', colour, 0.3));
  const crown = (dx: number, dy: number, r: number, fill: string) =>
    sheet.oval([x + dx * size, y - dy * size], [r * size, r * size], fill);
  crown(0.16, 0.95, 0.36, darker(colour, 0.16));
  crown(-0.2, 0.92, 0.36, colour);
  crown(0, 1.24, 0.38, lighter(colour, 0.08));
  crown(-0.1, 1.32, 0.22, lighter(colour, 0.2));
}

/** Draws a fir. */
export function drawFir(sheet: Sheet, [x, y]: Point, size: number, colour: string): void {
  sheet.box([x - size * 0.04, y - size * 0.2], [size * 0.08, size * 0.2], '#4b3427');
  for (const [base, tip, half] of [
    [0.12, 0.62, 0.32],
    [0.4, 0.86, 0.25],
    [0.66, 1.1, 0.18],
  ] as const) {
    const [left, right, low] = [x - half * size, x + half * size, y - base * size];
    sheet.path(
      d`M ${left} ${low} L ${x} ${y - tip * size} L ${right} ${low} Q ${x} ${low + 0.06 * size} ${left} ${low} Z`,
      colour,
    );
    sheet.path(
      d`M ${x} ${y - tip * size} L ${right} ${low} Q ${x + half * 0.5 * size} ${low + 0.03 * size} ${x} ${low + 0.03 * size} Z`,
      darker(colour, 0.2),
    );
  }
}

/** Draws a row of buildings that stand on `y`; the share `lit` of their windows is lit. */
export function drawSkyline(
  sheet: Sheet,
  random: Random,
  { lamp }: Mood,
  { y, height, colour, lit }: Ridge & { lit: number },
): void {
  for (let x = -30; x < pictureWidth;) {
    const width = 90 + random.next() * 110;
    const top = y - height * (0.45 + random.next() * 0.55);
    sheet.box([x, top], [width + 2, 1510 - top], down(lighter(colour, 0.1), colour));
    if (random.chance(0.25))
      sheet.path(
        d`M ${x} ${top + 1} L ${x + width / 2} ${top - 60} L ${x + width} ${top + 1} Z`,
        lighter(colour, 0.06),
      );
    const columns = Math.floor(width / 40);
    for (let wy = top + 30; wy < y + 130; wy += 58) {
      for (let i = 0; i < columns; i++) {
        if (random.chance(lit))
          sheet.box([x + (width - columns * 38) / 2 + i * 38 + 9, wy], [20, 30], lamp, {
            round: 3,
            opacity: 0.5 + random.next() * 0.5,
          });
      }
    }
    x += width;
  }
}
