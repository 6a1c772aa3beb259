import { darker, lighter, mix } from '../drawing/colours.ts';
import { d } from '../drawing/outline.ts';
import { down, slant } from '../drawing/paint.ts';
import type { Sheet } from '../drawing/sheet.ts';
import { capOutline, type HairDrawing } from '../hair/hair-shapes.ts';
import { faceOutline } from '../people/head.ts';
import type { Person } from '../people/person.ts';

/** A scarf around head and neck; no hair is seen. */
export function headscarf(sheet: Sheet, person: Person, colour: string): HairDrawing {
  const { head, skin } = person;
  const [w, t] = [head.width, head.top - 34];
  const [lit, dim] = [lighter(colour, 0.16), darker(colour, 0.24)];
  return {
    behind: () => {
      sheet.path(
        d`M ${-w - 44} -60 C ${-w - 44} ${t} ${-w * 0.6} ${t} 0 ${t} C ${w * 0.6} ${t} ${w + 44} ${t} ${w + 44} -60 C ${w + 56} 200 ${w + 120} 320 ${w + 160} 430 L ${-w - 160} 430 C ${-w - 120} 320 ${-w - 56} 200 ${-w - 44} -60 Z`,
        down(colour, dim),
      );
    },
    front: () => {
      sheet.clipped(faceOutline(head), () => {
        sheet.line(faceOutline({ ...head, width: w - 14, top: -176 }), skin.deep, 44, 0.28);
      });
      const wrap = d`M ${-w - 42} -40 C ${-w - 42} ${t + 20} ${-w * 0.6} ${t} 0 ${t} C ${w * 0.6} ${t} ${w + 42} ${t + 20} ${w + 42} -40 C ${w + 40} 190 ${w * 0.9} 330 ${w * 1.1} 420 Q ${w * 0.2} 520 ${-w * 0.7} 440 C ${-w * 1.06} 360 ${-w - 38} 190 ${-w - 42} -40 Z
        M ${-w + 16} -10 C ${-w + 16} 80 ${-head.jaw + 12} 160 ${-head.chin} 224 Q 0 262 ${head.chin} 224 C ${head.jaw - 12} 160 ${w - 16} 80 ${w - 16} -10 C ${w - 16} -120 ${w * 0.6} -178 0 -178 C ${-w * 0.6} -178 ${-w + 16} -120 ${-w + 16} -10 Z`;
      sheet.path(wrap, slant(lit, colour, dim));
      for (const [bend, end] of [
        [330, 250],
        [390, 300],
        [450, 350],
      ] as const) {
        sheet.line(
          d`M ${-w - 8} ${end - 130} Q ${-w * 0.3} ${bend + 30} ${w * 0.98} ${end - 30}`,
          mix(dim, colour, 0.3),
          7,
          0.5,
        );
      }
      sheet.line(d`M ${-w - 16} -120 C ${-w * 0.7} ${t + 34} ${w * 0.2} ${t + 10} ${w * 0.6} ${t + 58}`, lit, 14, 0.6);
    },
  };
}

/** A broad band in the hair. */
export function drawHairband(sheet: Sheet, { head }: Person, colour: string): void {
  sheet.clipped(capOutline(head, { volume: 60, sides: 0, line: 'round', wide: 60 }), () => {
    const w = head.width + 30;
    sheet.line(d`M ${-w} -128 C ${-w * 0.8} ${head.top + 20} ${w * 0.8} ${head.top + 20} ${w} -128`, colour, 40);
    sheet.line(
      d`M ${-w} -134 C ${-w * 0.8} ${head.top + 12} ${w * 0.8} ${head.top + 12} ${w} -134`,
      lighter(colour, 0.3),
      8,
      0.5,
    );
  });
}
