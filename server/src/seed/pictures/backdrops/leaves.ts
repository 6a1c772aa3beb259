import { darker, lighter, mix, palette } from '../drawing/colours.ts';
import { d } from '../drawing/outline.ts';
import { down, glow, slant } from '../drawing/paint.ts';
import { drawHills } from '../scenery/land.ts';
import { pickMood } from '../scenery/moods.ts';
import { drawCloud, drawSky } from '../scenery/sky.ts';
import type { Backdrop } from './plain.ts';

/** Large leaves from both sides. */
export const leaves: Backdrop = (sheet, random) => {
  const wall = random.pick(['#f0e2c4', '#e9cfae', '#dfe3cd', '#c7d3cf', '#3d5340', '#e2b088']);
  const green = random.pick(['#4f6b45', '#6d7c46', '#33603f', '#3f6a5a', '#86975e']);
  sheet.box(0, 0, 1200, 1500, down(lighter(wall, 0.2), wall));
  sheet.oval(600, 560, 560, 560, glow(`${palette.white}99`, `${palette.white}00`));
  for (let i = 0; i < 16; i++) {
    const right = i % 2 === 1;
    const far = i < 8;
    const y = 80 + ((i >> 1) % 4) * 380 + random.next() * 160;
    const fill = far ? mix(green, wall, 0.55) : mix(green, wall, 0.1 * random.next());
    const turn = (right ? -1 : 1) * (-50 + random.next() * 110);
    sheet.placed(
      { x: right ? 1210 : -10, y, turn, mirror: right, scale: (far ? 1.25 : 0.9) + random.next() * 0.3 },
      () => {
        sheet.path(
          d`M -40 0 C 60 -150 260 -170 420 -10 C 260 120 60 130 -40 0 Z`,
          slant(lighter(fill, 0.14), fill, darker(fill, 0.14)),
        );
        sheet.line(d`M -40 0 Q 180 -40 410 -10`, darker(fill, 0.25), 6, 0.5);
        for (const x of [80, 170, 260])
          sheet.line(d`M ${x} -24 L ${x + 60} -84 M ${x} -24 L ${x + 70} 40`, darker(fill, 0.25), 4, 0.35);
      },
    );
  }
  return mix(wall, green, 0.3);
};

/** Between the trunks of a forest. */
export const forest: Backdrop = (sheet, random) => {
  const autumn = random.chance(0.45);
  const [light, leaf, trunk] = autumn ? ['#f6dda6', '#cf8a3e', '#6b4530'] : ['#e4eac4', '#6f8a4c', '#5b4a38'];
  sheet.box(0, 0, 1200, 1500, down(mix(leaf, light, 0.5), light, mix(leaf, light, 0.3)));
  sheet.oval(600, 520, 620, 620, glow('#fffbe6cc', '#fffbe600'));
  for (let layer = 0; layer < 3; layer++) {
    const fill = mix(trunk, light, 0.66 - layer * 0.3);
    for (let i = 0; i < 6 - layer; i++) {
      const x = (i * 1200) / (5 - layer) + (random.next() - 0.5) * 150;
      const half = 16 + layer * 16 + random.next() * 10;
      sheet.path(d`M ${x - half * 0.7} -10 L ${x + half * 0.7} -10 L ${x + half} 1400 L ${x - half} 1400 Z`, fill);
      if (layer > 0) sheet.line(d`M ${x} 300 L ${x + (i % 2 ? 150 : -150)} 120`, fill, half * 0.5);
    }
    for (let i = 0; i < 12; i++) {
      const r = 70 + random.next() * 90;
      sheet.oval(
        random.next() * 1200,
        random.next() * (220 - layer * 40),
        r * 1.3,
        r,
        mix(mix(leaf, light, 0.6 - layer * 0.28), palette.honey, random.next() * 0.2),
        0.85,
      );
    }
  }
  drawHills(sheet, random, 1260, 140, mix(leaf, trunk, 0.4), 2);
  return mix(leaf, light, 0.5);
};

/** A field of flowers up to the horizon. */
export const meadow: Backdrop = (sheet, random) => {
  const mood = pickMood(random, ['morning', 'day', 'golden', 'rosy']);
  drawSky(sheet, mood);
  drawCloud(sheet, random, mood, 200 + random.next() * 200, 240, 380);
  drawCloud(sheet, random, mood, 800 + random.next() * 250, 160 + random.next() * 200, 320);
  drawHills(sheet, random, 760, 160, mood.far);
  const green = mix(mood.middle, palette.moss, 0.4);
  sheet.box(0, 740, 1200, 760, down(lighter(green, 0.2), darker(green, 0.2)));
  const flower = random.pick([palette.red, palette.honey, '#8a6aa0', palette.rose, palette.white]);
  for (let i = 0; i < 130; i++) {
    const depth = random.next() ** 1.6;
    const [x, y, r] = [random.next() * 1200, 760 + depth * 740, 5 + depth * 24];
    sheet.line(d`M ${x} ${y} L ${x + 3} ${y + r * 3}`, darker(green, 0.35), 1.5 + r * 0.14, 0.6);
    sheet.oval(x, y, r, r * 0.8, lighter(flower, random.next() * 0.3));
    if (r > 14) sheet.oval(x, y, r * 0.32, r * 0.28, palette.honey);
  }
  return mix(green, mood.sky[1], 0.5);
};
