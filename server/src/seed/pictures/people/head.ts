import { mix } from '../drawing/colours.ts';
import { d } from '../drawing/outline.ts';
import { across, down, glow } from '../drawing/paint.ts';
import type { Sheet } from '../drawing/sheet.ts';
import type { Head, Person } from './person.ts';

/** The outline of a face from the crown to the chin. */
export function faceOutline({ width: w, jaw, chin, top }: Head): string {
  const low = chin - (jaw - chin) * 0.5;
  return d`M ${-w} -10 C ${-w} -170 ${-0.72 * w} ${top} 0 ${top} C ${0.72 * w} ${top} ${w} -170 ${w} -10
    C ${w} 78 ${jaw} 150 ${chin} 212 C ${low} 246 ${-low} 246 ${-chin} 212 C ${-jaw} 150 ${-w} 78 ${-w} -10 Z`;
}

/** Neck, shoulders and upper arms, down to below the edge of the picture. */
export function bodyOutline({ neck: n, shoulders: s }: Head): string {
  return d`M ${-n} 90 L ${-n} 300 C ${-n} 372 ${-n - 34} 392 ${-n - 96} 412 C ${-s + 50} 448 ${-s} 500 ${-s - 14} 620
    C ${-s - 30} 800 ${-s - 40} 960 ${-s - 40} 1200 L ${s + 40} 1200 C ${s + 40} 960 ${s + 30} 800 ${s + 14} 620
    C ${s} 500 ${s - 50} 448 ${n + 96} 412 C ${n + 34} 392 ${n} 372 ${n} 300 L ${n} 90 Z`;
}

/** The point of the shoulder line `share` (0…1) of the way from the side of the neck to the slope. */
export function shoulderPoint({ neck: n }: Head, share: number): [x: number, y: number] {
  const [s, t] = [1 - share, share];
  const x = s ** 3 * n + 3 * s * s * t * n + 3 * s * t * t * (n + 34) + t ** 3 * (n + 96);
  return [x, s ** 3 * 300 + 3 * s * s * t * 372 + 3 * s * t * t * 392 + t ** 3 * 412];
}

/** Neck and shoulders without clothes, in the shadow of the chin. */
export function drawBody(sheet: Sheet, { head, skin }: Person): void {
  const outline = bodyOutline(head);
  sheet.path(outline, across(skin.light, skin.base, skin.base, skin.shade));
  sheet.clipped(outline, () => {
    sheet.placed({ x: 16, y: 104 }, () => sheet.path(faceOutline(head), skin.deep, 0.42));
    const [x, y] = [head.neck * 0.5, 402];
    sheet.line(d`M ${-x - 60} ${y + 28} Q ${-x} ${y + 18} ${-x + 26} ${y + 44}`, skin.deep, 7, 0.28);
    sheet.line(d`M ${x + 60} ${y + 28} Q ${x} ${y + 18} ${x - 26} ${y + 44}`, skin.deep, 7, 0.28);
  });
}

/** The ears and the face, lit from the left, without its features. */
export function drawFaceShape(sheet: Sheet, { head, skin }: Person): void {
  const w = head.width;
  for (const side of [-1, 1]) {
    sheet.oval(side * (w + 6), 22, 31, 50, side < 0 ? skin.base : skin.shade);
    sheet.line(
      d`M ${side * (w + 18)} -2 C ${side * (w + 30)} 14 ${side * (w + 20)} 34 ${side * (w + 6)} 46`,
      skin.deep,
      6,
      0.4,
    );
  }
  const outline = faceOutline(head);
  sheet.path(outline, across(skin.light, skin.base, skin.base, skin.shade));
  sheet.clipped(outline, () => {
    sheet.path(d`M -300 150 Q 0 330 300 120 L 300 400 L -300 400 Z`, down(`${skin.shade}00`, `${skin.shade}`), 0.5);
    sheet.oval(-w * 0.34, -120, w * 0.72, 120, glow(`${skin.light}ff`, `${skin.light}00`), 0.7);
  });
}

/** Red cheeks. */
export function drawCheeks(sheet: Sheet, { head, skin, soft }: Person): void {
  const red = mix(skin.base, '#e0503f', 0.62);
  for (const side of [-1, 1]) {
    sheet.oval(side * head.width * 0.58, 84, 62, 46, glow(`${red}aa`, `${red}66`, `${red}00`), soft ? 0.7 : 0.5);
  }
  sheet.line(d`M ${-head.chin * 0.3} 206 Q 0 198 ${head.chin * 0.3} 206`, skin.deep, 6, 0.22);
}
