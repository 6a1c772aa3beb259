import { mix } from '../drawing/colours.ts';
import { d } from '../drawing/outline.ts';
import type { Sheet } from '../drawing/sheet.ts';
import { faceOutline } from '../people/head.ts';
import type { Person } from '../people/person.ts';
import { capOutline, type HairStyle } from './hair-shapes.ts';

type Curl = [x: number, y: number, size: number];

/** Curls around the head from one angle to the other (0 is right, 90 up), `reach` times as far out as the skull. */
function ring(
  { head, random }: Person,
  count: number,
  [from, to]: [number, number],
  reach: number,
  size: number,
): Curl[] {
  return Array.from({ length: count }, (_, i) => {
    const angle = ((from + ((to - from) * i) / (count - 1)) * Math.PI) / 180;
    const far = reach * (0.98 + random.next() * 0.05);
    return [
      Math.cos(angle) * head.width * far,
      -30 - Math.sin(angle) * (-30 - head.top) * far,
      size * (0.88 + random.next() * 0.26),
    ];
  });
}

function drawCurls(sheet: Sheet, { hair, random }: Person, curls: readonly Curl[], fill = hair.base): void {
  for (const [x, y, size] of curls) sheet.oval(x, y, size, size, fill);
  for (const [x, y, size] of curls) {
    const bow = d`M ${x - size * 0.5} ${y} C ${x - size * 0.5} ${y - size * 0.6} ${x + size * 0.5} ${y - size * 0.6} ${x + size * 0.45} ${y + size * 0.1}`;
    const lit = random.chance(0.4);
    sheet.placed({ turn: random.next() * 360, about: [x, y] }, () =>
      sheet.line(bow, lit ? hair.light : hair.deep, 6, lit ? 0.6 : 0.35),
    );
  }
}

/** The shadow of curls on the forehead. */
function drawShadow(sheet: Sheet, { head, skin }: Person, curls: readonly Curl[]): void {
  sheet.clipped(faceOutline(head), () => {
    for (const [x, y, size] of curls) sheet.oval(x + 4, y + 14, size, size, skin.deep, 0.3);
  });
}

/** A ball of curls around the head. */
export const afro: HairStyle = (sheet, person) => {
  const { random, hair, head } = person;
  const size = 1.3 + random.next() * 0.35;
  return {
    behind: () => {
      sheet.oval(0, -70, head.width * size, (-70 - head.top) * size + 30, hair.base);
      drawCurls(sheet, person, ring(person, 22, [-42, 222], size, 46));
    },
    front: () => {
      const fringe = ring(person, 13, [6, 174], 0.96, 44);
      drawCurls(sheet, person, ring(person, 14, [4, 176], (1 + size) / 2, 50));
      drawShadow(sheet, person, fringe);
      drawCurls(sheet, person, fringe);
    },
  };
};

/** Curls on top, short at the sides. */
export const curlyTop: HairStyle = (sheet, person) => {
  const { head, hair, skin } = person;
  return {
    front: () => {
      sheet.path(capOutline(head, { volume: 6, sides: 4, line: 'square', over: 14 }), mix(hair.base, skin.base, 0.25));
      const fringe = ring(person, 9, [34, 146], 0.9, 40);
      drawCurls(sheet, person, ring(person, 10, [26, 154], 1.14, 50));
      drawShadow(sheet, person, fringe);
      drawCurls(sheet, person, fringe);
    },
  };
};

/** Curls to below the chin or the shoulders. */
const curlyTo =
  (end: number): HairStyle =>
  (sheet, person) => {
    const { head, random, hair } = person;
    const w = head.width;
    const falls = (from: number, x: number, size: number): Curl[] =>
      [-1, 1].flatMap((side) =>
        Array.from({ length: Math.round((end - from) / (size * 0.9)) }, (_, i): Curl => {
          const y = from + i * size * 0.9;
          return [side * (x + 14 * random.next() + Math.min(y, 260) * 0.14), y, size * (0.9 + random.next() * 0.2)];
        }),
      );
    return {
      behind: () => {
        const r = w * 1.24;
        sheet.path(
          d`M ${-r} -80 C ${-r} ${head.top - 80} ${r} ${head.top - 80} ${r} -80 L ${r + 20} ${end} L ${-r - 20} ${end} Z`,
          hair.shade,
        );
        drawCurls(sheet, person, falls(-60, w * 1.26, 58));
        drawCurls(sheet, person, ring(person, 13, [0, 180], 1.24, 56));
      },
      front: () => {
        const fringe = ring(person, 11, [14, 166], 0.98, 44);
        drawCurls(sheet, person, falls(-40, w * 1.06, 46));
        drawShadow(sheet, person, fringe);
        drawCurls(sheet, person, ring(person, 10, [20, 160], 1.12, 48));
        drawCurls(sheet, person, fringe);
      },
    };
  };

export const curlyLong = curlyTo(400);
export const curlyBob = curlyTo(190);
