import type { Random } from '../random.ts';
import { bodyOutline, type Head, type Person } from './person.ts';
import { across, brightness, d, darker, distance, down, lighter, palette, slant, type Sheet } from './sheet.ts';

interface Neckline {
  /** The position on the shoulder line where the neckline starts, 0 (neck) … 1. */
  at: number;
  /** How far down the front the neckline reaches. */
  depth: number;
  isPointed: boolean;
}

/** The edge of a garment around the neck, from the left shoulder to the right, and its right end. */
function necklinePath({ neck: n }: Head, { at, depth, isPointed }: Neckline) {
  const s = 1 - at;
  const x = s ** 3 * n + 3 * s * s * at * n + 3 * s * at * at * (n + 34) + at ** 3 * (n + 96);
  const y = s ** 3 * 300 + 3 * s * s * at * 372 + 3 * s * at * at * 392 + at ** 3 * 412;
  const middle = (y + depth) / 2 + 6;
  const edge = isPointed
    ? d`Q ${-x * 0.5} ${middle} 0 ${depth} Q ${x * 0.5} ${middle} ${x} ${y}`
    : d`C ${-x * 0.86} ${depth - 4} ${-x * 0.5} ${depth} 0 ${depth} C ${x * 0.5} ${depth} ${x * 0.86} ${depth - 4} ${x} ${y}`;
  return { x, y, edge };
}

/** Draws cloth over shoulders and arms, a little wider than they are, with `pattern` on it. */
function drawGarment(
  sheet: Sheet,
  head: Head,
  neckline: Neckline,
  { colour, pattern }: { colour: string; pattern?: (() => void) | undefined },
): void {
  const { x, y, edge } = necklinePath(head, neckline);
  const s = head.shoulders;
  sheet.clipped(d`M -900 100 L ${-x} 100 L ${-x} ${y} ${edge} L ${x} 100 L 900 100 L 900 1300 L -900 1300 Z`, () => {
    const outline = bodyOutline({ ...head, shoulders: s + 12 });
    sheet.path(outline, across(lighter(colour, 0.14), colour, colour, darker(colour, 0.26)));
    sheet.clipped(outline, () => {
      pattern?.();
      const dim = darker(colour, 0.5);
      const fold = d`M ${s * 0.74} 640 C ${s * 0.7} 760 ${s * 0.76} 900 ${s * 0.78} 1200 M ${s * 0.73} 650 Q ${s * 0.6} 690 ${s * 0.5} 690`;
      sheet.bothSides(() => sheet.line(fold, dim, 9, 0.28));
      sheet.box([-900, 760], [1800, 540], down(`${dim}00`, dim), { opacity: 0.3 });
    });
  });
  if (neckline.at === blazerCut.at) return;
  sheet.line(d`M ${-x} ${y} ${edge}`, darker(colour, 0.22), 17);
  sheet.line(d`M ${-x} ${y} ${edge}`, lighter(colour, 0.12), 6, 0.5);
}

function drawPattern(sheet: Sheet, random: Random, other: string): void {
  const kind = random.below(3);
  if (kind === 0) {
    const gap = 54 + random.below(40);
    for (let y = 380; y < 1200; y += gap)
      sheet.line(d`M -700 ${y - 40} Q 0 ${y + 70} 700 ${y - 40}`, other, gap * 0.38, 0.85);
  } else if (kind === 1) {
    for (let i = 0; i < 130; i++)
      sheet.oval(
        [-480 + (i % 13) * 80 + (Math.floor(i / 13) % 2) * 40, 400 + Math.floor(i / 13) * 72],
        [11, 11],
        other,
        0.85,
      );
  } else {
    for (let x = -540; x <= 540; x += 108) sheet.line(d`M ${x} 300 L ${x} 1200`, other, 30, 0.3);
    for (let y = 400; y < 1200; y += 108) sheet.line(d`M -700 ${y} L 700 ${y}`, other, 30, 0.3);
  }
}

