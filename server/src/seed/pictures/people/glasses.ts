import { palette } from '../drawing/colours.ts';
import { d } from '../drawing/outline.ts';
import { slant } from '../drawing/paint.ts';
import type { Sheet } from '../drawing/sheet.ts';
import type { Person } from './person.ts';

const frames = ['#2d2422', '#2d2422', '#6b3f24', palette.red, '#b98a3c', palette.forest, '#7a6a62'];

/** Glasses, thin or bold, round or square. */
export function drawGlasses(sheet: Sheet, { random, head }: Person): void {
  const frame = random.pick(frames);
  const x = head.width * 0.42;
  const [width, height] = [head.width * 0.35 + random.next() * 8, 50 + random.next() * 12];
  const thick = random.pick([7, 8, 11, 13]);
  const shape = random.pick(['round', 'square', 'cat'] as const);
  const glass = slant('#ffffff3a', '#ffffff08', '#ffffff18');
  for (const side of [-1, 1]) {
    sheet.placed({ x: side * x, y: 4, mirror: side < 0 }, () => {
      const lens = {
        round: d`M ${-height - 3} 0 C ${-height - 3} ${-height * 1.36} ${height + 3} ${-height * 1.36} ${height + 3} 0 C ${height + 3} ${height * 1.36} ${-height - 3} ${height * 1.36} ${-height - 3} 0 Z`,
        square: d`M ${-width} ${-height * 0.7} Q ${-width} ${-height * 0.86} ${-width * 0.8} ${-height * 0.86} L ${width * 0.86} ${-height * 0.86} Q ${width + 2} ${-height * 0.84} ${width} ${-height * 0.6} L ${width * 0.92} ${height * 0.6} Q ${width * 0.86} ${height * 0.86} ${width * 0.6} ${height * 0.86} L ${-width * 0.6} ${height * 0.86} Q ${-width * 0.9} ${height * 0.84} ${-width * 0.92} ${height * 0.5} Z`,
        cat: d`M ${-width} ${-height * 0.4} C ${-width * 0.8} ${-height * 0.9} ${width * 0.3} ${-height * 0.8} ${width + 16} ${-height} C ${width + 6} ${height * 0.5} ${width * 0.5} ${height * 0.9} 0 ${height * 0.86} C ${-width * 0.7} ${height * 0.8} ${-width} ${height * 0.2} ${-width} ${-height * 0.4} Z`,
      }[shape];
      sheet.path(lens, glass);
      sheet.line(lens, frame, thick);
      const edge = shape === 'round' ? height + 3 : width;
      sheet.line(d`M ${edge} -14 L ${head.width - x + 10} -8`, frame, thick);
    });
  }
  const bridge = x - (shape === 'round' ? 53 : width);
  sheet.line(d`M ${-bridge} -8 Q 0 -26 ${bridge} -8`, frame, thick);
}

/** Rings, drops or studs in both ears. */
export function drawEarrings(sheet: Sheet, { random, head }: Person): void {
  const gold = random.pick(['#d9a441', '#d9a441', '#d8d3cc', palette.red, palette.forest]);
  const kind = random.below(3);
  for (const side of [-1, 1]) {
    const x = side * (head.width + 10);
    if (kind === 0)
      sheet.line(d`M ${x} 72 C ${x - 34} 74 ${x - 34} 134 ${x} 134 C ${x + 34} 134 ${x + 34} 74 ${x} 72 Z`, gold, 8);
    if (kind === 1) sheet.oval(x, 70, 11, 11, gold);
    if (kind === 2) {
      sheet.line(d`M ${x} 68 L ${x} 92`, gold, 6);
      sheet.path(d`M ${x} 86 Q ${x + 26} 130 ${x} 140 Q ${x - 26} 130 ${x} 86 Z`, gold);
    }
  }
}
