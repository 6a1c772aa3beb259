import { darker, lighter, mix, palette } from '../drawing/colours.ts';
import { d } from '../drawing/outline.ts';
import { down, glow, slant } from '../drawing/paint.ts';
import { drawFir, drawMountains } from '../scenery/land.ts';
import { moods, pickMood } from '../scenery/moods.ts';
import { drawGlitter, drawSky, drawStars, drawSun } from '../scenery/sky.ts';
import { drawSkyline } from '../scenery/skyline.ts';
import type { Scene } from './scene.ts';

/** A tent with light in it, under the stars. */
export const camp: Scene = (sheet, random) => {
  const mood = random.chance(0.6) ? moods.night : moods.dusk;
  drawSky(sheet, mood);
  drawStars(sheet, random, 130, 900);
  drawSun(sheet, mood, 200 + random.next() * 800, 240 + random.next() * 140, 70);
  drawMountains(sheet, random, 1110, 560, mood.far, mix(mood.cloud, '#ffffff', 0.4));
  for (let i = 0; i < 13; i++)
    drawFir(sheet, i * 100 + random.next() * 50 - 20, 1130 + random.next() * 30, 220 + random.next() * 240, mood.near);
  const grass = mix(mood.near, '#3f4a36', 0.5);
  sheet.path(
    d`M -10 1110 Q 600 1050 1210 1110 L 1210 1510 L -10 1510 Z`,
    down(lighter(grass, 0.1), darker(grass, 0.3)),
  );
  const cloth = random.pick([palette.honey, palette.terracotta, palette.red, palette.sage]);
  const x = 460 + random.next() * 280;
  sheet.oval(x, 1230, 560, 250, glow(`${mood.lamp}99`, `${mood.lamp}00`));
  sheet.path(
    d`M ${x - 330} 1280 L ${x - 20} 860 L ${x + 330} 1280 Z`,
    slant(lighter(cloth, 0.5), cloth, darker(cloth, 0.3)),
  );
  sheet.path(d`M ${x - 20} 860 L ${x - 130} 1280 L ${x + 90} 1280 Z`, down('#fff0c0', mood.lamp));
  sheet.path(
    d`M ${x - 20} 860 L ${x - 130} 1280 L ${x - 60} 1280 Q ${x - 70} 1080 ${x - 20} 860 Z`,
    darker(cloth, 0.1),
  );
  sheet.line(d`M ${x - 330} 1280 L ${x - 400} 1306 M ${x + 330} 1280 L ${x + 400} 1306`, palette.cream, 5, 0.7);
  const fire = x > 600 ? 190 : 1010;
  sheet.oval(fire, 1330, 260, 170, glow('#ffb45aaa', '#ffb45a00'));
  sheet.line(d`M ${fire - 70} 1380 L ${fire + 60} 1350 M ${fire + 70} 1380 L ${fire - 60} 1350`, '#5b3d2c', 24);
  sheet.path(
    d`M ${fire - 50} 1360 C ${fire - 70} 1290 ${fire - 10} 1270 ${fire - 6} 1200 C ${fire + 50} 1260 ${fire + 70} 1310 ${fire + 46} 1360 Z`,
    '#f08a3c',
  );
  sheet.path(
    d`M ${fire - 24} 1362 C ${fire - 36} 1320 ${fire} 1306 ${fire + 2} 1270 C ${fire + 30} 1304 ${fire + 34} 1336 ${fire + 22} 1362 Z`,
    '#ffd98a',
  );
};

/** A city with lit windows over a river. */
export const nightCity: Scene = (sheet, random) => {
  const mood = pickMood(random, ['night', 'night', 'dusk', 'rosy']);
  drawSky(sheet, mood);
  if (mood.dark) drawStars(sheet, random, 80, 600);
  drawSun(sheet, mood, 220 + random.next() * 760, 240 + random.next() * 200, 96);
  drawSkyline(sheet, random, mood, { y: 900, height: 620, colour: mix(mood.far, mood.sky[1], 0.35), lit: 0.14 });
  drawSkyline(sheet, random, mood, { y: 980, height: 460, colour: mood.middle, lit: 0.5 });
  sheet.box(0, 1080, 1200, 430, down(mix(mood.water[0], mood.middle, 0.5), darker(mood.water[1], 0.2)));
  for (let i = 0; i < 12; i++)
    drawGlitter(sheet, random, mood.lamp, [random.next() * 1200, 1100, 1200 + random.next() * 260], 30);
  if (random.chance(0.6)) {
    const dark = darker(mood.near, 0.3);
    for (const x of [-300, 300, 900]) {
      sheet.path(
        d`M ${x - 60} 1240 L ${x + 660} 1240 L ${x + 660} 1130 L ${x - 60} 1130 Z M ${x + 40} 1242 C ${x + 120} 1150 ${x + 480} 1150 ${x + 560} 1242 Z`,
        dark,
      );
      sheet.box(x - 60, 1230, 100, 110, dark);
    }
    for (let x = 40; x < 1200; x += 190) {
      sheet.line(d`M ${x} 1130 L ${x} 1030`, dark, 9);
      sheet.oval(x, 1020, 70, 70, glow(`${mood.lamp}cc`, `${mood.lamp}00`));
      sheet.oval(x, 1020, 15, 15, '#fff4d2');
    }
  }
};
