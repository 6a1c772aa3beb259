import type { Gender } from '#contract/profiles/gender.ts';
import { randomOf, type Random } from '../random.ts';
import { drawBackdrop } from './backdrops/backdrop.ts';
import { glow } from './drawing/paint.ts';
import { newSheet, pictureWidth, type Sheet } from './drawing/sheet.ts';
import { drawPortrait } from './people/portrait.ts';
import { drawPlace } from './places/places.ts';

/** Which picture is wanted: `seed` decides all that the rest leaves open. */
export interface DemoPicture {
  seed: number;
  kind: 'portrait' | 'place';
  gender: Gender | null;
  age: number;
}

/** The picture on a sheet: always the same for the same wish. */
export function drawDemoPicture({ seed, kind, gender, age }: DemoPicture): Sheet {
  const sheet = newSheet();
  const random = randomOf(seed, 40);
  const draw = () => {
    if (kind === 'place') closeUp(sheet, random, 0.12, () => drawPlace(sheet, random));
    else {
      const background = closeUp(sheet, random, 0.25, () => drawBackdrop(sheet, random));
      // Soft light around the head parts it from what is behind.
      sheet.oval(600, 640, 640, 720, glow('#fff3dd66', '#fff3dd33', '#fff3dd00'));
      const scale = 1.12 + random.next() * 0.34;
      const placing = { x: 500 + random.next() * 200, y: 640 + scale * 60 + random.next() * 60, scale };
      sheet.placed(placing, () => drawPortrait(sheet, seed, gender, age, background));
    }
  };
  // Half of all pictures are lit from the other side.
  if (random.chance(0.5)) sheet.placed({ x: pictureWidth, mirror: true }, draw);
  else draw();
  return sheet;
}

/** Goes up to `share` nearer to somewhere in the picture. */
function closeUp<T>(sheet: Sheet, random: Random, share: number, draw: () => T): T {
  const scale = 1 + random.next() * share;
  return sheet.placed({ scale, about: [250 + random.next() * 700, 300 + random.next() * 900] }, draw);
}

/** A drawn picture for a demo member, 1200 × 1500, as an SVG. */
export function demoPictureSvg(wanted: DemoPicture): string {
  return drawDemoPicture(wanted).svg();
}
