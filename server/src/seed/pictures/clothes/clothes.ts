import { brightness, darker, distance, lighter, palette } from '../drawing/colours.ts';
import type { Sheet } from '../drawing/sheet.ts';
import type { Person } from '../people/person.ts';
import { drawGarment, drawPattern, necklinePath, type Neckline } from './garment.ts';
import { drawBlazer, drawHood, drawOpenJacket, drawScarf, drawShirtCollar } from './layers.ts';
import { drawDungarees, drawStraps, drawTurtleneck } from './tops.ts';

const cloths = Object.values(palette);

/** Clothes: what is seen behind the neck, and what over it. */
export interface Outfit {
  behind: () => void;
  front: () => void;
}

const kindsOf = {
  woman: [
    'tee',
    'scoop',
    'v',
    'turtleneck',
    'shirt',
    'blazer',
    'boat',
    'cardigan',
    'straps',
    'dungarees',
    'scarf',
    'hoodie',
  ],
  man: ['tee', 'tee', 'v', 'turtleneck', 'shirt', 'shirt', 'blazer', 'cardigan', 'hoodie', 'scarf', 'dungarees'],
  'non-binary': ['tee', 'v', 'turtleneck', 'shirt', 'blazer', 'cardigan', 'hoodie', 'scarf', 'dungarees', 'boat'],
} as const;

const necklines = {
  tee: { at: 0.62, depth: 462, shape: 'round' },
  scoop: { at: 0.92, depth: 560, shape: 'round' },
  v: { at: 0.66, depth: 560, shape: 'v' },
  boat: { at: 1, depth: 452, shape: 'boat' },
} as const satisfies Record<string, Neckline>;

/** Colours far enough from what is around them. */
function pickCloth({ random }: Person, apartFrom: readonly string[]): string {
  const choice = cloths.filter((cloth) => apartFrom.every((other) => distance(cloth, other) > 120));
  return random.pick(choice.length > 0 ? choice : cloths);
}

/** What somebody wears before a background of mainly this colour. */
export function pickOutfit(sheet: Sheet, person: Person, background: string): Outfit {
  const { random, head, style, skin } = person;
  const kind = random.pick(kindsOf[style]);
  const main = pickCloth(person, [background, skin.base]);
  const second = pickCloth(person, [main, skin.base]);
  const other = brightness(main) > 150 ? darker(second, 0.1) : lighter(second, 0.3);
  const patterned = random.chance(0.4) ? () => drawPattern(sheet, random, main, other) : undefined;
  const plain = (neckline: Neckline, colour = main, extra = patterned) => {
    drawGarment(sheet, head, neckline, colour, extra);
    sheet.line(necklinePath(head, neckline), darker(colour, 0.22), 17);
    sheet.line(necklinePath(head, neckline), lighter(colour, 0.12), 6, 0.5);
  };
  const none = () => {};
  switch (kind) {
    case 'tee':
    case 'scoop':
    case 'v':
    case 'boat':
      return { behind: none, front: () => plain(necklines[kind]) };
    case 'turtleneck':
      return { behind: none, front: () => drawTurtleneck(sheet, person, main, patterned) };
    case 'straps':
      return { behind: none, front: () => drawStraps(sheet, person, main, patterned) };
    case 'dungarees':
      return {
        behind: none,
        front: () => drawDungarees(sheet, person, main, () => plain(necklines.tee, second, undefined)),
      };
    case 'shirt':
      return {
        behind: none,
        front: () => {
          drawGarment(sheet, head, { at: 0.5, depth: 470, shape: 'v' }, main, patterned);
          drawShirtCollar(sheet, head, main);
        },
      };
    case 'blazer':
      return { behind: none, front: () => drawBlazer(sheet, person, main, second) };
    case 'cardigan':
      return {
        behind: none,
        front: () => drawOpenJacket(sheet, person, main, () => plain(necklines.tee, second, undefined)),
      };
    case 'hoodie':
      return {
        behind: () => drawHood(sheet, head, main, true),
        front: () => {
          plain(necklines.tee, main, undefined);
          drawHood(sheet, head, main, false);
        },
      };
    case 'scarf':
      return {
        behind: none,
        front: () => {
          plain(necklines.tee);
          drawScarf(sheet, person, second);
        },
      };
  }
}
