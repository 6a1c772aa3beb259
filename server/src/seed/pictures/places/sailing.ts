import { darker, lighter, mix, palette } from '../drawing/colours.ts';
import { d } from '../drawing/outline.ts';
import { across, down } from '../drawing/paint.ts';
import { pickMood } from '../scenery/moods.ts';
import { drawCloud, drawGlitter, drawSky, drawStars, drawSun } from '../scenery/sky.ts';
import type { Scene } from './scene.ts';

/** A sailing boat before the sun. */
export const boat: Scene = (sheet, random) => {
  const mood = pickMood(random, ['morning', 'day', 'golden', 'rosy', 'dusk']);
  const horizon = 900;
  const sunX = 340 + random.next() * 520;
  drawSky(sheet, mood, horizon);
  if (mood.dark) drawStars(sheet, random, 30, 400);
  for (let i = 0; i < 4; i++)
    drawCloud(sheet, random, mood, random.next() * 1200, 150 + random.next() * 440, 260 + random.next() * 200);
  drawSun(sheet, mood, sunX, 640 + random.next() * 160, 170);
  sheet.path(d`M -10 ${horizon + 2} C 160 ${horizon - 120} 300 ${horizon - 60} 460 ${horizon + 2} Z`, mood.far);
  sheet.box(0, horizon, 1200, 620, down(...mood.water));
  drawGlitter(sheet, random, mood.sun, [sunX, horizon + 20, 1480], 460);
  const hull = random.pick([palette.red, palette.navy, palette.white, palette.forest, palette.terracotta]);
  const sail = random.pick([palette.white, palette.cream, palette.honey, palette.rose]);
  sheet.placed(
    {
      x: 600 + (random.next() - 0.5) * 260,
      y: 1060,
      scale: 1.1 + random.next() * 0.3,
      turn: (random.next() - 0.5) * 6,
    },
    () => {
      sheet.path(d`M -230 66 L 230 66 L 160 190 L -120 190 Z`, mix(hull, mood.water[1], 0.5), 0.35);
      sheet.box(-6, -560, 12, 560, '#6b4530', 4);
      sheet.path(d`M 16 -540 C 150 -380 230 -220 236 -70 L 16 -50 Z`, across(sail, darker(sail, 0.12)));
      sheet.path(
        d`M -16 -500 C -60 -320 -130 -170 -196 -60 L -16 -50 Z`,
        across(darker(sail, 0.06), lighter(sail, 0.3)),
      );
      sheet.line(d`M 16 -200 L 222 -180 M 16 -350 L 160 -350`, darker(sail, 0.25), 4, 0.5);
      sheet.path(
        d`M -260 -30 L 280 -30 C 250 40 200 76 150 84 L -160 84 C -210 76 -244 30 -260 -30 Z`,
        down(lighter(hull, 0.16), hull, darker(hull, 0.25)),
      );
      sheet.line(d`M -250 -8 L 268 -8`, mix(hull, palette.honey, 0.7), 10);
      sheet.path(d`M 0 -560 L 60 -540 L 0 -520 Z`, palette.red);
    },
  );
};

/** A lighthouse on a rock. */
export const lighthouse: Scene = (sheet, random) => {
  const mood = pickMood(random, ['day', 'golden', 'rosy', 'dusk', 'night']);
  drawSky(sheet, mood, 980);
  if (mood.dark) drawStars(sheet, random, 70, 800);
  for (let i = 0; i < 3; i++) drawCloud(sheet, random, mood, random.next() * 1200, 240 + random.next() * 400, 300);
  drawSun(sheet, mood, 240 + random.next() * 200, 300 + random.next() * 300, 80);
  sheet.box(0, 980, 1200, 530, down(...mood.water));
  drawGlitter(sheet, random, mood.sun, [340, 1000, 1480], 600);
  const x = 700 + random.next() * 140;
  const rock = mix(mood.near, '#5b4a44', 0.5);
  if (mood.dark) sheet.path(d`M ${x} 330 L -40 130 L -40 420 Z`, mood.lamp, 0.28);
  sheet.path(
    d`M ${x - 420} 1510 C ${x - 330} 1200 ${x - 220} 1130 ${x - 130} 1070 L ${x + 170} 1060 C ${x + 300} 1120 ${x + 380} 1230 1230 1280 L 1230 1510 Z`,
    down(lighter(rock, 0.2), rock, darker(rock, 0.2)),
  );
  const red = random.pick([palette.red, palette.brick, palette.navy]);
  const tower = d`M ${x - 74} 420 L ${x + 74} 420 L ${x + 118} 1080 L ${x - 118} 1080 Z`;
  sheet.path(tower, across(palette.white, '#f3e6d2', '#c9b8a4'));
  sheet.clipped(tower, () => {
    for (const y of [470, 710, 950])
      sheet.box(x - 140, y, 280, 120, across(lighter(red, 0.15), red, darker(red, 0.25)));
  });
  sheet.box(x - 104, 396, 208, 30, palette.charcoal, 6);
  sheet.box(x - 56, 290, 112, 110, mood.lamp);
  sheet.line(d`M ${x - 20} 290 L ${x - 20} 398 M ${x + 20} 290 L ${x + 20} 398`, palette.charcoal, 6);
  sheet.path(d`M ${x - 74} 292 C ${x - 60} 220 ${x + 60} 220 ${x + 74} 292 Z`, red);
  for (const y of [640, 880]) sheet.box(x - 18, y, 36, 56, '#5a4a48', 16);
};
