import { d } from '../drawing/outline.ts';
import { down } from '../drawing/paint.ts';
import type { Sheet } from '../drawing/sheet.ts';
import { faceOutline } from '../people/head.ts';
import type { Head, Person } from '../people/person.ts';

/** A way to wear hair: what hangs behind the neck, and what is drawn over the face. */
export interface HairDrawing {
  behind?: () => void;
  front: () => void;
}

export type HairStyle = (sheet: Sheet, person: Person) => HairDrawing;

export type Hairline = 'round' | 'side' | 'middle' | 'fringe' | 'swept' | 'peak' | 'high' | 'square';

/** The lower edge of the hair over the forehead, from the right temple to the left. */
function hairlinePath(line: Hairline, x: number, y: number): string {
  switch (line) {
    case 'round':
      return d`C ${x} -96 ${0.78 * x} -172 0 -172 C ${-0.78 * x} -172 ${-x} -96 ${-x} ${y}`;
    case 'side':
      return d`C ${x} -70 ${0.92 * x} -104 ${0.66 * x} -118 C ${0.2 * x} -136 ${-0.28 * x} -168 ${-0.42 * x} -216
        C ${-0.56 * x} -170 ${-x} -130 ${-x} ${y}`;
    case 'middle':
      return d`C ${1.01 * x} -92 ${0.76 * x} -108 ${0.44 * x} -142 C ${0.2 * x} -166 ${0.05 * x} -190 0 -222
        C ${-0.05 * x} -190 ${-0.2 * x} -166 ${-0.44 * x} -142 C ${-0.76 * x} -108 ${-1.01 * x} -92 ${-x} ${y}`;
    case 'fringe':
      return d`L ${x} -50 Q ${0.86 * x} -78 ${0.62 * x} -72 Q ${0.4 * x} -88 ${0.2 * x} -80 Q 0 -92 ${-0.22 * x} -80
        Q ${-0.42 * x} -88 ${-0.64 * x} -72 Q ${-0.86 * x} -78 ${-x} -50 L ${-x} ${y}`;
    case 'swept':
      return d`C ${1.02 * x} -30 ${0.98 * x} -62 ${0.86 * x} -78 C ${0.4 * x} -84 ${-0.2 * x} -110 ${-0.52 * x} -196
        C ${-0.66 * x} -150 ${-x} -110 ${-x} ${y}`;
    case 'peak':
      return d`C ${0.98 * x} -120 ${0.86 * x} -166 ${0.58 * x} -184 C ${0.36 * x} -180 ${0.14 * x} -168 0 -156
        C ${-0.14 * x} -168 ${-0.36 * x} -180 ${-0.58 * x} -184 C ${-0.86 * x} -166 ${-0.98 * x} -120 ${-x} ${y}`;
    case 'high':
      return d`C ${0.99 * x} -110 ${0.94 * x} -196 ${0.62 * x} -222 C ${0.42 * x} -232 ${0.2 * x} -200 0 -196
        C ${-0.2 * x} -200 ${-0.42 * x} -232 ${-0.62 * x} -222 C ${-0.94 * x} -196 ${-0.99 * x} -110 ${-x} ${y}`;
    case 'square':
      return d`L ${0.97 * x} -96 C ${0.95 * x} -140 ${0.84 * x} -158 ${0.62 * x} -160 Q 0 -178 ${-0.62 * x} -160
        C ${-0.84 * x} -158 ${-0.95 * x} -140 ${-0.97 * x} -96 L ${-x} ${y}`;
  }
}

export interface Cap {
  /** How far the hair stands off the skull. */
  volume: number;
  /** How far down it goes before the ears. */
  sides: number;
  line: Hairline;
  /** How far it hangs outside of the temples. */
  wide?: number;
  /** How far inside of the face's edge its inner edge runs. */
  over?: number;
}

/** Hair that lies on the skull like a cap. */
export function capOutline({ width: w, top }: Head, { volume: v, sides, line, wide = 4, over = 16 }: Cap): string {
  const t = top - v;
  const inner = w - over;
  const [x, y] = [0.74 * w + v * 0.6, t + 62];
  // In line with the curve on the other side of (x, y), or there would be a corner.
  const [bendX, bendY] = [x - 0.6 * (w + v - x), y - 0.6 * (-140 - y)];
  return d`M ${-w - wide} ${sides} C ${-w - v} -50 ${-w - v} -140 ${-x} ${y} C ${-bendX} ${bendY} ${-0.28 * w} ${t} 0 ${t}
    C ${0.28 * w} ${t} ${bendX} ${bendY} ${x} ${y} C ${w + v} -140 ${w + v} -50 ${w + wide} ${sides}
    L ${inner} ${sides} ${hairlinePath(line, inner, sides)} Z`;
}

/** Hair over the face: its shadow on the skin, the hair, and light and strands on it. */
export function drawHair(
  sheet: Sheet,
  { head, hair, skin }: Person,
  outline: string,
  strands: readonly string[] = [],
): void {
  sheet.clipped(faceOutline(head), () => {
    sheet.placed({ x: 5, y: 15 }, () => sheet.path(outline, skin.deep, 0.34));
  });
  sheet.path(outline, down(hair.light, hair.base, hair.shade));
  sheet.clipped(outline, () => {
    const [w, t] = [head.width, head.top];
    sheet.line(
      d`M ${-w * 0.86} -92 C ${-w * 0.8} ${t + 60} ${-w * 0.35} ${t + 22} ${w * 0.16} ${t + 22}`,
      hair.light,
      30,
      0.4,
    );
    for (const strand of strands) sheet.line(strand, hair.deep, 6, 0.4);
  });
}

/** Strands that fall to both sides of the point of a parting. */
export function strandsFrom({ width: w }: Head, x: number, y: number): string[] {
  return [-1, 1].flatMap((side) =>
    [0.55, 0.78, 0.98].map(
      (reach, i) =>
        d`M ${x} ${y + i * 5} C ${x + side * w * 0.4} ${y + 4} ${side * w * reach} ${y + 60} ${side * w * (reach + 0.06)} ${-40 - i * 10}`,
    ),
  );
}
