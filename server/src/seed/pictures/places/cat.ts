import { darker, lighter, palette } from '../drawing/colours.ts';
import { d } from '../drawing/outline.ts';
import { across, down, slant } from '../drawing/paint.ts';
import { pickMood } from '../scenery/moods.ts';
import { drawFlowerpot, drawWindow } from '../scenery/things.ts';
import { warmWalls, type Scene } from './scene.ts';

/** A cat on the sill of a window. */
export const cat: Scene = (sheet, random) => {
  const wall = random.pick(warmWalls);
  const mood = pickMood(random, ['morning', 'day', 'golden', 'rosy', 'dusk', 'night']);
  sheet.box(0, 0, 1200, 1500, slant(lighter(wall, 0.2), wall));
  drawWindow(sheet, random, mood, [170, 110, 860, 1080]);
  sheet.box(60, 1216, 1080, 60, down(palette.white, '#d9c8ac'), 8);
  sheet.box(120, 1276, 960, 234, darker(wall, 0.12));
  const x = 520 + random.next() * 160;
  const fur = random.pick(['#3a3230', '#c9803f', '#8f8780', '#efe4d2', '#6b4a35']);
  const [lit, dim] = [lighter(fur, 0.2), darker(fur, 0.25)];
  drawFlowerpot(sheet, random, random.chance(0.5) ? 220 : 980, 1216, 1.2);
  sheet.placed({ x, y: 1224, scale: 1.15 }, () => {
    sheet.line(d`M 120 -40 C 260 -30 300 30 250 110 C 236 140 210 150 196 130`, fur, 42);
    sheet.path(d`M -150 0 C -190 -220 -90 -380 0 -390 C 90 -380 190 -220 150 0 Z`, across(lit, fur, dim));
    for (const side of [-1, 1]) {
      sheet.oval(side * 52, -14, 50, 28, lit);
      sheet.placed({ mirror: side < 0 }, () => {
        sheet.path(d`M 40 -540 L 126 -630 L 142 -480 Z`, fur);
        sheet.path(d`M 66 -540 L 116 -596 L 124 -506 Z`, '#d99a8c');
      });
    }
    sheet.path(
      d`M -150 -460 C -150 -590 150 -590 150 -460 C 150 -360 70 -326 0 -326 C -70 -326 -150 -360 -150 -460 Z`,
      across(lit, fur, fur),
    );
    for (const s of [-40, 0, 40]) sheet.line(d`M ${s} -552 L ${s * 0.9} -510`, dim, 12, 0.6);
    for (const side of [-1, 1]) {
      sheet.path(
        d`M ${side * 30} -446 Q ${side * 62} -492 ${side * 96} -452 Q ${side * 62} -424 ${side * 30} -446 Z`,
        '#dfc26a',
      );
      sheet.oval(side * 62, -456, 9, 21, '#231a18');
      sheet.line(
        d`M ${side * 60} -386 L ${side * 176} -400 M ${side * 60} -372 L ${side * 172} -360`,
        lighter(fur, 0.7),
        4,
        0.8,
      );
    }
    sheet.path(d`M -17 -410 L 17 -410 L 0 -392 Z`, '#d8837c');
    sheet.line(d`M 0 -392 L 0 -378 M -30 -374 Q -14 -358 0 -378 Q 14 -358 30 -374`, dim, 6);
  });
};
