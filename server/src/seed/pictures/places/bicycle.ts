import { darker, lighter, palette } from '../drawing/colours.ts';
import { d } from '../drawing/outline.ts';
import { across, down, glow, slant } from '../drawing/paint.ts';
import { warmWalls, type Scene } from './scene.ts';

/** A bicycle at a wall. */
export const bicycle: Scene = (sheet, random) => {
  const wall = random.pick(warmWalls);
  const frame = random.pick([palette.red, palette.forest, palette.navy, palette.honey, palette.cream, palette.plum]);
  sheet.box(0, 0, 1200, 1260, down(lighter(wall, 0.25), wall));
  for (let i = 0; i < 26; i++)
    sheet.box(random.next() * 1150, random.next() * 1150, 92, 36, darker(wall, 0.14), 5, 0.22);
  const shutter = random.pick([palette.forest, palette.dusk, palette.red]);
  for (const x of random.chance(0.5) ? [180, 760] : [470]) {
    sheet.box(x - 16, 134, 292, 412, lighter(wall, 0.6), 4);
    sheet.box(x, 150, 260, 380, down('#5f7384', '#a9bcc0'));
    sheet.line(d`M ${x + 130} 150 L ${x + 130} 530 M ${x} 330 L ${x + 260} 330`, lighter(wall, 0.6), 14);
    for (const sx of [x - 146, x + 276]) sheet.box(sx, 136, 130, 408, across(lighter(shutter, 0.12), shutter), 4);
    sheet.box(x - 30, 560, 320, 56, down('#a8663f', '#7f4a30'), 6);
    for (let i = 0; i < 22; i++)
      sheet.oval(
        x - 20 + random.next() * 300,
        556 - random.next() * 54,
        22,
        20,
        random.pick([palette.red, palette.rose, palette.moss, palette.forest, palette.honey]),
      );
  }
  sheet.box(0, 1240, 1200, 270, down('#c9b08c', '#9c8262'));
  sheet.oval(600, 1316, 470, 34, '#2b1519', 0.25);
  sheet.placed({ x: 600, y: 1080, scale: 1.04 }, () => {
    for (const x of [-270, 270]) {
      for (let i = 0; i < 8; i++) {
        const angle = (Math.PI * i) / 8;
        sheet.line(
          d`M ${x - 190 * Math.cos(angle)} ${-190 * Math.sin(angle)} L ${x + 190 * Math.cos(angle)} ${190 * Math.sin(angle)}`,
          '#8d8078',
          3,
          0.7,
        );
      }
      sheet.line(
        d`M ${x - 195} 0 C ${x - 195} -260 ${x + 195} -260 ${x + 195} 0 C ${x + 195} 260 ${x - 195} 260 ${x - 195} 0 Z`,
        '#3b3330',
        17,
      );
      sheet.oval(x, 0, 18, 18, '#6f645d');
    }
    sheet.line(d`M -270 0 L -120 -280 L 170 -290 L -20 10 L -120 -280 M -270 0 L -20 10 M 150 -370 L 270 0`, frame, 19);
    sheet.line(d`M -120 -280 L -140 -350`, '#6f645d', 15);
    sheet.path(d`M -220 -366 C -180 -392 -90 -384 -56 -360 C -90 -340 -160 -330 -212 -340 Z`, '#6b3f2a');
    sheet.line(d`M 150 -370 L 146 -420 C 110 -440 70 -430 50 -400`, '#4b403b', 15);
    sheet.oval(-20, 10, 40, 40, '#6f645d');
    sheet.line(d`M -20 10 L 24 86 M 6 90 L 50 84`, '#4b403b', 13);
    const basket = d`M 170 -400 L 360 -400 L 334 -270 L 196 -270 Z`;
    for (let i = 0; i < 12; i++)
      sheet.oval(
        186 + random.next() * 160,
        -410 - random.next() * 60,
        30,
        28,
        random.pick([palette.honey, palette.rose, palette.red, palette.sage, palette.white]),
      );
    sheet.path(basket, slant('#d0a268', '#9a6a3c'));
    sheet.line(d`M 178 -366 L 352 -366 M 186 -332 L 346 -332 M 190 -300 L 340 -300`, '#7f5433', 6, 0.6);
  });
  sheet.oval(300, 260, 700, 600, glow('#fff3dd55', '#fff3dd00'));
};
