import { d } from '../drawing/outline.ts';
import { slant } from '../drawing/paint.ts';
import { capOutline, type HairStyle } from './hair-shapes.ts';

/** Thin twists of hair that hang to the shoulders. */
export const locs: HairStyle = (sheet, person) => {
  const { head, hair, random } = person;
  const { width: w, top: t } = head;
  const end = 250 + random.next() * 220;
  const hang = (xs: readonly number[], y: number) => {
    for (const s of xs) {
      const fall = d`M ${s * w * 0.5} ${t + 20} C ${s * w * 1.2} ${t + 30} ${s * w * 1.2} 0 ${s * w * 1.18} ${y - random.next() * 60}`;
      sheet.line(fall, hair.base, 36);
      sheet.line(fall, hair.light, 6, 0.35);
    }
  };
  return {
    behind: () => {
      const low = end - 120;
      sheet.path(d`M ${-w - 16} -60 L ${w + 16} -60 L ${w + 30} ${low} L ${-w - 30} ${low} Z`, hair.deep);
      hang([-1.16, -1, -0.84, -0.6, 0.6, 0.84, 1, 1.16], end);
    },
    front: () => {
      const cap = capOutline(head, { volume: 26, sides: 30, line: 'middle', wide: 16, over: 10 });
      sheet.path(cap, slant(hair.light, hair.base, hair.shade));
      sheet.clipped(cap, () => {
        for (const s of [-1, -0.75, -0.5, -0.25, 0.25, 0.5, 0.75, 1]) {
          sheet.line(
            d`M 0 ${t - 16} C ${s * w * 0.7} ${t} ${s * w * 1.02} -160 ${s * w * 1.06} 30`,
            hair.deep,
            6,
            0.45,
          );
        }
      });
      hang([-1, 1], end - 40);
    },
  };
};
