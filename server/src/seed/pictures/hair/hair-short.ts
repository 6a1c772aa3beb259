import { mix } from '../drawing/colours.ts';
import { d } from '../drawing/outline.ts';
import { down, glow } from '../drawing/paint.ts';
import { capOutline, drawHair, strandsFrom, type HairStyle, type Hairline } from './hair-shapes.ts';

/** A short cut that lies on the skull. */
const cut =
  (line: Hairline, volume: number, sides: number): HairStyle =>
  (sheet, person) => {
    const { head, random } = person;
    const outline = capOutline(head, { volume: volume + random.next() * 10, sides: sides + random.next() * 16, line });
    const part = { side: -0.4, middle: 0, swept: -0.5 }[line as string];
    const strands = part === undefined ? [] : strandsFrom(head, part * head.width, head.top + 40);
    return { front: () => drawHair(sheet, person, outline, strands) };
  };

export const sideParting = cut('side', 34, 8);
export const neatCut = cut('square', 22, 0);
export const curtains = cut('middle', 40, 20);
export const receding = cut('high', 14, 4);
export const pixie = cut('swept', 34, 46);
export const roundCut = cut('fringe', 36, 30);

/** Shorn: more of a shade than hair. */
export const buzzed: HairStyle = (sheet, { head, hair, skin }) => ({
  front: () => {
    const shade = mix(hair.base, skin.base, 0.32);
    const outline = capOutline(head, { volume: 4, sides: 6, line: 'square', over: 12, wide: 2 });
    sheet.path(outline, down(mix(shade, '#fff0d8', 0.1), shade, shade));
  },
});

/** Nothing on top; with the years a wreath at the sides. */
export const bald: HairStyle = (sheet, person) => ({
  front: () => {
    const { head, hair, skin, age } = person;
    sheet.oval(-head.width * 0.3, head.top + 74, 66, 36, glow(`${skin.light}ff`, `${skin.light}00`), 0.9);
    if (age < 44) return;
    for (const side of [-1, 1]) {
      sheet.placed({ mirror: side < 0 }, () => {
        const w = head.width;
        sheet.path(
          d`M ${w - 14} 12 C ${w - 6} -40 ${w - 10} -90 ${w - 22} -128 C ${w + 14} -120 ${w + 30} -70 ${w + 22} -16 Q ${w + 10} -6 ${w + 4} 12 Z`,
          down(hair.light, hair.base),
        );
      });
    }
    sheet.line(d`M -80 -196 Q 0 -212 80 -196`, skin.deep, 5, 0.14);
  },
});

/** Brushed up from the forehead. */
export const quiff: HairStyle = (sheet, person) => {
  const { head, random } = person;
  const { width: w, top: t } = head;
  const h = 74 + random.next() * 30;
  const x = w - 15;
  const outline = d`M ${-w - 4} 4 C ${-w - 16} -70 ${-w - 18} -170 ${-w * 0.86} ${t + 50} C ${-w * 0.8} ${t - h * 0.7} ${-w * 0.1} ${t - h * 1.1} ${w * 0.5} ${t - h * 0.82}
    C ${w * 0.86} ${t - h * 0.6} ${w * 0.98} ${t + 10} ${w + 2} -180 C ${w + 18} -150 ${w + 14} -60 ${w + 4} 4 L ${x} 4
    C ${x} -70 ${x * 0.98} -120 ${x * 0.84} -164 C ${x * 0.4} -196 ${-x * 0.3} -180 ${-x * 0.7} -152 C ${-x * 0.96} -130 ${-x} -80 ${-x} 4 Z`;
  const strands = [0.3, 0.55, 0.8].map(
    (s) =>
      d`M ${-w * 0.8 + s * 170} -150 C ${-w * 0.8 + s * 160} ${t} ${-w * 0.2 + s * 110} ${t - h * s} ${w * 0.3 + s * 70} ${t - h * 0.5}`,
  );
  return { front: () => drawHair(sheet, person, outline, strands) };
};

/** Short and tousled, with a jagged top. */
export const tousled: HairStyle = (sheet, person) => {
  const { head, random } = person;
  const { width: w, top: t } = head;
  const tips = [];
  for (let i = 0; i < 8; i++) {
    const angle = Math.PI * (1 - i / 8);
    const [x, y] = [Math.cos(angle) * (w + 4), -70 + Math.sin(angle) * (t + 44)];
    const reach = 1.12 + random.next() * 0.13;
    const [tipX, tipY] = [Math.cos(angle - 0.16) * (w + 6) * reach, -70 + Math.sin(angle - 0.16) * (t + 30) * reach];
    tips.push(d`L ${x} ${y} Q ${x * 1.12} ${y * 1.1 - 14} ${tipX} ${tipY}`);
  }
  const x = w - 15;
  const fringe = [0.72, 0.4, 0.1, -0.22, -0.55, -0.84].map(
    (s, i) =>
      d`Q ${x * (s + 0.1)} ${-116 - (i % 2) * 14} ${x * s} ${-100 - random.next() * 26} L ${x * (s - 0.05)} -150`,
  );
  const outline = d`M ${-w - 4} 0 ${tips.join(' ')} L ${w + 8} -84 Q ${w + 12} -40 ${w + 4} 0 L ${x} 0 Q ${x} -70 ${x * 0.94} -130 ${fringe.join(' ')}
    Q ${-x * 0.98} -120 ${-x} 0 Z`;
  const strands = [-0.5, 0, 0.5].map((s) => d`M ${s * w} ${t + 10} Q ${s * w + 30} ${t + 60} ${s * w * 0.9 + 10} -130`);
  return { front: () => drawHair(sheet, person, outline, strands) };
};
