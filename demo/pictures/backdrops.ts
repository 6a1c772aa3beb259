import type { Random } from '../random.ts';
import { drawFir, drawHills, drawMountains, drawSky, drawSkyline, drawTree, drawWater, moods } from './scenery.ts';
import { across, d, darker, distance, down, glow, lighter, mix, palette, slant, type Sheet } from './sheet.ts';

/** Draws a whole picture without people and returns its main colours in the upper and the lower half. */
type Backdrop = (sheet: Sheet, random: Random) => readonly [upper: string, lower: string];

const walls =
  '#ecd9b8 #e3c3a2 #d9a58f #b9c3a0 #93a98e #b4c5cc #8098b0 #e6bb66 #c98a72 #a95450 #5d7690 #5f7355 #f3e8d3'.split(' ');
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

/** Draws a wall with a large disc, like a low sun. */
const disc: Backdrop = (sheet, random) => {
  const wall = random.pick(walls);
  const accent = accentFor(random, wall);
  sheet.box([0, 0], [1200, 1500], slant(lighter(wall, 0.3), wall, darker(wall, 0.1)));
  const [x, y, size] = [320 + random.next() * 560, 420 + random.next() * 300, 330 + random.next() * 150];
  sheet.oval([x, y], [size, size], down(lighter(accent, 0.25), accent));
  return [mix(wall, accent, 0.4), wall];
};

/** Draws waves of colour, one behind the other. */
const waves: Backdrop = (sheet, random) => {
  const wall = random.pick(walls);
  const accent = accentFor(random, wall);
  sheet.box([0, 0], [1200, 1500], down(lighter(wall, 0.35), wall));
  const lean = random.chance(0.5) ? 200 : -200;
  for (let i = 0; i < 4; i++) {
    const y = 330 + i * 260 + random.next() * 90;
    const curve = d`M -10 ${y + lean} C 300 ${y + lean - 260} 640 ${y - lean + 330} 1210 ${y - lean} L 1210 1510 L -10 1510 Z`;
    sheet.path(curve, mix(wall, accent, 0.2 + i * 0.2));
  }
  return [mix(wall, accent, 0.1), mix(wall, accent, 0.6)];
};

/** Draws shelves full of books. */
const bookshelf: Backdrop = (sheet, random) => {
  const wood = random.pick(['#8a5a38', '#6b4530', '#b98a5a', '#e6d6ba']);
  const inside = darker(wood, 0.4);
  sheet.box([0, 0], [1200, 1500], inside);
  for (let floor = 300; floor <= 1500; floor += 300) {
    for (let x = -20; x < 1200;) {
      const [width, tall] = [26 + random.next() * 42, 156 + random.next() * 90];
      const colour = mix(random.pick(Object.values(palette)), inside, 0.22);
      sheet.box([x, floor - tall - 26], [width, tall], across(lighter(colour, 0.14), colour, darker(colour, 0.2)), {
        round: 4,
      });
      x += width + (random.chance(0.07) ? 90 : 2);
    }
    sheet.box([0, floor - 26], [1200, 28], down(lighter(wood, 0.15), wood));
  }
  sheet.oval([600, 600], [700, 700], glow('#ffe9c055', '#ffe9c000'));
  const shelves = mix(inside, palette.sand, 0.35);
  return [shelves, shelves];
};

/** Draws strings of lamps in the evening. */
const lamps: Backdrop = (sheet, random) => {
  const wall = random.pick(['#3a2f3f', '#2f3f4a', '#4a2f33', '#3b4535']);
  const { lamp } = moods.dusk;
  sheet.box([0, 0], [1200, 1500], down(darker(wall, 0.25), wall, lighter(wall, 0.18)));
  for (let row = 0; row < 4; row++) {
    const [from, to, sag] = [
      60 + row * 150 + random.next() * 80,
      20 + row * 170 + random.next() * 90,
      160 + random.next() * 90,
    ];
    const middle = (from + to) / 2 + sag * 2;
    sheet.line(d`M -10 ${from} Q 600 ${middle} 1210 ${to}`, darker(wall, 0.5), 5);
    for (let t = 0.1; t < 0.95; t += 0.1) {
      const y = (1 - t) ** 2 * from + 2 * t * (1 - t) * middle + t * t * to;
      sheet.oval([t * 1220 - 10, y + 22], [66, 66], glow(`${lamp}aa`, `${lamp}00`));
      sheet.oval([t * 1220 - 10, y + 22], [15, 19], '#fff4d2');
    }
  }
  return [wall, wall];
};

