import type { Random } from '../../random.ts';
import { darker, lighter, mix, palette } from '../drawing/colours.ts';
import { d } from '../drawing/outline.ts';
import { across } from '../drawing/paint.ts';
import type { Sheet } from '../drawing/sheet.ts';
import { drawHills, drawTree } from '../scenery/land.ts';
import { pickMood } from '../scenery/moods.ts';
import { drawCloud, drawSky, drawSun } from '../scenery/sky.ts';
import type { Scene } from './scene.ts';

/** A dog that sits in a meadow. */
export const dog: Scene = (sheet, random) => {
  const mood = pickMood(random, ['morning', 'day', 'golden', 'rosy']);
  drawSky(sheet, mood);
  drawSun(sheet, mood, 200 + random.next() * 800, 260, 90);
  for (let i = 0; i < 3; i++) drawCloud(sheet, random, mood, random.next() * 1200, 150 + random.next() * 300, 320);
  drawHills(sheet, random, 880, 240, mood.far);
  for (const x of [90, 1090])
    drawTree(sheet, x + random.next() * 60, 1010, 420 + random.next() * 120, mix(mood.near, palette.moss, 0.5));
  drawHills(sheet, random, 1020, 160, mood.middle);
  drawHills(sheet, random, 1260, 110, mix(mood.near, palette.moss, 0.5), 2);
  sheet.oval(610, 1406, 340, 40, '#2b1519', 0.25);
  sheet.placed({ x: 600, y: 1400, scale: 1.12 }, () => drawDog(sheet, random));
  for (let i = 0; i < 50; i++) {
    const [x, y] = [random.next() * 1200, 1330 + random.next() * 170];
    sheet.line(d`M ${x} ${y} Q ${x + 4} ${y - 30} ${x + 14} ${y - 48}`, mix(mood.near, palette.moss, 0.7), 6, 0.8);
  }
};

function drawDog(sheet: Sheet, random: Random): void {
  const fur = random.pick(['#c98d52', '#8a5a3a', '#3f3430', '#e3c79a', '#a9a099', '#b3653a']);
  const [lit, dim] = [lighter(fur, 0.2), darker(fur, 0.28)];
  const muzzle = random.chance(0.6) ? lighter(fur, 0.62) : lit;
  sheet.path(d`M 190 -60 C 300 -80 340 -180 310 -240 C 290 -200 260 -150 170 -140 Z`, dim);
  sheet.path(d`M -170 0 C -230 -190 -150 -470 0 -480 C 150 -470 230 -190 170 0 Z`, across(lit, fur, dim));
  sheet.oval(0, -250, 96, 170, muzzle, 0.75);
  for (const side of [-1, 1]) {
    sheet.oval(side * 160, -60, 96, 100, side < 0 ? fur : dim);
    sheet.path(
      d`M ${side * 30} -300 L ${side * 96} -300 L ${side * 92} -20 Q ${side * 60} 14 ${side * 26} -16 Z`,
      across(lit, fur),
    );
    sheet.oval(side * 62, -12, 52, 30, muzzle);
    sheet.line(d`M ${side * 50} -16 L ${side * 50} 6 M ${side * 74} -16 L ${side * 74} 6`, dim, 5, 0.6);
  }
  sheet.path(
    d`M -120 -440 Q 0 -380 120 -440 L 110 -396 Q 0 -336 -110 -396 Z`,
    random.pick([palette.red, palette.dusk, palette.honey]),
  );
  sheet.oval(0, -356, 24, 24, palette.honey);
  sheet.placed({ turn: (random.next() - 0.5) * 16, about: [0, -460] }, () => {
    sheet.path(
      d`M -150 -590 C -160 -760 160 -760 150 -590 C 150 -470 90 -410 0 -410 C -90 -410 -150 -470 -150 -590 Z`,
      across(lit, fur, fur),
    );
    if (muzzle !== lit)
      sheet.path(d`M -26 -712 Q 0 -720 26 -712 Q 20 -600 46 -560 L -46 -560 Q -20 -600 -26 -712 Z`, muzzle);
    sheet.path(d`M -88 -500 C -96 -580 96 -580 88 -500 C 84 -420 -84 -420 -88 -500 Z`, muzzle);
    const floppy = random.chance(0.65);
    for (const side of [-1, 1]) {
      sheet.placed({ mirror: side < 0 }, () => {
        if (floppy)
          sheet.path(
            d`M 90 -700 C 190 -740 232 -620 206 -520 C 190 -470 150 -480 140 -540 C 134 -600 120 -640 90 -700 Z`,
            dim,
          );
        else sheet.path(d`M 60 -704 C 80 -800 130 -850 160 -840 C 184 -760 170 -680 142 -630 Z`, dim);
        sheet.oval(62, -598, 19, 22, '#2a1b18');
        sheet.oval(68, -606, 6, 6, '#fffaf2');
        sheet.path(d`M 34 -640 Q 62 -662 92 -640 Q 62 -650 34 -640 Z`, dim);
      });
    }
    sheet.path(d`M -36 -546 Q 0 -566 36 -546 Q 30 -508 0 -506 Q -30 -508 -36 -546 Z`, '#2a1b18');
    sheet.oval(-10, -544, 9, 5, '#fffaf2', 0.5);
    sheet.line(d`M 0 -506 L 0 -480 M -52 -484 Q -26 -456 0 -480 Q 26 -456 52 -484`, '#2a1b18', 7);
    sheet.path(d`M -22 -464 Q 0 -476 22 -464 Q 26 -412 0 -408 Q -26 -412 -22 -464 Z`, '#d8736d');
  });
}
