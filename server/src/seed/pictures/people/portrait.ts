import type { Gender } from '#contract/profiles/gender.ts';
import { pickOutfit } from '../clothes/clothes.ts';
import { hats } from '../clothes/hats.ts';
import { drawHairband, headscarf } from '../clothes/headscarf.ts';
import { distance, palette } from '../drawing/colours.ts';
import { d } from '../drawing/outline.ts';
import type { Sheet } from '../drawing/sheet.ts';
import { pickHairStyle } from '../hair/hair.ts';
import { drawBeard, pickBeard } from './beard.ts';
import { drawFeatures } from './face.ts';
import { drawEarrings, drawGlasses } from './glasses.ts';
import { drawBody, drawCheeks, drawFaceShape } from './head.ts';
import { drawMouth } from './mouth.ts';
import { drawPerson } from './person.ts';

/** How far the head sinks between the shoulders. */
const neckHidden = 46;

const hatColours = [
  palette.red,
  palette.honey,
  palette.moss,
  palette.dusk,
  palette.sand,
  palette.charcoal,
  palette.terracotta,
  palette.forest,
];

const belowHat = (w: number) =>
  d`M ${-w} -140 L ${w} -140 Q ${w + 50} -120 ${w + 90} 0 L 900 0 L 900 1300 L -900 1300 L -900 0 L ${-w - 90} 0 Q ${-w - 50} -120 ${-w} -140 Z`;

/** Somebody's head and shoulders before a background of mainly this colour. */
export function drawPortrait(sheet: Sheet, seed: number, gender: Gender | null, age: number, background: string): void {
  const person = drawPerson(seed, gender, age);
  const { random, head, style, soft } = person;
  const hatted = random.chance(0.13);
  const covered = !hatted && style === 'woman' && random.chance(0.06);
  const apart = hatColours.filter((colour) => distance(colour, background) > 110);
  const colour = random.pick(apart);
  const hair = covered ? headscarf(sheet, person, colour) : pickHairStyle(person, hatted)(sheet, person);
  const hat = hatted ? random.pick(hats) : null;
  const beard = pickBeard(person);
  const outfit = pickOutfit(sheet, person, background);
  const glasses = random.chance(age > 50 ? 0.45 : 0.24);
  // Under a hat there is no hair.
  const below = (draw: (() => void) | undefined) => {
    if (hat === null) draw?.();
    else if (draw !== undefined) sheet.clipped(belowHat(head.width), draw);
  };
  const tilt = { turn: (random.next() - 0.5) * 10, about: [0, 260] as const };
  const raised = { y: -neckHidden };
  sheet.placed(raised, outfit.behind);
  sheet.placed(tilt, () => below(hair.behind));
  sheet.placed(raised, () => {
    drawBody(sheet, person);
    outfit.front();
  });
  sheet.placed(tilt, () => {
    drawFaceShape(sheet, person);
    drawCheeks(sheet, person);
    if (beard !== null) drawBeard(sheet, person, beard);
    drawMouth(sheet, person);
    drawFeatures(sheet, person);
    if (!covered && soft && random.chance(0.5)) drawEarrings(sheet, person);
    below(hair.front);
    if (glasses) drawGlasses(sheet, person);
    if (hat !== null) hat(sheet, person, colour);
    else if (!covered && soft && random.chance(0.1)) drawHairband(sheet, person, colour);
  });
}
