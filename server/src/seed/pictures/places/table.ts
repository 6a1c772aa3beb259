import { darker, distance, lighter, mix, palette } from '../drawing/colours.ts';
import { d } from '../drawing/outline.ts';
import { across, down, glow, slant } from '../drawing/paint.ts';
import { warmWalls, type Scene } from './scene.ts';

const woods = ['#b98552', '#8a5a38', '#cfa677', '#6f4a35'];

/** A vase full of flowers on a table. */
export const flowers: Scene = (sheet, random) => {
  const wall = random.pick(warmWalls);
  const wood = random.pick(woods);
  const vase = random.pick(
    [palette.white, palette.terracotta, palette.dusk, palette.honey, palette.forest].filter(
      (one) => distance(one, wall) > 90,
    ),
  );
  sheet.box(0, 0, 1200, 1240, slant(lighter(wall, 0.35), wall, darker(wall, 0.1)));
  const x = 480 + random.next() * 240;
  sheet.oval(
    x,
    560,
    460 + random.next() * 60,
    500,
    mix(wall, random.pick([palette.honey, palette.cream, palette.rose]), 0.5),
    0.7,
  );
  sheet.box(0, 1220, 1200, 300, down(lighter(wood, 0.25), wood));
  sheet.oval(x + 60, 1330, 270, 34, '#2b1519', 0.22);
  const petals = [
    palette.red,
    palette.rose,
    palette.honey,
    palette.white,
    palette.terracotta,
    '#8a6aa0',
    palette.plum,
  ].filter((one) => distance(one, wall) > 80);
  const first = random.below(petals.length);
  const count = 11 + random.below(5);
  for (let i = 0; i < count; i++) {
    const turn = -62 + (124 * i) / (count - 1) + (random.next() - 0.5) * 10;
    const length = 330 + random.next() * 250 - Math.abs(turn) * 1.2;
    sheet.placed({ x, y: 930, turn }, () => {
      sheet.line(d`M 0 40 L 0 ${-length}`, '#55703f', 11);
      sheet.path(
        d`M 0 ${-length * 0.4} C 70 ${-length * 0.5} 80 ${-length * 0.7} 60 ${-length * 0.8} C 20 ${-length * 0.7} 0 ${-length * 0.6} 0 ${-length * 0.4} Z`,
        i % 2 ? '#5f7a45' : '#7f9460',
      );
      const petal = petals[(first + (i % 3)) % petals.length] ?? palette.red;
      for (let leaf = 0; leaf < 8; leaf++) {
        sheet.placed({ turn: leaf * 45, about: [0, -length] }, () =>
          sheet.oval(0, -length - 42, 27, 46, leaf % 2 ? petal : lighter(petal, 0.16)),
        );
      }
      sheet.oval(0, -length, 30, 30, petal === palette.honey ? '#7a4a2c' : palette.honey);
    });
  }
  sheet.path(
    d`M ${x - 78} 890 L ${x + 78} 890 C ${x + 70} 980 ${x + 170} 1040 ${x + 160} 1170 C ${x + 150} 1290 ${x + 100} 1330 ${x} 1330 C ${x - 100} 1330 ${x - 150} 1290 ${x - 160} 1170 C ${x - 170} 1040 ${x - 70} 980 ${x - 78} 890 Z`,
    across(lighter(vase, 0.35), vase, darker(vase, 0.28)),
  );
  sheet.line(d`M ${x - 146} 1130 Q ${x} 1176 ${x + 146} 1130`, mix(vase, palette.red, 0.5), 16, 0.5);
  for (let i = 0; i < 5; i++)
    sheet.oval(random.next() * 1200, 1350 + random.next() * 110, 24, 13, petals[first] ?? palette.red, 0.9);
};

/** A record that turns, seen from above. */
export const records: Scene = (sheet, random) => {
  const wood = random.pick(woods);
  const deck = random.pick([palette.red, palette.cream, palette.charcoal, palette.dusk, palette.honey, palette.forest]);
  sheet.box(0, 0, 1200, 1500, slant(lighter(wood, 0.3), wood, darker(wood, 0.16)));
  for (let y = 110; y < 1500; y += 190)
    sheet.line(d`M -10 ${y} Q 600 ${y + 30 * random.next()} 1210 ${y - 10}`, darker(wood, 0.35), 5, 0.35);
  for (const [turn, fill] of [
    [-16, palette.honey],
    [9, palette.red],
    [24, palette.powder],
  ] as const) {
    sheet.placed({ turn: turn + (random.next() - 0.5) * 10, about: [960, 180] }, () => {
      sheet.box(720, -120, 480, 480, mix(fill, deck === fill ? palette.cream : fill, 0.6), 6);
      sheet.oval(960, 120, 130, 130, lighter(fill, 0.5));
    });
  }
  sheet.placed({ x: 0, y: 60 + random.next() * 120, turn: (random.next() - 0.5) * 8, about: [600, 800] }, () => {
    sheet.box(140, 400, 960, 860, '#2b1519', 44, 0.25);
    sheet.box(120, 370, 960, 860, slant(lighter(deck, 0.2), deck, darker(deck, 0.15)), 44);
    sheet.oval(520, 800, 378, 378, darker(deck, 0.35));
    sheet.oval(520, 800, 360, 360, '#2a2326');
    for (const r of [330, 296, 262, 228, 194])
      sheet.line(
        d`M ${520 - r} 800 C ${520 - r} ${800 - r * 1.33} ${520 + r} ${800 - r * 1.33} ${520 + r} 800 C ${520 + r} ${800 + r * 1.33} ${520 - r} ${800 + r * 1.33} ${520 - r} 800 Z`,
        '#6a5c5e',
        3,
        0.4,
      );
    sheet.path(d`M 520 800 L 250 560 Q 320 490 400 462 Z`, '#fff3dd', 0.12);
    sheet.path(d`M 520 800 L 790 1040 Q 720 1110 640 1138 Z`, '#fff3dd', 0.12);
    sheet.oval(520, 800, 124, 124, random.pick([palette.red, palette.honey, palette.terracotta, palette.sage]));
    sheet.oval(520, 800, 84, 84, palette.cream, 0.5);
    sheet.oval(520, 800, 14, 14, '#2a2326');
    sheet.oval(980, 500, 62, 62, '#3b3432');
    sheet.line(d`M 980 500 L 966 840 Q 956 930 800 968`, '#d8cfc4', 22);
    sheet.box(744, 944, 76, 46, '#3b3432', 10);
    sheet.oval(980, 500, 32, 32, '#d8cfc4');
    for (const y of [1070, 1160]) sheet.oval(1000, y, 34, 34, slant('#efe6d8', '#8d8078'));
  });
  sheet.oval(300, 300, 900, 900, glow('#fff3dd44', '#fff3dd00'));
};
