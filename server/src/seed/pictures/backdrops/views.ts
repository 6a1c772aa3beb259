import { mix, palette } from '../drawing/colours.ts';
import { d } from '../drawing/outline.ts';
import { down } from '../drawing/paint.ts';
import { drawFir, drawHills, drawMountains, drawTree } from '../scenery/land.ts';
import { moods, pickMood } from '../scenery/moods.ts';
import { drawCloud, drawGlitter, drawSky, drawStars, drawSun } from '../scenery/sky.ts';
import type { Backdrop } from './plain.ts';

/** A park with trees and a path. */
export const park: Backdrop = (sheet, random) => {
  const mood = pickMood(random, ['morning', 'day', 'golden']);
  drawSky(sheet, mood);
  drawSun(sheet, mood, 150 + random.next() * 900, 170 + random.next() * 160, 80);
  for (let i = 0; i < 3; i++)
    drawCloud(
      sheet,
      random,
      mood,
      120 + i * 450 + random.next() * 160,
      150 + random.next() * 260,
      240 + random.next() * 160,
    );
  drawHills(sheet, random, 900, 260, mood.far);
  drawHills(sheet, random, 1010, 200, mood.middle);
  const autumn = random.chance(0.3);
  for (const [from, to] of [
    [-20, 300],
    [900, 1230],
  ] as const) {
    for (let i = 0; i < 3; i++) {
      const leafy = autumn
        ? random.pick([palette.honey, palette.terracotta, palette.brick])
        : mix(mood.near, palette.moss, random.next() * 0.6);
      drawTree(sheet, from + ((to - from) * (i + random.next())) / 3, 1010 + i * 40, 420 + random.next() * 240, leafy);
    }
  }
  drawHills(sheet, random, 1180, 120, mood.near, 2);
  return mix(mood.sky[1], mood.middle, 0.5);
};

/** The sea with a low sun, and sometimes a sail. */
export const sea: Backdrop = (sheet, random) => {
  const mood = pickMood(random, ['morning', 'day', 'golden', 'rosy', 'dusk']);
  const horizon = 800 + random.next() * 120;
  const x = 180 + random.next() * 840;
  drawSky(sheet, mood, horizon);
  drawSun(sheet, mood, x, horizon - 60 - random.next() * 420, 90 + random.next() * 50);
  for (let i = 0; i < 3; i++)
    drawCloud(sheet, random, mood, random.next() * 1200, 120 + random.next() * 420, 260 + random.next() * 200);
  if (random.chance(0.4))
    sheet.path(
      d`M 700 ${horizon + 2} C 820 ${horizon - 110} 960 ${horizon - 150} 1210 ${horizon - 190} L 1210 ${horizon + 2} Z`,
      mood.far,
    );
  sheet.box(0, horizon, 1200, 1500 - horizon, down(...mood.water));
  drawGlitter(sheet, random, mood.sun, [x, horizon + 14, 1480], 420);
  if (random.chance(0.5)) {
    const at = random.chance(0.5) ? 190 : 1010;
    sheet.path(
      d`M ${at - 60} ${horizon + 30} L ${at + 70} ${horizon + 30} L ${at + 46} ${horizon + 60} L ${at - 40} ${horizon + 60} Z`,
      palette.red,
    );
    sheet.path(
      d`M ${at} ${horizon + 20} L ${at} ${horizon - 130} Q ${at + 70} ${horizon - 50} ${at + 66} ${horizon + 20} Z`,
      palette.white,
    );
    sheet.path(
      d`M ${at - 8} ${horizon + 20} L ${at - 8} ${horizon - 100} L ${at - 56} ${horizon + 20} Z`,
      palette.cream,
    );
  }
  return mix(mood.sky[1], mood.water[1], 0.4);
};

/** Mountains behind firs. */
export const mountains: Backdrop = (sheet, random) => {
  const mood = pickMood(random, ['morning', 'day', 'golden', 'rosy', 'dusk']);
  drawSky(sheet, mood);
  drawSun(sheet, mood, 200 + random.next() * 800, 200 + random.next() * 200, 80);
  drawMountains(sheet, random, 1000, 640, mix(mood.far, mood.sky[0], 0.3), palette.white);
  drawMountains(sheet, random, 1080, 420, mood.middle);
  for (let i = 0; i < 12; i++)
    drawFir(
      sheet,
      i * 105 + random.next() * 50,
      1140 + random.next() * 40,
      240 + random.next() * 190,
      mix(mood.near, '#2c4636', 0.3),
    );
  drawHills(sheet, random, 1150, 50, mood.near, 2);
  return mix(mood.far, mood.sky[1], 0.5);
};

/** Under stars, with hills far away. */
export const starlight: Backdrop = (sheet, random) => {
  const mood = random.chance(0.6) ? moods.night : moods.dusk;
  drawSky(sheet, mood);
  drawStars(sheet, random, 90, 800);
  drawSun(sheet, mood, 190 + random.next() * 820, 220 + random.next() * 120, 64 + random.next() * 30);
  drawHills(sheet, random, 960, 320, mood.far);
  drawHills(sheet, random, 1100, 240, mood.middle);
  for (let i = 0; i < 7; i++)
    drawFir(sheet, random.next() * 1200, 1180 + random.next() * 30, 160 + random.next() * 140, mood.near);
  drawHills(sheet, random, 1240, 120, mood.near, 2);
  return mood.sky[1];
};
