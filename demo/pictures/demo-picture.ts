import { rgbaToThumbHash } from 'thumbhash';
import type { Gender } from '#contract/profiles/profile-details.ts';
import type { Origin } from '../members/demo-member.ts';
import { randomOf } from '../random.ts';
import { drawBackdrop, drawView } from './backdrops.ts';
import { drawClothes } from './clothes.ts';
import { drawBeard, drawEarrings, drawFeatures, drawGlasses, drawMouth } from './face.ts';
import { pickHair } from './hair.ts';
import { drawBody, drawFaceShape, drawPerson } from './person.ts';
import { channelsOf, glow, mix, newSheet, pictureWidth, type Sheet } from './sheet.ts';

/** Describes which picture to draw; `seed` decides everything that the other fields leave open. */
export interface DemoPicture {
  seed: number;
  kind: 'portrait' | 'place';
  gender: Gender | null;
  origin: Origin | null;
  age: number;
}

/** Draws the head and shoulders of a person in front of a background of mainly this colour; returns skin and cloth colour. */
function drawPortrait(sheet: Sheet, wanted: DemoPicture, background: string): [string, string] {
  const { age } = wanted;
  const person = drawPerson(wanted);
  const { random, soft } = person;
  const hair = pickHair(sheet, person);
  const hasGlasses = random.chance(age > 50 ? 0.45 : 0.24);
  const tilt = { turn: (random.next() - 0.5) * 10, about: [0, 260] as const };
  sheet.placed(tilt, () => hair.behind?.());
  // The head sinks a little between the shoulders.
  const cloth = sheet.placed({ y: -46 }, () => {
    drawBody(sheet, person);
    return drawClothes(sheet, person, background);
  });
  sheet.placed(tilt, () => {
    drawFaceShape(sheet, person);
    drawBeard(sheet, person);
    drawMouth(sheet, person);
    drawFeatures(sheet, person);
    if (soft && random.chance(0.5)) drawEarrings(sheet, person);
    hair.front();
    if (hasGlasses) drawGlasses(sheet, person);
  });
  return [person.skin.base, cloth];
}

/** Draws the picture; always the same for the same request. `colours` are those of the upper and the lower half, of the face and of the clothes. */
function draw(wanted: DemoPicture): { svg: string; colours: readonly string[] } {
  const sheet = newSheet();
  const random = randomOf(wanted.seed, 40);
  const closeUp = {
    scale: 1 + random.next() * 0.2,
    about: [250 + random.next() * 700, 300 + random.next() * 900],
  } as const;
  // Half of all pictures are lit from the other side.
  const mirror = random.chance(0.5);
  const colours = sheet.placed({ x: mirror ? pictureWidth : 0, mirror }, () => {
    const isPlace = wanted.kind === 'place';
    const background = sheet.placed(closeUp, () => (isPlace ? drawView : drawBackdrop)(sheet, random));
    if (isPlace) return background;
    // Soft light separates the head from the background.
    sheet.oval([600, 640], [640, 720], glow('#fff3dd66', '#fff3dd33', '#fff3dd00'));
    const scale = 1.12 + random.next() * 0.34;
    const placing = { x: 500 + random.next() * 200, y: 640 + scale * 60 + random.next() * 60, scale };
    const around = mix(...background, 0.5);
    return [...background, ...sheet.placed(placing, () => drawPortrait(sheet, wanted, around))];
  });
  return { svg: sheet.svg(), colours };
}

/** A drawn picture for a demo member, 1200 × 1500, as an SVG. */
export function demoPictureSvg(wanted: DemoPicture): string {
  return draw(wanted).svg;
}

const [placeholderWidth, placeholderHeight] = [8, 10];

/** The thumbhash of a demo picture in base64. It is made from the main colours, because rendering the picture takes much longer. */
export function demoPlaceholder(wanted: DemoPicture): string {
  const [upper = [], lower = [], face, cloth] = draw(wanted).colours.map(channelsOf);
  const pixels = Array.from({ length: placeholderWidth * placeholderHeight }, (_, i) => {
    const [x, y] = [(i % placeholderWidth) - 3.5, Math.floor(i / placeholderWidth) - 4.5];
    if (face !== undefined && Math.hypot(x, y) < 2.5) return [...face, 255];
    if (cloth !== undefined && y > 2 && Math.abs(x) < 3.4) return [...cloth, 255];
    return [...(y < 0 ? upper : lower), 255];
  });
  return Buffer.from(rgbaToThumbHash(placeholderWidth, placeholderHeight, pixels.flat())).toString('base64');
}