const tee: Neckline = { at: 0.62, depth: 462, isPointed: false };
const blazerCut: Neckline = { at: 0.86, depth: 800, isPointed: true };
const necklines: readonly Neckline[] = [
  tee,
  { at: 0.92, depth: 540, isPointed: false },
  { at: 0.66, depth: 560, isPointed: true },
];
const cloths = Object.values(palette);

/** Draws a top, a shirt, a jumper or a jacket that contrasts with the `background`, and returns its colour. */
export function drawClothes(sheet: Sheet, person: Person, background: string): string {
  const { random, head, skin } = person;
  const n = head.neck;
  const apartFrom = (...others: string[]) =>
    random.pick(cloths.filter((cloth) => others.every((other) => distance(cloth, other) > 100)));
  const main = apartFrom(background, skin.base);
  const second = apartFrom(main, skin.base);
  const other = brightness(main) > 150 ? darker(second, 0.1) : lighter(second, 0.3);
  const pattern = random.chance(0.4) ? () => drawPattern(sheet, random, other) : undefined;
  switch (random.pick(['top', 'top', 'shirt', 'jumper', 'blazer'] as const)) {
    case 'top':
      drawGarment(sheet, head, random.pick(person.style === 'man' ? [tee] : necklines), { colour: main, pattern });
      break;
    case 'shirt':
      drawGarment(sheet, head, { at: 0.5, depth: 470, isPointed: true }, { colour: main, pattern });
      drawCollar(sheet, n, main);
      break;
    case 'jumper':
      drawGarment(sheet, head, { at: 0.72, depth: 430, isPointed: false }, { colour: main, pattern });
      sheet.path(
        d`M ${-n - 12} 286 Q 0 318 ${n + 12} 286 C ${n + 14} 350 ${n + 30} 384 ${n + 74} 412 Q 0 476 ${-n - 74} 412 C ${-n - 30} 384 ${-n - 14} 350 ${-n - 12} 286 Z`,
        across(lighter(main, 0.16), main, darker(main, 0.26)),
      );
      break;
    case 'blazer':
      drawGarment(sheet, head, { at: 0.5, depth: 480, isPointed: true }, { colour: second });
      if (random.chance(0.5)) drawCollar(sheet, n, second);
      drawGarment(sheet, head, blazerCut, { colour: main });
      sheet.bothSides(() => {
        const lapel = d`M ${n + 52} 386 C ${n + 66} 470 ${n + 10} 640 0 806 C ${n * 0.5 + 60} 740 ${n + 100} 660 ${n + 136} 590 L ${n + 88} 570 L ${n + 142} 520 C ${n + 126} 470 ${n + 100} 410 ${n + 78} 398 Z`;
        sheet.path(lapel, slant(lighter(main, 0.18), main));
        sheet.line(lapel, darker(main, 0.5), 5, 0.3);
      });
      sheet.oval([12, 872], [15, 15], darker(main, 0.4));
      break;
  }
  return main;
}

/** Draws the collar of a shirt, its button band and buttons. */
function drawCollar(sheet: Sheet, n: number, colour: string): void {
  sheet.line(d`M 0 480 L 0 1200`, darker(colour, 0.4), 5, 0.4);
  for (let y = 560; y < 1000; y += 110) sheet.oval([0, y], [10, 10], lighter(colour, 0.5));
  sheet.bothSides((side) => {
    const flap = d`M ${n - 6} 318 C ${n + 8} 356 ${n + 20} 376 ${n + 50} 392 L ${n + 34} 494 L 0 476 C ${n * 0.5} 440 ${n * 0.86} 390 ${n - 6} 318 Z`;
    sheet.path(flap, lighter(colour, side < 0 ? 0.24 : 0.1));
    sheet.line(d`M ${n + 50} 392 L ${n + 34} 494 L 0 476`, darker(colour, 0.4), 5, 0.35);
  });
}
