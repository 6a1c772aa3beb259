import { darker, lighter, mix, palette } from '../drawing/colours.ts';
import { d } from '../drawing/outline.ts';
import { across, down, glow } from '../drawing/paint.ts';
import { drawHills } from '../scenery/land.ts';
import { pickMood } from '../scenery/moods.ts';
import { drawCloud, drawSky, drawSun } from '../scenery/sky.ts';
import type { Scene } from './scene.ts';

/** A path that winds through a forest into the light. */
export const forestPath: Scene = (sheet, random) => {
  const [light, leaf, trunk, ground] = random.pick([
    ['#eef0cd', '#748c4c', '#5b4836', '#7f8a4a'],
    ['#fae3b0', '#c9823c', '#6a452f', '#b0743c'],
    ['#dfe9e2', '#5f8a78', '#4b4a44', '#6c8a6a'],
    ['#f6d9c4', '#a8604c', '#5a3b3a', '#94604a'],
  ] as const);
  sheet.box(0, 0, 1200, 1500, down(mix(leaf, light, 0.55), light, mix(leaf, light, 0.4)));
  sheet.oval(600, 640, 520, 620, glow('#fffdf0ff', '#fffdf000'));
  for (let layer = 0; layer < 3; layer++) {
    const fill = mix(trunk, light, 0.7 - layer * 0.3);
    for (let i = 0; i < 7 - layer; i++) {
      const side = i % 2 ? 1 : -1;
      const x = 600 + side * (110 + layer * 130 + (i >> 1) * 170 + random.next() * 50);
      const half = 12 + layer * 20 + random.next() * 8;
      const foot = 900 + layer * 150;
      sheet.path(
        d`M ${x - half * 0.7} -10 L ${x + half * 0.7} -10 L ${x + half} ${foot - 30} Q ${x + half * 1.2} ${foot} ${x + half * 2} ${foot + 14} L ${x - half * 2} ${foot + 14} Q ${x - half * 1.2} ${foot} ${x - half} ${foot - 30} Z`,
        across(lighter(fill, 0.1), darker(fill, 0.12)),
      );
    }
    sheet.path(
      d`M -10 ${880 + layer * 130} Q 300 ${830 + layer * 150} 600 ${880 + layer * 150} Q 900 ${840 + layer * 140} 1210 ${880 + layer * 120} L 1210 1510 L -10 1510 Z`,
      mix(ground, light, 0.4 - layer * 0.18),
    );
    for (let i = 0; i < 14; i++) {
      const r = 80 + random.next() * 100;
      const x = random.next() * 1200;
      sheet.oval(
        x,
        random.next() * 150 + Math.abs(x - 600) * 0.35 - 90,
        r * 1.3,
        r,
        mix(leaf, light, 0.6 - layer * 0.27 - random.next() * 0.1),
        0.85,
      );
    }
  }
  const bend = (random.next() - 0.5) * 300;
  const path = mix(light, '#c9a06c', 0.55);
  sheet.path(
    d`M 585 890 C ${620 + bend} 1000 ${380 - bend * 0.4} 1130 330 1510 L 940 1510 C ${820 - bend * 0.4} 1150 ${700 + bend} 1000 625 890 Z`,
    down(light, path, darker(path, 0.14)),
  );
  for (let i = 0; i < 40; i++)
    sheet.oval(random.next() * 1200, 1080 + random.next() * 420, 9, 5, random.chance(0.5) ? leaf : palette.honey, 0.7);
};

/** Hot-air balloons over hills. */
export const balloons: Scene = (sheet, random) => {
  const mood = pickMood(random, ['morning', 'day', 'golden', 'rosy']);
  drawSky(sheet, mood);
  drawSun(sheet, mood, 200 + random.next() * 800, 860, 120);
  for (let i = 0; i < 4; i++) drawCloud(sheet, random, mood, random.next() * 1200, 180 + random.next() * 640, 340);
  drawHills(sheet, random, 1080, 220, mood.far);
  drawHills(sheet, random, 1220, 200, mood.middle);
  drawHills(sheet, random, 1350, 160, mood.near, 2);
  const colours = [palette.red, palette.honey, palette.dusk, palette.terracotta, palette.forest, palette.plum];
  const first = random.below(colours.length);
  for (const [i, [x, y, scale]] of (
    [
      [880, 760, 0.3],
      [250, 620, 0.45],
      [640, 440, 1],
    ] as const
  ).entries()) {
    const one = colours[(first + i) % 6] ?? palette.red;
    const other = i === 1 || one === palette.honey ? palette.cream : palette.honey;
    sheet.placed(
      {
        x: x + (random.next() - 0.5) * 160,
        y: y + (random.next() - 0.5) * 120,
        scale: scale * (0.9 + random.next() * 0.2),
      },
      () => {
        const skin = d`M -270 -40 C -270 -380 270 -380 270 -40 C 270 130 110 220 60 330 L -60 330 C -110 220 -270 130 -270 -40 Z`;
        sheet.path(skin, one);
        sheet.clipped(skin, () => {
          for (const s of [-0.78, 0, 0.78])
            sheet.path(
              d`M 0 -320 C ${270 * s - 60} -260 ${270 * s - 70} 100 ${60 * s - 12} 330 L ${60 * s + 12} 330 C ${270 * s + 70} 100 ${270 * s + 60} -260 0 -320 Z`,
              other,
            );
          sheet.box(-280, -400, 560, 760, across('#fff3dd55', '#fff3dd00', '#2b151966'));
        });
        sheet.line(d`M -50 330 L -40 410 M 50 330 L 40 410`, '#5b3d2c', 5);
        sheet.path(d`M -48 406 L 48 406 L 38 478 L -38 478 Z`, across('#b98552', '#7f5433'));
      },
    );
  }
};
