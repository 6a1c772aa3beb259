import { darker, lighter, palette } from '../drawing/colours.ts';
import { d } from '../drawing/outline.ts';
import { across, slant } from '../drawing/paint.ts';
import type { Sheet } from '../drawing/sheet.ts';
import type { Head, Person } from '../people/person.ts';
import { drawGarment } from './garment.ts';

/** The two points of a shirt's collar, its button band and buttons. */
export function drawShirtCollar(sheet: Sheet, { neck: n }: Head, colour: string): void {
  const [lit, dim] = [lighter(colour, 0.24), darker(colour, 0.4)];
  sheet.line(d`M 0 480 L 0 1200`, dim, 5, 0.4);
  for (let y = 560; y < 1000; y += 110) sheet.oval(0, y, 10, 10, lighter(colour, 0.5));
  for (const side of [-1, 1]) {
    sheet.placed({ mirror: side < 0 }, () => {
      sheet.path(
        d`M ${n - 6} 318 C ${n + 8} 356 ${n + 20} 376 ${n + 50} 392 L ${n + 34} 494 L 0 476 C ${n * 0.5} 440 ${n * 0.86} 390 ${n - 6} 318 Z`,
        side < 0 ? lit : lighter(colour, 0.1),
      );
      sheet.line(d`M ${n + 50} 392 L ${n + 34} 494 L 0 476`, dim, 5, 0.35);
    });
  }
}

/** A jacket with lapels over a shirt. */
export function drawBlazer(sheet: Sheet, { head, random }: Person, colour: string, shirt: string): void {
  const { neck: n } = head;
  drawGarment(sheet, head, { at: 0.5, depth: 480, shape: random.chance(0.5) ? 'v' : 'round' }, shirt);
  if (random.chance(0.5)) drawShirtCollar(sheet, head, shirt);
  drawGarment(sheet, head, { at: 0.86, depth: 800, shape: 'v' }, colour);
  for (const side of [-1, 1]) {
    sheet.placed({ mirror: side < 0 }, () => {
      const fill = slant(lighter(colour, 0.18), colour);
      sheet.path(
        d`M ${n + 52} 386 C ${n + 66} 470 ${n + 10} 640 0 806 C ${n * 0.5 + 60} 740 ${n + 100} 660 ${n + 136} 590 L ${n + 88} 570 L ${n + 142} 520 C ${n + 126} 470 ${n + 100} 410 ${n + 78} 398 Z`,
        fill,
      );
      sheet.line(
        d`M ${n + 142} 520 L ${n + 88} 570 L ${n + 136} 590 C ${n + 100} 660 ${n * 0.5 + 60} 740 0 806`,
        darker(colour, 0.5),
        5,
        0.4,
      );
    });
  }
  sheet.oval(12, 872, 15, 15, darker(colour, 0.4));
}

/** A cardigan or an open jacket over a tee. */
export function drawOpenJacket(sheet: Sheet, { head, random }: Person, colour: string, tee: () => void): void {
  tee();
  const [n, s] = [head.neck, head.shoulders + 12];
  const gap = 70 + random.next() * 60;
  for (const side of [-1, 1]) {
    sheet.placed({ mirror: side < 0 }, () => {
      const outline = d`M ${n + 50} 384 Q ${n + 74} 404 ${n + 96} 408 C ${s - 50} 440 ${s + 4} 500 ${s + 18} 620 C ${s + 34} 800 ${s + 44} 960 ${s + 44} 1200 L ${gap} 1200 C ${gap - 6} 900 ${gap + 10} 640 ${n + 50} 384 Z`;
      sheet.path(outline, side < 0 ? across(colour, lighter(colour, 0.14)) : across(colour, darker(colour, 0.26)));
      sheet.line(d`M ${n + 52} 392 C ${gap + 16} 640 ${gap} 900 ${gap + 6} 1200`, darker(colour, 0.3), 20, 0.6);
      sheet.line(d`M ${s * 0.76} 650 Q ${s * 0.72} 860 ${s * 0.78} 1200`, darker(colour, 0.5), 9, 0.35);
    });
  }
}

/** A hood that lies behind the neck, and its cords. */
export function drawHood(sheet: Sheet, { neck: n }: Head, colour: string, behind: boolean): void {
  if (behind) {
    sheet.path(
      d`M ${-n - 150} 440 C ${-n - 170} 260 ${-n - 70} 180 0 180 C ${n + 70} 180 ${n + 170} 260 ${n + 150} 440 Z`,
      slant(darker(colour, 0.1), darker(colour, 0.35)),
    );
    return;
  }
  for (const side of [-1, 1]) {
    sheet.placed({ mirror: side < 0 }, () => {
      sheet.path(
        d`M ${n - 2} 316 C ${n + 40} 300 ${n + 130} 350 ${n + 150} 440 C ${n + 90} 500 ${n * 0.6} 540 0 540 C ${n * 0.5} 480 ${n + 10} 420 ${n - 2} 316 Z`,
        slant(lighter(colour, 0.12), darker(colour, 0.12)),
      );
      sheet.line(d`M ${n * 0.5} 520 Q ${n * 0.56} 620 ${n * 0.46} 690`, palette.cream, 10);
      sheet.line(d`M ${n * 0.46} 690 L ${n * 0.45} 712`, palette.charcoal, 13);
    });
  }
}

/** A thick scarf around the neck with one end hanging down. */
export function drawScarf(sheet: Sheet, { head: { neck: n }, random }: Person, colour: string): void {
  const dim = darker(colour, 0.3);
  const end = d`M ${n * 0.1} 440 L ${n + 66} 440 L ${n + 90} 800 L ${n * 0.3} 810 Z`;
  sheet.path(end, across(colour, dim));
  if (random.chance(0.5)) {
    sheet.clipped(end, () => {
      for (let y = 520; y < 800; y += 70) sheet.line(d`M -100 ${y} L 400 ${y - 8}`, palette.cream, 22, 0.8);
    });
  }
  sheet.path(
    d`M ${-n - 16} 292 C ${-n * 0.4} 340 ${n * 0.4} 340 ${n + 16} 292 C ${n + 90} 320 ${n + 120} 420 ${n + 70} 452 C ${n * 0.4} 520 ${-n * 0.6} 520 ${-n - 84} 446 C ${-n - 120} 400 ${-n - 80} 320 ${-n - 16} 292 Z`,
    slant(lighter(colour, 0.2), colour, dim),
  );
  sheet.line(d`M ${-n - 70} 390 Q 0 470 ${n + 84} 372 M ${-n - 50} 340 Q 0 410 ${n + 50} 336`, dim, 8, 0.5);
}
