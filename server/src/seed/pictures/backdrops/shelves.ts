import { darker, lighter, mix, palette } from '../drawing/colours.ts';
import { across, down, glow } from '../drawing/paint.ts';
import { drawFlowerpot, drawLamp } from '../scenery/things.ts';
import type { Backdrop } from './plain.ts';

const books = [
  palette.red,
  palette.brick,
  palette.terracotta,
  palette.honey,
  palette.cream,
  palette.moss,
  palette.forest,
  palette.dusk,
  palette.navy,
  palette.plum,
  palette.powder,
  palette.sand,
];

/** Shelves full of books. */
export const bookshelf: Backdrop = (sheet, random) => {
  const wood = random.pick(['#8a5a38', '#6b4530', '#b98a5a', '#e6d6ba']);
  const inside = darker(wood, 0.4);
  sheet.box(0, 0, 1200, 1500, inside);
  const rows = 4 + random.below(2);
  const height = 1500 / rows;
  for (let row = 0; row < rows; row++) {
    const floor = (row + 1) * height - 26 - random.next() * 2;
    let x = -20 + random.next() * 30;
    while (x < 1200) {
      const width = 26 + random.next() * 42;
      const tall = height * (0.52 + random.next() * 0.3);
      if (random.chance(0.09)) {
        if (random.chance(0.5)) drawFlowerpot(sheet, random, x + 70, floor, 0.5);
        x += 150;
        continue;
      }
      const colour = mix(random.pick(books), inside, 0.22);
      sheet.box(x, floor - tall, width, tall, across(lighter(colour, 0.14), colour, darker(colour, 0.2)), 4);
      sheet.box(x + 5, floor - tall * 0.84, width - 10, 9, lighter(colour, 0.4), 0, 0.6);
      x += width + 2;
    }
    sheet.box(0, floor, 1200, 28, down(lighter(wood, 0.15), wood));
  }
  sheet.oval(600, 600, 700, 700, glow('#ffe9c055', '#ffe9c000'));
  return mix(wood, palette.terracotta, 0.3);
};

/** Tiles, a shelf with jars, and a lamp. */
export const kitchen: Backdrop = (sheet, random) => {
  const tile = random.pick(['#f1e7d3', '#c9d3c0', '#b9cad0', '#e8c8a8', '#dba297']);
  sheet.box(0, 0, 1200, 1500, darker(tile, 0.1));
  const offset = random.chance(0.5) ? 60 : 0;
  for (let row = 0; row < 18; row++) {
    for (let i = -1; i < 10; i++) {
      const shade = random.next() * 0.1;
      sheet.box(i * 126 + (row % 2) * offset + 3, row * 86 + 3, 120, 80, lighter(tile, shade + 0.05), 5);
    }
  }
  for (const [y, from, to] of [
    [430, 40, 520],
    [330, 760, 1190],
    [760, 790, 1190],
  ] as const) {
    sheet.box(from, y, to - from, 26, down('#b98552', '#8a5a38'), 5);
    for (let x = from + 70; x < to - 40; x += 96 + random.next() * 30) {
      if (random.chance(0.2)) drawFlowerpot(sheet, random, x, y, 0.62);
      else {
        const [tall, colour] = [
          70 + random.next() * 80,
          random.pick([palette.terracotta, palette.honey, palette.dusk, palette.red, palette.white, palette.moss]),
        ];
        sheet.box(x - 34, y - tall, 68, tall, across(lighter(colour, 0.3), colour, darker(colour, 0.15)), 14);
        sheet.box(x - 28, y - tall - 14, 56, 18, '#8a5a38', 6);
      }
    }
  }
  drawLamp(sheet, random, 230 + random.next() * 100, 330);
  sheet.box(0, 1180, 1200, 330, down('#a8744a', '#7f5433'));
  return mix(tile, palette.sand, 0.3);
};
