import { darker, lighter, mix, palette } from '../drawing/colours.ts';
import { d } from '../drawing/outline.ts';
import { down, glow } from '../drawing/paint.ts';
import { moods, pickMood } from '../scenery/moods.ts';
import { drawSky, drawStars, drawSun } from '../scenery/sky.ts';
import { drawSkyline } from '../scenery/skyline.ts';
import type { Backdrop } from './plain.ts';

/** A city in the last or in no light. */
export const cityAtDusk: Backdrop = (sheet, random) => {
  const mood = pickMood(random, ['dusk', 'dusk', 'rosy', 'night']);
  drawSky(sheet, mood);
  if (mood.dark) drawStars(sheet, random, 40, 500);
  drawSun(sheet, mood, 180 + random.next() * 840, 240 + random.next() * 380, 90);
  drawSkyline(sheet, random, mood, { y: 980, height: 560, colour: mix(mood.far, mood.sky[1], 0.3), lit: 0.12 });
  drawSkyline(sheet, random, mood, { y: 1100, height: 520, colour: mood.middle, lit: 0.42 });
  return mix(mood.sky[1], mood.middle, 0.4);
};

/** Fronts of old houses in a row. */
export const street: Backdrop = (sheet, random) => {
  const mood = pickMood(random, ['morning', 'day', 'golden']);
  drawSky(sheet, mood);
  const fronts = [
    palette.rose,
    palette.honey,
    palette.terracotta,
    palette.sage,
    palette.powder,
    palette.cream,
    palette.sand,
  ];
  const first = random.below(fronts.length);
  const shift = random.next() * 160;
  for (let i = 0; i < 5; i++) {
    const [x, width] = [i * 300 - shift, 300];
    const top = 180 + random.next() * 200;
    const wall = mix(fronts[(first + i * 3) % fronts.length] ?? palette.cream, mood.sky[2], 0.2);
    sheet.box(x, top, width, 1500 - top, down(lighter(wall, 0.2), wall));
    sheet.path(
      d`M ${x - 10} ${top + 4} L ${x + 40} ${top - 90} L ${x + width - 40} ${top - 90} L ${x + width + 10} ${top + 4} Z`,
      mix(palette.brick, wall, 0.3),
    );
    const shutter = random.pick([palette.forest, palette.dusk, palette.red, palette.white]);
    for (let y = top + 70; y < 1300; y += 260) {
      for (const wx of [x + 62, x + 186]) {
        sheet.box(wx - 6, y - 6, 64, 132, lighter(wall, 0.5));
        sheet.box(wx, y, 52, 120, down('#5f7384', '#8fa3a8'));
        sheet.line(
          d`M ${wx + 26} ${y} L ${wx + 26} ${y + 120} M ${wx} ${y + 56} L ${wx + 52} ${y + 56}`,
          lighter(wall, 0.5),
          5,
        );
        for (const sx of [wx - 30, wx + 58]) sheet.box(sx, y, 24, 120, mix(shutter, wall, 0.25));
        sheet.box(wx - 10, y + 124, 72, 12, darker(wall, 0.2));
      }
    }
  }
  return mix(palette.sand, fronts[(first + 6) % fronts.length] ?? palette.sand, 0.5);
};

/** Strings of lamps in the evening. */
export const lights: Backdrop = (sheet, random) => {
  const mood = random.chance(0.5) ? moods.night : moods.dusk;
  const wall = random.pick(['#3a2f3f', '#2f3f4a', '#4a2f33', '#3b4535', mood.sky[0]]);
  sheet.box(0, 0, 1200, 1500, down(darker(wall, 0.25), wall, lighter(wall, 0.18)));
  for (let i = 0; i < 22; i++) {
    const r = 26 + random.next() * 74;
    sheet.oval(
      random.next() * 1200,
      200 + random.next() * 1100,
      r,
      r,
      random.pick([mood.lamp, palette.terracotta, palette.rose, palette.honey]),
      0.1 + random.next() * 0.14,
    );
  }
  for (let row = 0; row < 4; row++) {
    const [left, right, sag] = [
      60 + row * 150 + random.next() * 80,
      20 + row * 170 + random.next() * 90,
      160 + random.next() * 90,
    ];
    sheet.line(d`M -10 ${left} Q 600 ${(left + right) / 2 + sag * 2} 1210 ${right}`, darker(wall, 0.5), 5);
    for (let i = 1; i < 10; i++) {
      const t = i / 10;
      const y = (1 - t) ** 2 * left + 2 * t * (1 - t) * ((left + right) / 2 + sag * 2) + t * t * right;
      sheet.oval(t * 1220 - 10, y + 22, 66, 66, glow(`${mood.lamp}aa`, `${mood.lamp}00`));
      sheet.oval(t * 1220 - 10, y + 22, 15, 19, '#fff4d2');
    }
  }
  return wall;
};
