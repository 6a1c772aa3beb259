import { darker, mix } from '../drawing/colours.ts';
import { d } from '../drawing/outline.ts';
import type { Sheet } from '../drawing/sheet.ts';
import type { Person } from './person.ts';

const irises = ['#3a2620', '#4a2f22', '#6b4425', '#5d6b3a', '#4a6d86', '#5b6a70'];

/** Eyes, brows, nose and mouth, and what years and the sun leave on a face. */
export function drawFeatures(sheet: Sheet, person: Person): void {
  drawYears(sheet, person);
  drawNose(sheet, person);
  drawEyes(sheet, person);
}

function drawEyes(sheet: Sheet, { random, skin, hair, soft, head }: Person): void {
  const gap = head.width * (0.4 + random.next() * 0.03);
  const dark = mix(hair.deep, '#2a1715', 0.6);
  const brow = mix(mix(hair.base, skin.deep, 0.25), '#2a1715', 0.2);
  const kind = random.pick(['open', 'open', 'open', 'round', 'round', 'smiling'] as const);
  const iris = brightSkin(skin.base) ? random.pick(irises) : random.pick(irises.slice(0, 3));
  const browWidth = soft ? 9 + random.next() * 4 : 14 + random.next() * 6;
  const browLift = random.next() * 12;
  const arch = soft ? 24 : 12 + random.next() * 8;
  for (const side of [-1, 1]) {
    sheet.placed({ x: side * gap, mirror: side < 0 }, () => {
      const y = -58 - browLift;
      sheet.path(
        d`M -42 ${y + 4} C -18 ${y - arch} 26 ${y - arch} 48 ${y + 16} C 22 ${y - arch + browWidth * 1.5} -14 ${y - arch + browWidth * 1.5} -40 ${y + 4 + browWidth} Q -48 ${y + 8} -42 ${y + 4} Z`,
        brow,
      );
      if (kind === 'smiling') drawSmilingEye(sheet, dark, soft);
      else drawOpenEye(sheet, kind, { dark, iris, soft, crease: skin.deep });
    });
  }
}

const brightSkin = (skin: string) => Number.parseInt(skin.slice(1, 3), 16) > 200;

function drawSmilingEye(sheet: Sheet, dark: string, soft: boolean): void {
  sheet.line(d`M -32 6 Q 0 -26 32 6`, dark, 9);
  if (soft) sheet.line(d`M 32 6 L 44 0`, dark, 6);
}

interface EyeColours {
  dark: string;
  iris: string;
  soft: boolean;
  crease: string;
}

function drawOpenEye(sheet: Sheet, kind: 'open' | 'round', { dark, iris, soft, crease }: EyeColours): void {
  const x = -2;
  if (kind === 'open') {
    sheet.path(d`M -35 5 C -24 -20 18 -26 36 1 C 22 19 -20 20 -35 5 Z`, '#fdf5ea');
    sheet.oval(x, -1, 17.5, 18, iris);
    sheet.oval(x, -1, 9, 9.5, darker(iris, 0.75));
    sheet.line(d`M -20 -31 Q 6 -42 32 -20`, crease, 5, 0.35);
  } else {
    sheet.oval(x, -1, 16, 20, dark);
  }
  sheet.oval(x + 6, -8, 5.2, 5.2, '#fffaf2');
  sheet.oval(x - 5, 6, 2.6, 2.6, '#fffaf2', 0.6);
  if (kind === 'round' && !soft) return;
  sheet.line(d`M -36 4 C -24 -22 18 -28 37 0`, dark, kind === 'open' ? 8 : 6);
  if (soft) sheet.line(d`M 32 -6 Q 42 -10 48 -18 M 24 -14 Q 32 -20 36 -28`, dark, 5);
}

function drawNose(sheet: Sheet, { random, skin }: Person): void {
  const size = 0.85 + random.next() * 0.35;
  const kind = random.below(3);
  sheet.placed({ y: 92, scale: size }, () => {
    if (kind === 0) sheet.line(d`M 6 -68 C 10 -40 26 -18 22 -4 C 18 8 2 10 -8 6`, skin.deep, 7.5, 0.55);
    if (kind === 1) sheet.line(d`M -22 -4 Q 0 18 22 -4`, skin.deep, 8, 0.55);
    if (kind === 2) {
      sheet.path(
        d`M 0 -80 C 8 -40 30 -16 26 0 C 20 14 -20 14 -26 0 C -24 -8 -12 -8 0 -4 C 4 -24 0 -50 0 -80 Z`,
        skin.deep,
        0.3,
      );
      sheet.line(d`M -20 2 Q 0 14 20 2`, skin.deep, 6, 0.45);
    }
    sheet.oval(-7, -13, 9, 6, skin.light, 0.6);
  });
}

function drawYears(sheet: Sheet, { random, age, skin, head }: Person): void {
  const fold = (data: string, opacity: number) => sheet.line(data, skin.deep, 5, opacity);
  if (age >= 42) fold(d`M -54 88 Q -76 112 -74 142 M 54 88 Q 76 112 74 142`, age > 55 ? 0.38 : 0.24);
  if (age >= 48) fold(d`M -104 26 Q -76 42 -52 32 M 104 26 Q 76 42 52 32`, 0.28);
  if (age >= 52)
    fold(
      d`M ${-head.width * 0.72} -4 L ${-head.width * 0.86} -14 M ${head.width * 0.72} -4 L ${head.width * 0.86} -14`,
      0.3,
    );
  if (age >= 58) fold(d`M -74 -126 Q 0 -142 74 -126 M -58 -104 Q 0 -116 58 -104`, 0.2);
  if (age < 45 && random.chance(0.16)) {
    for (let i = 0; i < 14; i++) {
      const side = i % 2 ? 1 : -1;
      sheet.oval(side * (34 + random.next() * 84), 52 + random.next() * 44, 3.4, 3.4, skin.deep, 0.45);
    }
  }
}
