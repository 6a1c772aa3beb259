import { darker, lighter, palette } from '../drawing/colours.ts';
import { d } from '../drawing/outline.ts';
import { across } from '../drawing/paint.ts';
import type { Sheet } from '../drawing/sheet.ts';
import type { Person } from '../people/person.ts';
import { drawGarment } from './garment.ts';

/** A jumper with a high collar. */
export function drawTurtleneck(sheet: Sheet, { head }: Person, colour: string, extra?: () => void): void {
  drawGarment(sheet, head, { at: 0.72, depth: 430, shape: 'round' }, colour, extra);
  const n = head.neck;
  sheet.path(
    d`M ${-n - 12} 286 Q 0 318 ${n + 12} 286 C ${n + 14} 350 ${n + 30} 384 ${n + 74} 412 Q 0 476 ${-n - 74} 412 C ${-n - 30} 384 ${-n - 14} 350 ${-n - 12} 286 Z`,
    across(lighter(colour, 0.16), colour, darker(colour, 0.26)),
  );
  sheet.line(d`M ${-n - 6} 318 Q 0 350 ${n + 6} 318`, darker(colour, 0.4), 6, 0.35);
}

/** A top with two thin straps. */
export function drawStraps(sheet: Sheet, { head }: Person, colour: string, extra?: () => void): void {
  const x = head.neck + 66;
  for (const side of [-1, 1])
    sheet.line(d`M ${side * x} 404 C ${side * (x + 14)} 470 ${side * (x + 10)} 540 ${side * (x - 4)} 610`, colour, 26);
  const [s, y] = [head.shoulders, 590];
  const top = d`M ${-s * 0.76} 700 C ${-s * 0.66} 640 ${-x - 20} ${y + 10} ${-x + 10} ${y} Q 0 ${y + 70} ${x - 10} ${y} C ${x + 20} ${y + 10} ${s * 0.66} 640 ${s * 0.76} 700 L ${s * 0.78} 1200 L ${-s * 0.78} 1200 Z`;
  sheet.path(top, across(lighter(colour, 0.14), colour, darker(colour, 0.22)));
  sheet.clipped(top, () => extra?.());
}

/** Dungarees over a shirt. */
export function drawDungarees(sheet: Sheet, { head }: Person, colour: string, shirt: () => void): void {
  shirt();
  const [x, s] = [head.neck + 84, head.shoulders];
  for (const side of [-1, 1]) {
    sheet.line(
      d`M ${side * (x + 6)} 410 C ${side * (x + 22)} 500 ${side * (x + 10)} 600 ${side * (x - 6)} 680`,
      colour,
      46,
    );
    sheet.oval(side * (x - 4), 674, 15, 15, palette.honey);
  }
  sheet.path(
    d`M ${-x - 24} 664 L ${x + 24} 664 L ${x + 44} 800 Q ${s * 0.66} 860 ${s * 0.72} 1200 L ${-s * 0.72} 1200 Q ${-s * 0.66} 860 ${-x - 44} 800 Z`,
    across(lighter(colour, 0.12), colour, darker(colour, 0.22)),
  );
  for (const side of [-1, 1]) sheet.oval(side * (x - 4), 690, 15, 15, palette.honey);
}
