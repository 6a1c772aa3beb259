import type { Random } from '../../random.ts';
import { darker, distance, lighter, mix, palette } from '../drawing/colours.ts';
import { d } from '../drawing/outline.ts';
import { down, slant } from '../drawing/paint.ts';
import type { Sheet } from '../drawing/sheet.ts';

/** Draws what is behind somebody and tells its main colour. */
export type Backdrop = (sheet: Sheet, random: Random) => string;

const walls = [
  '#ecd9b8',
  '#e3c3a2',
  '#d9a58f',
  '#b9c3a0',
  '#93a98e',
  '#b4c5cc',
  '#8098b0',
  '#e6bb66',
  '#c98a72',
  '#a95450',
  '#5d7690',
  '#5f7355',
  '#f3e8d3',
];

const accents = [
  palette.honey,
  palette.cream,
  palette.terracotta,
  palette.red,
  palette.moss,
  palette.dusk,
  palette.rose,
];

const accentFor = (random: Random, wall: string) => random.pick(accents.filter((one) => distance(one, wall) > 90));

/** A plain wall with a large disc, like a low sun. */
export const disc: Backdrop = (sheet, random) => {
  const wall = random.pick(walls);
  const accent = accentFor(random, wall);
  sheet.box(0, 0, 1200, 1500, slant(lighter(wall, 0.3), wall, darker(wall, 0.1)));
  const [x, y, size] = [320 + random.next() * 560, 420 + random.next() * 300, 330 + random.next() * 150];
  sheet.oval(x, y, size, size, down(lighter(accent, 0.25), accent));
  if (random.chance(0.5)) sheet.oval(x, y, size + 44, size + 44, lighter(accent, 0.3), 0.25);
  return wall;
};

/** Soft waves of colour one behind the other. */
export const waves: Backdrop = (sheet, random) => {
  const wall = random.pick(walls);
  const accent = accentFor(random, wall);
  sheet.box(0, 0, 1200, 1500, down(lighter(wall, 0.35), wall));
  const rising = random.chance(0.5);
  for (let i = 0; i < 4; i++) {
    const y = 330 + i * 260 + random.next() * 90;
    const [left, right] = rising ? [y + 240, y - 160] : [y - 160, y + 240];
    sheet.path(
      d`M -10 ${left} C 300 ${left - 260} 640 ${right + 330} 1210 ${right} L 1210 1510 L -10 1510 Z`,
      mix(wall, accent, 0.2 + i * 0.2),
    );
  }
  return mix(wall, accent, 0.4);
};

/** An arch and a rainbow of arcs. */
export const arches: Backdrop = (sheet, random) => {
  const wall = random.pick(walls);
  sheet.box(0, 0, 1200, 1500, down(lighter(wall, 0.25), wall));
  const colours = [
    palette.terracotta,
    palette.honey,
    palette.cream,
    palette.sage,
    palette.dusk,
    palette.rose,
    palette.red,
  ];
  const first = random.below(colours.length);
  const step = 1 + random.below(3);
  const count = 3 + random.below(3);
  const x = 400 + random.next() * 400;
  for (let i = 0; i < count; i++) {
    const r = 560 - (i * 400) / count;
    const fill = colours[(first + i * step) % colours.length] ?? wall;
    sheet.path(
      d`M ${x - r} 1510 L ${x - r} 660 C ${x - r} ${660 - r * 0.74} ${x - r * 0.56} ${660 - r} ${x} ${660 - r} C ${x + r * 0.56} ${660 - r} ${x + r} ${660 - r * 0.74} ${x + r} 660 L ${x + r} 1510 Z`,
      mix(fill, wall, 0.25),
    );
  }
  return mix(wall, colours[(first + (count - 1) * step) % colours.length] ?? wall, 0.5);
};

/** Light that falls through a window on a wall, aslant. */
export const sunlight: Backdrop = (sheet, random) => {
  const wall = random.pick(walls);
  sheet.box(0, 0, 1200, 1500, slant(wall, darker(wall, 0.16)));
  const lit = lighter(wall, 0.62);
  const lean = 160 + random.next() * 160;
  sheet.placed({ x: random.next() * 200 - 60, y: random.next() * 160 }, () => {
    for (let column = 0; column < 2; column++) {
      for (let row = 0; row < 3; row++) {
        const [x, y] = [200 + column * 400 + row * lean * 0.34, 60 + row * 400 - column * 130];
        sheet.path(
          d`M ${x} ${y} L ${x + 350} ${y - 114} L ${x + 350 + lean * 0.3} ${y + 236} L ${x + lean * 0.3} ${y + 350} Z`,
          lit,
          0.55,
        );
      }
    }
  });
  return wall;
};
