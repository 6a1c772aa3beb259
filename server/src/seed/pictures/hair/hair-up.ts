import { d } from '../drawing/outline.ts';
import { down, slant } from '../drawing/paint.ts';
import type { Sheet } from '../drawing/sheet.ts';
import type { Person } from '../people/person.ts';
import { capOutline, drawHair, strandsFrom, type HairStyle, type Hairline } from './hair-shapes.ts';

/** Combed back tightly, and what the rest is made into, behind the head or over the shoulder. */
const tied =
  (
    line: Hairline,
    rest: { behind?: (sheet: Sheet, person: Person) => void; front?: (sheet: Sheet, person: Person) => void },
  ): HairStyle =>
  (sheet, person) => {
    const { head, random } = person;
    const outline = capOutline(head, { volume: 14 + random.next() * 10, sides: 2, line });
    const part = { side: -0.4, middle: 0 }[line as string];
    const strands =
      part === undefined
        ? [-0.7, -0.35, 0, 0.35, 0.7].map(
            (s) => d`M ${s * head.width} -100 Q ${s * head.width * 0.8} -210 ${s * 40} ${head.top - 20}`,
          )
        : strandsFrom(head, part * head.width, head.top + 36);
    return {
      behind: () => rest.behind?.(sheet, person),
      front: () => {
        drawHair(sheet, person, outline, strands);
        rest.front?.(sheet, person);
      },
    };
  };

function drawKnot(sheet: Sheet, { hair }: Person, x: number, y: number, size: number): void {
  sheet.oval(x, y, size, size * 0.92, slant(hair.light, hair.base, hair.shade));
  sheet.line(
    d`M ${x - size * 0.6} ${y + size * 0.2} C ${x - size * 0.4} ${y - size * 0.6} ${x + size * 0.5} ${y - size * 0.6} ${x + size * 0.5} ${y + size * 0.1}`,
    hair.deep,
    6,
    0.4,
  );
  sheet.line(
    d`M ${x - size * 0.2} ${y + size * 0.4} C ${x - size * 0.2} ${y - size * 0.1} ${x + size * 0.2} ${y - size * 0.1} ${x + size * 0.2} ${y + size * 0.3}`,
    hair.deep,
    6,
    0.4,
  );
}

const bun = (size: number) => (sheet: Sheet, person: Person) =>
  drawKnot(sheet, person, 10, person.head.top - size * 0.62, size);

export const topBun = tied('round', { behind: bun(92) });
export const sideBun = tied('side', { behind: bun(84) });
export const smallBun = tied('peak', { behind: bun(62) });

export const lowBun = tied('middle', {
  behind: (sheet, person) => drawKnot(sheet, person, person.head.width * 0.86, 196, 84),
});

export const twoBuns = tied('middle', {
  behind: (sheet, person) => {
    for (const side of [-1, 1]) drawKnot(sheet, person, side * person.head.width * 0.72, person.head.top + 8, 78);
  },
});

export const ponytail = tied('round', {
  behind: (sheet, { head: { width: w, top: t }, hair }) => {
    const tail = d`M ${w * 0.2} ${t + 10} C ${w * 0.8} ${t - 90} ${w * 1.75} ${t + 10} ${w * 1.72} 20 C ${w * 1.7} 180 ${w * 1.3} 250 ${w * 1.5} 400
      C ${w * 1.05} 320 ${w * 1.0} 160 ${w * 1.1} 0 C ${w * 1.16} -110 ${w * 0.9} -170 ${w * 0.3} -190 Z`;
    sheet.path(tail, down(hair.light, hair.base, hair.shade));
    sheet.line(d`M ${w * 0.9} ${t + 16} C ${w * 1.5} ${t + 60} ${w * 1.5} 20 ${w * 1.28} 220`, hair.deep, 7, 0.4);
  },
});

function drawBraid(sheet: Sheet, { head, hair }: Person, side: number): void {
  for (let i = 0; i < 7; i++) {
    const size = 48 - i * 2.6;
    const x = side * (head.width * 0.93 + Math.sin(i * 0.7) * 8);
    const y = 84 + i * 56;
    sheet.placed({ turn: side * (i % 2 ? 34 : -34), about: [x, y] }, () => {
      sheet.oval(x, y, size * 0.86, size, slant(hair.light, hair.base, hair.shade));
    });
  }
  const x = side * (head.width * 0.93);
  sheet.box(x - 20, 474, 40, 20, '#972f33', 9);
  sheet.path(d`M ${x - 18} 494 Q ${x - 34} 540 ${x - 6} 566 Q ${x + 34} 540 ${x + 18} 494 Z`, hair.base);
}

export const oneBraid = tied('side', { front: (sheet, person) => drawBraid(sheet, person, 1) });

export const twoBraids = tied('middle', {
  front: (sheet, person) => {
    for (const side of [-1, 1]) drawBraid(sheet, person, side);
  },
});
