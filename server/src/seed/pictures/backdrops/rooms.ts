import { darker, lighter, mix, palette } from '../drawing/colours.ts';
import { d } from '../drawing/outline.ts';
import { across, down, slant } from '../drawing/paint.ts';
import { pickMood } from '../scenery/moods.ts';
import { drawFlowerpot, drawWindow } from '../scenery/things.ts';
import type { Backdrop } from './plain.ts';

/** A window with what is outside, and curtains. */
export const atTheWindow: Backdrop = (sheet, random) => {
  const wall = random.pick(['#ecdcc0', '#d9b79c', '#b9c0a2', '#a9bac4', '#c88f7c']);
  const mood = pickMood(random, ['morning', 'day', 'golden', 'rosy', 'dusk', 'night']);
  sheet.box(0, 0, 1200, 1500, slant(lighter(wall, 0.2), wall, darker(wall, 0.1)));
  const x = random.pick([120, 260, 420]);
  drawWindow(sheet, random, mood, [x, 90, 660, 900]);
  const curtain = random.pick([palette.cream, palette.rose, palette.sage, palette.terracotta]);
  for (const side of [-1, 1]) {
    const from = side < 0 ? x - 110 : x + 770;
    sheet.path(
      d`M ${from} 40 L ${from - side * 190} 40 C ${from - side * 150} 500 ${from - side * 30} 800 ${from - side * 70} 1250 L ${from + side * 40} 1250 Z`,
      across(lighter(curtain, 0.3), curtain, darker(curtain, 0.1)),
    );
    sheet.line(
      d`M ${from - side * 90} 50 C ${from - side * 70} 500 ${from - side * 6} 800 ${from - side * 26} 1240`,
      darker(curtain, 0.3),
      7,
      0.4,
    );
  }
  sheet.line(d`M ${x - 150} 40 L ${x + 810} 40`, '#6b4530', 16);
  if (random.chance(0.6)) drawFlowerpot(sheet, random, x < 300 ? 1060 : 150, 1090, 1.5);
  return mix(wall, mood.sky[1], 0.4);
};

/** Pictures in frames on a painted wall. */
export const gallery: Backdrop = (sheet, random) => {
  const wall = random.pick(['#e9dcc4', '#c3cbb0', '#aebcc6', '#d8a892', '#64748a', '#7c8560', '#93413f']);
  sheet.box(0, 0, 1200, 1500, slant(lighter(wall, 0.14), wall, darker(wall, 0.14)));
  const shift = random.next() * 120;
  for (const [x, y, w, h] of [
    [50, 90, 300, 380],
    [60, 540, 260, 260],
    [420, 50, 360, 260],
    [850, 120, 300, 300],
    [880, 490, 260, 350],
    [30, 870, 320, 240],
    [860, 910, 300, 240],
  ] as const) {
    const [px, py] = [x + (random.next() - 0.5) * 30, y + (random.next() - 0.5) * 40 + shift * 0.3];
    const frame = random.pick(['#6b4530', '#2f2825', '#c9a15a', palette.white]);
    sheet.box(px + 10, py + 16, w, h, '#2b1519', 4, 0.22);
    sheet.box(px, py, w, h, frame, 4);
    sheet.box(px + 16, py + 16, w - 32, h - 32, palette.cream);
    const mood = pickMood(random, ['day', 'golden', 'rosy', 'dusk', 'morning']);
    const inner = d`M ${px + 40} ${py + 40} L ${px + w - 40} ${py + 40} L ${px + w - 40} ${py + h - 40} L ${px + 40} ${py + h - 40} Z`;
    sheet.clipped(inner, () => {
      sheet.path(inner, down(...mood.sky));
      sheet.oval(px + w * (0.3 + random.next() * 0.4), py + h * 0.42, 36, 36, mood.sun);
      sheet.oval(px + w * 0.2, py + h * 0.9, w * 0.5, h * 0.3, mood.middle);
      sheet.oval(px + w * 0.8, py + h * 1.0, w * 0.5, h * 0.3, mood.near);
    });
  }
  return wall;
};
