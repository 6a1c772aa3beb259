import type { Gender } from '#contract/profiles/gender.ts';
import { brightness } from '../drawing/colours.ts';
import type { Person } from '../people/person.ts';
import { afro, curlyBob, curlyLong, curlyTop } from './hair-curly.ts';
import { locs } from './hair-locs.ts';
import {
  bobFringe,
  bobStraight,
  bobWavy,
  longFringe,
  longMiddle,
  longSide,
  shoulderLength,
  wavyMiddle,
  wavySide,
} from './hair-long.ts';
import type { HairStyle } from './hair-shapes.ts';
import {
  bald,
  buzzed,
  curtains,
  neatCut,
  pixie,
  quiff,
  receding,
  roundCut,
  sideParting,
  tousled,
} from './hair-short.ts';
import { lowBun, oneBraid, ponytail, sideBun, smallBun, topBun, twoBraids, twoBuns } from './hair-up.ts';

const long = [longMiddle, longSide, longFringe, wavyMiddle, wavySide, curlyLong];
const bobs = [bobStraight, bobFringe, bobWavy, curlyBob];
const tied = [topBun, sideBun, lowBun, ponytail, oneBraid];
const playful = [twoBuns, twoBraids];
const cropped = [sideParting, neatCut, quiff, tousled, curlyTop, curtains];
const older = [sideParting, neatCut, receding, receding, bald];

/** The ways to wear hair of a gender at an age; what is there twice is worn more often. */
function stylesFor(style: Gender, age: number): readonly HairStyle[] {
  switch (style) {
    case 'woman':
      if (age >= 56) return [...bobs, pixie, pixie, lowBun, longSide, wavySide, curlyBob];
      return [...long, ...long, ...bobs, ...tied, ...(age < 34 ? playful : []), pixie, afro, afro, locs];
    case 'man':
      if (age >= 52) return [...older, buzzed, curlyTop];
      return [...cropped, ...cropped, buzzed, buzzed, bald, smallBun, shoulderLength, afro, locs];
    case 'non-binary':
      return [
        pixie,
        roundCut,
        bobStraight,
        bobFringe,
        curtains,
        tousled,
        curlyTop,
        quiff,
        buzzed,
        smallBun,
        shoulderLength,
        afro,
        locs,
        curlyBob,
      ];
  }
}

/** Those that lie flat enough for a hat. */
const underHats: readonly HairStyle[] = [
  longMiddle,
  longSide,
  wavyMiddle,
  bobStraight,
  bobFringe,
  neatCut,
  sideParting,
  buzzed,
  bald,
  twoBraids,
  shoulderLength,
];

/** How somebody wears their hair. */
export function pickHairStyle({ random, style, age, skin }: Person, hatted: boolean): HairStyle {
  const styles = stylesFor(style, age);
  const grows = (one: HairStyle) => (one !== afro && one !== locs) || brightness(skin.base) < 170;
  const fitting = styles.filter((one) => grows(one) && (!hatted || underHats.includes(one)));
  return random.pick(fitting.length > 0 ? fitting : styles);
}