/** Draws a park with trees and hills. */
const park: Backdrop = (sheet, random) => {
  const mood = moods[random.pick(['morning', 'day', 'golden'] as const)];
  drawSky(sheet, random, mood);
  drawHills(sheet, random, { y: 900, height: 260, colour: mood.far });
  drawHills(sheet, random, { y: 1010, height: 200, colour: mood.middle });
  const leaves = random.chance(0.3) ? [palette.honey, palette.terracotta, palette.brick] : [mood.near, palette.moss];
  for (const edge of [-20, 900])
    for (let i = 0; i < 3; i++)
      drawTree(
        sheet,
        [edge + (i + random.next()) * 108, 1010 + i * 40],
        420 + random.next() * 240,
        random.pick(leaves),
      );
  drawHills(sheet, random, { y: 1200, height: 120, colour: mood.near, count: 2 });
  return [mix(mood.middle, mood.sky[1], 0.5), mood.near];
};

/** Draws a lake between mountains and firs. */
const lake: Backdrop = (sheet, random) => {
  const mood = moods[random.pick(['morning', 'day', 'golden', 'rosy', 'dusk'] as const)];
  const shore = 820 + random.next() * 90;
  drawSky(sheet, random, mood);
  drawMountains(sheet, random, { y: shore, height: 560, colour: mix(mood.far, mood.sky[0], 0.25) });
  drawHills(sheet, random, { y: shore, height: 200, colour: mood.middle });
  for (let x = -10; x < 1210; x += 86)
    drawFir(sheet, [x + random.next() * 40, shore + 16], 120 + random.next() * 130, mix(mood.near, '#2c4636', 0.35));
  drawWater(sheet, random, mood, shore);
  if (random.chance(0.4)) drawHills(sheet, random, { y: 1440, height: 170, colour: mood.near, count: 2 });
  return [mood.sky[1], mix(mood.water[0], mood.water[1], 0.5)];
};

/** Draws the sea with a sailing boat. */
const sea: Backdrop = (sheet, random) => {
  const mood = moods[random.pick(['morning', 'day', 'golden', 'rosy', 'dusk'] as const)];
  drawSky(sheet, random, mood);
  sheet.path(d`M -10 902 C 160 780 300 840 460 902 Z`, mood.far);
  drawWater(sheet, random, mood, 900);
  const hull = random.pick([palette.red, palette.navy, palette.white, palette.forest]);
  const sail = random.pick([palette.white, palette.cream, palette.honey, palette.rose]);
  sheet.placed(
    { x: 480 + random.next() * 240, y: 1060, scale: 1 + random.next() * 0.3, turn: random.next() * 6 - 3 },
    () => {
      sheet.box([-6, -560], [12, 560], '#6b4530', { round: 4 });
      sheet.path(d`M 16 -540 C 150 -380 230 -220 236 -70 L 16 -50 Z`, across(sail, darker(sail, 0.12)));
      sheet.path(
        d`M -16 -500 C -60 -320 -130 -170 -196 -60 L -16 -50 Z`,
        across(darker(sail, 0.06), lighter(sail, 0.3)),
      );
      sheet.path(
        d`M -260 -30 L 280 -30 C 250 40 200 76 150 84 L -160 84 C -210 76 -244 30 -260 -30 Z`,
        down(lighter(hull, 0.16), hull, darker(hull, 0.25)),
      );
    },
  );
  return [mood.sky[1], mix(mood.water[0], mood.water[1], 0.5)];
};

