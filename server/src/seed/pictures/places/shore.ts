import { darker, lighter, mix, palette } from '../drawing/colours.ts';
import { d } from '../drawing/outline.ts';
import { down } from '../drawing/paint.ts';
import type { Sheet } from '../drawing/sheet.ts';
import { drawFir, drawHills, drawMountains } from '../scenery/land.ts';
import { pickMood } from '../scenery/moods.ts';
import { drawCloud, drawGlitter, drawSky, drawSun } from '../scenery/sky.ts';
import type { Scene } from './scene.ts';

/** A lake between mountains, with a jetty. */
export const mountainLake: Scene = (sheet, random) => {
  const mood = pickMood(random, ['morning', 'day', 'golden', 'rosy', 'dusk']);
  const shore = 820 + random.next() * 90;
  const x = 250 + random.next() * 700;
  drawSky(sheet, mood);
  drawSun(sheet, mood, x, 300 + random.next() * 180, 84);
  drawCloud(sheet, random, mood, 240 + random.next() * 300, 200, 360);
  drawCloud(sheet, random, mood, 840 + random.next() * 200, 330, 300);
  drawMountains(sheet, random, shore, 560, mix(mood.far, mood.sky[0], 0.25), palette.white);
  drawMountains(sheet, random, shore, 330, mood.middle);
  for (let i = 0; i < 15; i++)
    drawFir(
      sheet,
      i * 86 + random.next() * 40 - 10,
      shore + 16,
      120 + random.next() * 130,
      mix(mood.near, '#2c4636', 0.35),
    );
  sheet.box(0, shore, 1200, 700, down(...mood.water));
  for (let i = 0; i < 4; i++) {
    const at = 150 + i * 300 + random.next() * 60;
    sheet.path(
      d`M ${at - 170} ${shore} L ${at + 170} ${shore} L ${at + 20} ${shore + 230} L ${at - 30} ${shore + 190} Z`,
      mood.middle,
      0.3,
    );
  }
  drawGlitter(sheet, random, mood.sun, [x, shore + 24, 1440], 520);
  if (random.chance(0.6)) drawJetty(sheet, shore);
  else drawHills(sheet, random, 1440, 170, mood.near, 2);
};

function drawJetty(sheet: Sheet, shore: number): void {
  const wood = '#8a5f42';
  for (const [x, y] of [
    [520, shore + 220],
    [690, shore + 220],
    [460, shore + 420],
    [760, shore + 420],
  ] as const)
    sheet.box(x - 13, y - 40, 26, 190, darker(wood, 0.4), 8);
  sheet.path(d`M 540 ${shore + 190} L 670 ${shore + 190} L 860 1520 L 340 1520 Z`, down(lighter(wood, 0.2), wood));
  for (let i = 0; i < 9; i++) {
    const t = (i / 9) ** 1.5;
    const y = shore + 190 + (1510 - shore - 190) * t;
    sheet.line(d`M ${540 - 200 * t} ${y} L ${670 + 190 * t} ${y}`, darker(wood, 0.35), 4 + t * 6, 0.6);
  }
}

/** A beach with a parasol and a towel. */
export const beach: Scene = (sheet, random) => {
  const mood = pickMood(random, ['morning', 'day', 'day', 'golden', 'rosy']);
  const horizon = 520 + random.next() * 120;
  const colour = random.pick([palette.red, palette.honey, palette.dusk, palette.terracotta, palette.forest]);
  drawSky(sheet, mood, horizon);
  drawSun(sheet, mood, 200 + random.next() * 800, horizon - 250 + random.next() * 120, 80);
  for (let i = 0; i < 3; i++) drawCloud(sheet, random, mood, random.next() * 1200, 110 + random.next() * 200, 300);
  sheet.box(0, horizon, 1200, 500, down(mood.water[1], mood.water[0]));
  drawGlitter(sheet, random, '#fffaf0', [600, horizon + 30, horizon + 280], 1300);
  const sand = mix('#ecd3a2', mood.sky[2], 0.25);
  sheet.path(
    d`M -10 ${horizon + 330} C 300 ${horizon + 220} 560 ${horizon + 420} 1210 ${horizon + 250} L 1210 1510 L -10 1510 Z`,
    '#fff8ea',
    0.8,
  );
  sheet.path(
    d`M -10 ${horizon + 372} C 300 ${horizon + 262} 560 ${horizon + 462} 1210 ${horizon + 296} L 1210 1510 L -10 1510 Z`,
    down(sand, darker(sand, 0.12)),
  );
  const x = 400 + random.next() * 380;
  const y = horizon + 700;
  sheet.oval(x + 100, y + 10, 360, 46, '#2b1519', 0.2);
  sheet.path(
    d`M ${x - 60} ${y + 60} L ${x + 400} ${y + 20} L ${x + 470} ${y + 130} L ${x - 20} ${y + 190} Z`,
    mix(colour, palette.cream, 0.75),
  );
  for (const s of [0.2, 0.5, 0.8])
    sheet.line(
      d`M ${x - 60 + 460 * s} ${y + 60 - 40 * s} L ${x - 20 + 490 * s} ${y + 190 - 60 * s}`,
      mix(colour, palette.cream, 0.2),
      30,
      0.7,
    );
  sheet.placed({ turn: -10, about: [x, y] }, () => {
    sheet.line(d`M ${x} ${y + 10} L ${x} ${y - 560}`, '#8a5f42', 18);
    for (let i = 0; i < 6; i++) {
      const [from, to] = [x - 380 + (760 * i) / 6, x - 380 + (760 * (i + 1)) / 6];
      sheet.path(
        d`M ${x} ${y - 600} Q ${(x + from) / 2 + (from - x) * 0.36} ${y - 540} ${from} ${y - 340} Q ${(from + to) / 2} ${y - 376} ${to} ${y - 340} Q ${(x + to) / 2 + (to - x) * 0.36} ${y - 540} ${x} ${y - 600} Z`,
        i % 2 ? palette.cream : i > 3 ? darker(colour, 0.14) : colour,
      );
    }
    sheet.oval(x, y - 602, 14, 14, palette.cream);
  });
};
