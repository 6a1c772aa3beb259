import { darker, lighter, mix, palette } from '../drawing/colours.ts';
import { d } from '../drawing/outline.ts';
import { across, down, slant } from '../drawing/paint.ts';
import { pickMood } from '../scenery/moods.ts';
import { drawCup, drawFlowerpot, drawWindow } from '../scenery/things.ts';
import { warmWalls, type Scene } from './scene.ts';

/** A cup on a table by the window. */
export const coffee: Scene = (sheet, random) => {
  const wall = random.pick(warmWalls);
  const mood = pickMood(random, ['morning', 'day', 'golden', 'rosy', 'dusk', 'night']);
  sheet.box(0, 0, 1200, 1500, slant(lighter(wall, 0.2), darker(wall, 0.08)));
  drawWindow(sheet, random, mood, [200, 90, 800, 800]);
  if (random.chance(0.7)) drawFlowerpot(sheet, random, random.chance(0.5) ? 270 : 930, 924, 1.15);
  const wood = random.pick(['#b98552', '#8a5a38', '#cfa677', '#6f4a35']);
  sheet.box(0, 1120, 1200, 400, down(lighter(wood, 0.25), wood, darker(wood, 0.2)));
  for (const y of [1190, 1290, 1400])
    sheet.line(d`M -10 ${y} Q 600 ${y + 14} 1210 ${y - 6}`, darker(wood, 0.4), 5, 0.3);
  sheet.path(d`M 300 1120 L 640 1120 L 900 1510 L 330 1510 Z`, '#fff3dd', 0.18);
  const x = 520 + random.next() * 200;
  if (random.chance(0.7)) {
    const book = random.pick([palette.red, palette.dusk, palette.forest, palette.honey]);
    sheet.path(d`M ${x - 480} 1330 L ${x - 180} 1300 L ${x - 90} 1400 L ${x - 420} 1436 Z`, book);
    sheet.path(d`M ${x - 420} 1436 L ${x - 90} 1400 L ${x - 90} 1434 L ${x - 418} 1470 Z`, palette.white);
    sheet.line(d`M ${x - 420} 1470 L ${x - 90} 1436`, darker(book, 0.2), 9);
  }
  drawCup(
    sheet,
    x,
    1330,
    1.35,
    random.pick([palette.red, palette.white, palette.dusk, palette.honey, palette.forest, palette.terracotta]),
  );
};

/** A guitar that leans at a sofa. */
export const guitar: Scene = (sheet, random) => {
  const wall = random.pick(warmWalls);
  const sofa = random.pick(
    [palette.forest, palette.dusk, palette.red, palette.mustard, palette.moss].filter((one) => one !== wall),
  );
  sheet.box(0, 0, 1200, 1240, slant(lighter(wall, 0.25), wall));
  sheet.oval(300, 420, 230, 230, mix(wall, palette.honey, 0.6), 0.8);
  sheet.box(0, 1220, 1200, 300, down('#b98a5f', '#8f6543'));
  sheet.oval(620, 1400, 640, 90, mix(palette.red, palette.cream, 0.4), 0.7);
  sheet.oval(620, 1400, 520, 68, palette.cream, 0.5);
  sheet.box(-120, 720, 780, 420, across(lighter(sofa, 0.12), sofa), 70);
  sheet.box(-160, 960, 860, 270, across(lighter(sofa, 0.18), sofa, darker(sofa, 0.2)), 50);
  sheet.box(600, 840, 150, 400, across(sofa, darker(sofa, 0.25)), 60);
  sheet.placed({ turn: -14, about: [250, 880] }, () =>
    sheet.box(120, 760, 250, 220, slant(lighter(palette.honey, 0.3), palette.honey), 40),
  );
  drawFlowerpot(sheet, random, 1060, 1240, 1.5);
  const wood = random.pick(['#c98a4b', '#a8552f', '#e0b070', '#7a4128']);
  sheet.placed({ x: 800, y: 1080, turn: 8 + random.next() * 8, scale: 1.2 }, () => {
    sheet.box(-19, -640, 38, 520, '#4b2f22', 4);
    sheet.path(d`M -34 -770 L 34 -770 L 26 -630 L -26 -630 Z`, '#5b3a28');
    for (const y of [-740, -705, -670]) for (const side of [-1, 1]) sheet.oval(side * 42, y, 11, 9, palette.cream);
    sheet.path(
      d`M 0 -200 C 90 -210 140 -140 112 -64 C 96 -20 110 0 146 60 C 196 160 110 240 0 240 C -110 240 -196 160 -146 60 C -110 0 -96 -20 -112 -64 C -140 -140 -90 -210 0 -200 Z`,
      slant(lighter(wood, 0.3), wood, darker(wood, 0.25)),
    );
    sheet.oval(0, -16, 56, 56, darker(wood, 0.3));
    sheet.oval(0, -16, 46, 46, '#2f1d18');
    sheet.box(-56, 120, 112, 22, '#4b2f22', 6);
    for (const x of [-12, -4, 4, 12]) sheet.line(d`M ${x} -750 L ${x} 128`, '#f3e6d0', 2, 0.8);
    for (let y = -600; y < -180; y += 46) sheet.line(d`M -17 ${y} L 17 ${y}`, '#cdb894', 3, 0.7);
  });
};