/** Draws a city in the evening, sometimes by a river. */
const city: Backdrop = (sheet, random) => {
  const mood = moods[random.pick(['dusk', 'dusk', 'rosy', 'night'] as const)];
  drawSky(sheet, random, mood);
  drawSkyline(sheet, random, mood, {
    y: 950,
    height: 600,
    colour: mix(mood.far, mood.sky[1], 0.3),
    lit: 0.12,
  });
  drawSkyline(sheet, random, mood, { y: 1060, height: 500, colour: mood.middle, lit: 0.45 });
  if (random.chance(0.5)) drawWater(sheet, random, { ...mood, sun: mood.lamp }, 1130);
  return [mix(mood.sky[1], mood.middle, 0.3), mood.middle];
};

/** Draws a field of flowers up to the horizon. */
const meadow: Backdrop = (sheet, random) => {
  const mood = moods[random.pick(['morning', 'day', 'golden', 'rosy'] as const)];
  drawSky(sheet, random, mood);
  drawHills(sheet, random, { y: 760, height: 160, colour: mood.far });
  const green = mix(mood.middle, palette.moss, 0.4);
  sheet.box([0, 740], [1200, 760], down(lighter(green, 0.2), darker(green, 0.2)));
  const flower = random.pick([palette.red, palette.honey, '#8a6aa0', palette.rose, palette.white]);
  for (let i = 0; i < 130; i++) {
    const depth = (i / 130) ** 1.6;
    const [x, y, r] = [random.next() * 1200, 760 + depth * 740, 5 + depth * 24];
    sheet.line(d`M ${x} ${y} L ${x + 3} ${y + r * 3}`, darker(green, 0.35), 1.5 + r * 0.14, 0.6);
    sheet.oval([x, y], [r, r * 0.8], lighter(flower, random.next() * 0.3));
  }
  return [mood.sky[1], green];
};

/** Draws hot-air balloons over hills. */
const balloons: Backdrop = (sheet, random) => {
  const mood = moods[random.pick(['morning', 'day', 'golden', 'rosy'] as const)];
  drawSky(sheet, random, mood);
  for (const [y, colour] of [
    [1080, mood.far],
    [1220, mood.middle],
    [1350, mood.near],
  ] as const)
    drawHills(sheet, random, { y, height: 200, colour });
  for (const [x, y, scale] of [
    [880, 760, 0.3],
    [250, 620, 0.45],
    [640, 440, 1],
  ] as const) {
    const colour = random.pick([palette.red, palette.dusk, palette.terracotta, palette.forest]);
    sheet.placed({ x: x + random.next() * 120, y: y + random.next() * 100, scale }, () => {
      const skin = d`M -270 -40 C -270 -380 270 -380 270 -40 C 270 130 110 220 60 330 L -60 330 C -110 220 -270 130 -270 -40 Z`;
      sheet.path(skin, colour);
      sheet.clipped(skin, () => {
        for (const stripe of [-190, 0, 190]) sheet.oval([stripe, 0], [62, 400], palette.honey);
        sheet.box([-280, -400], [560, 760], across('#fff3dd55', '#fff3dd00', '#2b151966'));
      });
      sheet.line(d`M -50 330 L -40 410 M 50 330 L 40 410`, '#5b3d2c', 5);
      sheet.path(d`M -48 406 L 48 406 L 38 478 L -38 478 Z`, across('#b98552', '#7f5433'));
    });
  }
  return [mood.sky[1], mix(mood.far, mood.middle, 0.4)];
};

const views = [park, lake, sea, city, meadow, balloons];

/** Draws a place that someone likes. */
export const drawView: Backdrop = (sheet, random) => random.pick(views)(sheet, random);

/** Draws the background behind a person. */
export const drawBackdrop: Backdrop = (sheet, random) =>
  random.pick([disc, waves, bookshelf, lamps, park, lake, meadow, city])(sheet, random);
