import type { Random } from '../../random.ts';
import { darker, lighter } from '../drawing/colours.ts';
import { d } from '../drawing/outline.ts';
import { across, down } from '../drawing/paint.ts';
import type { Sheet } from '../drawing/sheet.ts';
import { bodyOutline, shoulderPoint } from '../people/head.ts';
import type { Head } from '../people/person.ts';

export interface Neckline {
  /** Where on the shoulder line it starts, 0 (neck) … 1. */
  at: number;
  /** How far down the front. */
  depth: number;
  shape: 'round' | 'v' | 'boat';
}

/** The edge of a garment around the neck, from the left shoulder to the right. */
export function necklinePath(head: Head, { at, depth, shape }: Neckline): string {
  const [x, y] = shoulderPoint(head, at);
  const from = d`M ${-x} ${y}`;
  if (shape === 'v')
    return d`${from} Q ${-x * 0.5} ${(y + depth) / 2 + 6} 0 ${depth} Q ${x * 0.5} ${(y + depth) / 2 + 6} ${x} ${y}`;
  if (shape === 'boat') return d`${from} Q 0 ${depth * 2 - y} ${x} ${y}`;
  return d`${from} C ${-x * 0.86} ${depth - 4} ${-x * 0.5} ${depth} 0 ${depth} C ${x * 0.5} ${depth} ${x * 0.86} ${depth - 4} ${x} ${y}`;
}

/** All of the picture below a neckline. */
function belowNeckline(head: Head, neckline: Neckline): string {
  const [x, y] = shoulderPoint(head, neckline.at);
  const edge = necklinePath(head, neckline).replace(d`M ${-x} ${y}`, '');
  return d`M -900 100 L ${-x} 100 L ${-x} ${y} ${edge} L ${x} 100 L 900 100 L 900 1300 L -900 1300 Z`;
}

/** Cloth over shoulders and arms, a little wider than these; `extra` is drawn on it. */
export function drawGarment(sheet: Sheet, head: Head, neckline: Neckline, colour: string, extra?: () => void): void {
  sheet.clipped(belowNeckline(head, neckline), () => {
    const outline = bodyOutline({ ...head, shoulders: head.shoulders + 12 });
    sheet.path(outline, across(lighter(colour, 0.14), colour, colour, darker(colour, 0.26)));
    sheet.clipped(outline, () => {
      extra?.();
      drawFolds(sheet, head, colour);
    });
  });
}

function drawFolds(sheet: Sheet, { shoulders: s }: Head, colour: string): void {
  const dim = darker(colour, 0.5);
  for (const side of [-1, 1]) {
    sheet.line(
      d`M ${side * s * 0.74} 640 C ${side * s * 0.7} 760 ${side * s * 0.76} 900 ${side * s * 0.78} 1200`,
      dim,
      9,
      0.32,
    );
    sheet.line(d`M ${side * s * 0.73} 650 Q ${side * s * 0.6} 690 ${side * s * 0.5} 690`, dim, 7, 0.2);
  }
  sheet.box(-900, 760, 1800, 540, down(`${dim}00`, dim), 0, 0.3);
}

const patterns = ['stripes', 'dots', 'check', 'knit', 'sprinkle'] as const;

/** A pattern all over the cloth. */
export function drawPattern(sheet: Sheet, random: Random, colour: string, other: string): void {
  switch (random.pick(patterns)) {
    case 'stripes': {
      const gap = 54 + random.below(40);
      for (let y = 380; y < 1200; y += gap)
        sheet.line(d`M -700 ${y - 40} Q 0 ${y + 70} 700 ${y - 40}`, other, gap * 0.38, 0.85);
      break;
    }
    case 'dots':
      for (let i = 0; i < 130; i++) {
        const row = Math.floor(i / 13);
        sheet.oval(-480 + (i % 13) * 80 + (row % 2) * 40, 400 + row * 72, 11, 11, other, 0.85);
      }
      break;
    case 'check':
      for (let x = -540; x <= 540; x += 108) sheet.line(d`M ${x} 300 L ${x} 1200`, other, 30, 0.3);
      for (let y = 400; y < 1200; y += 108) sheet.line(d`M -700 ${y} L 700 ${y}`, other, 30, 0.3);
      break;
    case 'knit':
      for (let x = -560; x <= 560; x += 46) sheet.line(d`M ${x} 300 L ${x} 1200`, darker(colour, 0.35), 7, 0.28);
      break;
    case 'sprinkle':
      for (let i = 0; i < 60; i++) {
        const [x, y] = [-520 + random.next() * 1040, 400 + random.next() * 720];
        sheet.placed({ turn: random.next() * 180, about: [x, y] }, () => {
          sheet.path(d`M ${x - 17} ${y} Q ${x} ${y - 15} ${x + 17} ${y} Q ${x} ${y + 15} ${x - 17} ${y} Z`, other, 0.8);
        });
      }
      break;
  }
}
