import type { Random } from '../../random.ts';
import { lighter } from '../drawing/colours.ts';
import { d } from '../drawing/outline.ts';
import { down } from '../drawing/paint.ts';
import type { Sheet } from '../drawing/sheet.ts';
import type { Mood } from './moods.ts';

/** A row of buildings that stand on `y`, with some windows lit. */
export function drawSkyline(
  sheet: Sheet,
  random: Random,
  mood: Mood,
  { y, height, colour, lit }: { y: number; height: number; colour: string; lit: number },
): void {
  for (let x = -30; x < 1200;) {
    const width = 90 + random.next() * 110;
    const top = y - height * (0.45 + random.next() * 0.55);
    sheet.box(x, top, width + 2, 1510 - top, down(lighter(colour, 0.1), colour));
    const roof = random.below(4);
    if (roof === 0)
      sheet.path(
        d`M ${x} ${top + 1} L ${x + width / 2} ${top - 60} L ${x + width} ${top + 1} Z`,
        lighter(colour, 0.06),
      );
    if (roof === 1) sheet.line(d`M ${x + width / 2} ${top} L ${x + width / 2} ${top - 80}`, colour, 7);
    const columns = Math.floor(width / 40);
    for (let wy = top + 30; wy < y + 130; wy += 58) {
      for (let i = 0; i < columns; i++) {
        if (!random.chance(lit)) continue;
        sheet.box(x + (width - columns * 38) / 2 + i * 38 + 9, wy, 20, 30, mood.lamp, 3, 0.5 + random.next() * 0.5);
      }
    }
    x += width + (random.chance(0.2) ? 30 : 0);
  }
}
