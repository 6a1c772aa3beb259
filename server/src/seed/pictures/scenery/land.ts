import type { Random } from '../../random.ts';
import { darker, lighter, mix } from '../drawing/colours.ts';
import { d } from '../drawing/outline.ts';
import { down } from '../drawing/paint.ts';
import { pictureWidth, type Sheet } from '../drawing/sheet.ts';

/** A line of hills up to both edges, filled down to the bottom. */
export function drawHills(sheet: Sheet, random: Random, y: number, height: number, colour: string, count = 3): void {
  const step = pictureWidth / count;
  let path = d`M -20 ${y}`;
  for (let i = 0; i < count; i++) {
    const [x, top] = [i * step, y - height * (0.4 + random.next() * 0.6)];
    path += d` C ${x + step * 0.3} ${top} ${x + step * 0.6} ${top} ${x + step * 1.05} ${y - random.next() * height * 0.3}`;
  }
  sheet.path(
    d`${path} L 1220 ${y} L 1220 1520 L -20 1520 Z`,
    down(lighter(colour, 0.12), colour, darker(colour, 0.12)),
  );
}

/** Pointed mountains with a lit and a shaded side, and snow on request. */
export function drawMountains(
  sheet: Sheet,
  random: Random,
  y: number,
  height: number,
  colour: string,
  snow?: string,
): void {
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
    if (snow === undefined) continue;
    sheet.path(
      d`M ${x} ${tip} L ${x + w * 0.25} ${tip + h * 0.2} L ${x + w * 0.1} ${tip + h * 0.26} L ${x} ${tip + h * 0.2} L ${x - w * 0.12} ${tip + h * 0.3} L ${x - w * 0.24} ${tip + h * 0.27} Z`,
      snow,
    );
  }
}

/** A tree with a round crown of three balls. */
export function drawTree(sheet: Sheet, x: number, y: number, size: number, colour: string): void {
  sheet.path(
    d`M ${x - size * 0.07} ${y} L ${x - size * 0.04} ${y - size} L ${x + size * 0.04} ${y - size} L ${x + size * 0.07} ${y} Z`,
    mix('#5b3d2c', colour, 0.3),
  );
  const crown = (dx: number, dy: number, r: number, fill: string) =>
    sheet.oval(x + dx * size, y - dy * size, r * size, r * size, fill);
  crown(0.16, 0.95, 0.36, darker(colour, 0.16));
  crown(-0.2, 0.92, 0.36, colour);
  crown(0, 1.24, 0.38, lighter(colour, 0.08));
  crown(-0.1, 1.32, 0.22, lighter(colour, 0.2));
}

/** A fir. */
export function drawFir(sheet: Sheet, x: number, y: number, size: number, colour: string): void {
  sheet.box(x - size * 0.04, y - size * 0.2, size * 0.08, size * 0.2, '#4b3427');
  for (const [base, tip, half] of [
    [0.12, 0.62, 0.32],
    [0.4, 0.86, 0.25],
    [0.66, 1.1, 0.18],
  ] as const) {
    sheet.path(
      d`M ${x - half * size} ${y - base * size} L ${x} ${y - tip * size} L ${x + half * size} ${y - base * size} Q ${x} ${y - (base - 0.06) * size} ${x - half * size} ${y - base * size} Z`,
      colour,
    );
    sheet.path(
      d`M ${x} ${y - tip * size} L ${x + half * size} ${y - base * size} Q ${x + half * 0.5 * size} ${y - (base - 0.03) * size} ${x + half * 0.1 * size} ${y - (base - 0.03) * size} Z`,
      darker(colour, 0.2),
    );
  }
}
