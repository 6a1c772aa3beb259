import type { Random } from '../../random.ts';
import { darker, lighter, mix, palette } from '../drawing/colours.ts';
import { d } from '../drawing/outline.ts';
import { across, down, glow, slant } from '../drawing/paint.ts';
import type { Sheet } from '../drawing/sheet.ts';
import type { Mood } from './moods.ts';
import { drawCloud, drawStars, drawSun } from './sky.ts';

type Box = readonly [x: number, y: number, width: number, height: number];

/** A window with bars, and hills, the sky and its light outside. */
export function drawWindow(sheet: Sheet, random: Random, mood: Mood, [x, y, w, h]: Box): void {
  const pane = d`M ${x} ${y} L ${x + w} ${y} L ${x + w} ${y + h} L ${x} ${y + h} Z`;
  sheet.box(x - 34, y - 34, w + 68, h + 68, down(palette.white, '#e6d8c0'), 6);
  sheet.clipped(pane, () => {
    sheet.box(x, y, w, h, down(...mood.sky));
    if (mood.dark) drawStars(sheet, random, 40, y + h * 0.6);
    drawSun(sheet, mood, x + w * (0.2 + random.next() * 0.6), y + h * (0.2 + random.next() * 0.25), w * 0.1);
    if (!mood.dark) drawCloud(sheet, random, mood, x + w * random.next(), y + h * 0.22, w * 0.5);
    sheet.oval(x + w * 0.15, y + h * 1.02, w * 0.62, h * 0.36, mood.far);
    sheet.oval(x + w * 0.85, y + h * 1.06, w * 0.6, h * 0.34, mood.middle);
    sheet.oval(x + w * 0.3, y + h * 1.16, w * 0.7, h * 0.32, mood.near);
  });
  sheet.box(x + w / 2 - 11, y, 22, h, palette.white);
  sheet.box(x, y + h * 0.46, w, 20, palette.white);
  sheet.path(d`M ${x} ${y} L ${x + w * 0.3} ${y} L ${x} ${y + h * 0.4} Z`, '#ffffff', 0.12);
  sheet.box(x - 60, y + h + 24, w + 120, 34, down(palette.white, '#d9c8ac'), 6);
}

/** A plant in a pot that stands on `y`. */
export function drawFlowerpot(sheet: Sheet, random: Random, x: number, y: number, scale: number): void {
  const pot = random.pick([palette.terracotta, palette.white, palette.red, palette.dusk, palette.honey]);
  const green = random.pick(['#4f6b45', '#6d7c46', '#33603f', '#7f8f58']);
  sheet.placed({ x, y, scale }, () => {
    for (let i = 0; i < 9; i++) {
      const turn = -74 + i * 18.5 + (random.next() - 0.5) * 12;
      const length = 150 + random.next() * 70;
      sheet.placed({ turn, about: [0, -96] }, () => {
        const fill = i % 2 ? green : lighter(green, 0.14);
        sheet.path(
          d`M 0 -90 C ${-36} ${-110 - length * 0.4} ${-22} ${-96 - length * 0.8} 0 ${-96 - length} C 22 ${-96 - length * 0.8} 36 ${-110 - length * 0.4} 0 -90 Z`,
          fill,
        );
        sheet.line(d`M 0 -100 L 0 ${-80 - length * 0.8}`, darker(green, 0.3), 3, 0.5);
      });
    }
    sheet.path(d`M -66 -112 L 66 -112 L 50 0 L -50 0 Z`, across(lighter(pot, 0.2), pot, darker(pot, 0.25)));
    sheet.box(-74, -124, 148, 30, across(lighter(pot, 0.3), pot, darker(pot, 0.18)), 6);
  });
}

/** A lamp that hangs from the ceiling, lit. */
export function drawLamp(sheet: Sheet, random: Random, x: number, y: number): void {
  const shade = random.pick([palette.red, palette.honey, palette.forest, palette.white, palette.charcoal]);
  sheet.oval(x, y + 60, 330, 330, glow('#ffeebb99', '#ffeebb00'));
  sheet.line(d`M ${x} -10 L ${x} ${y - 120}`, palette.charcoal, 7);
  sheet.path(
    d`M ${x - 26} ${y - 126} L ${x + 26} ${y - 126} C ${x + 90} ${y - 90} ${x + 120} ${y - 40} ${x + 128} ${y} L ${x - 128} ${y} C ${x - 120} ${y - 40} ${x - 90} ${y - 90} ${x - 26} ${y - 126} Z`,
    across(lighter(shade, 0.25), shade, darker(shade, 0.25)),
  );
  sheet.oval(x, y + 2, 128, 16, '#fff0c4');
}

/** A cup with a saucer that stands on `y`, steaming. */
export function drawCup(sheet: Sheet, x: number, y: number, scale: number, colour: string): void {
  sheet.placed({ x, y, scale }, () => {
    sheet.oval(6, 4, 190, 26, '#2b1519', 0.2);
    sheet.oval(0, -6, 176, 24, down(lighter(colour, 0.4), colour));
    sheet.line(d`M 116 -130 C 190 -140 190 -50 96 -50`, mix(colour, '#2b1519', 0.1), 20);
    sheet.path(
      d`M -124 -168 L 124 -168 C 124 -60 84 -16 40 -12 L -40 -12 C -84 -16 -124 -60 -124 -168 Z`,
      across(lighter(colour, 0.35), colour, darker(colour, 0.22)),
    );
    sheet.oval(0, -168, 124, 24, lighter(colour, 0.45));
    sheet.oval(0, -165, 110, 19, slant('#7a4a2c', '#4b2c1c'));
    for (const [sx, h] of [
      [-40, 110],
      [4, 150],
      [46, 100],
    ] as const) {
      sheet.line(
        d`M ${sx} -200 C ${sx - 40} ${-200 - h * 0.4} ${sx + 40} ${-200 - h * 0.6} ${sx} ${-200 - h}`,
        '#fffaf0',
        11,
        0.4,
      );
    }
  });
}
