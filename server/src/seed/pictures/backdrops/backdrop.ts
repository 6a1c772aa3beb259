import type { Random } from '../../random.ts';
import type { Sheet } from '../drawing/sheet.ts';
import { forest, leaves, meadow } from './leaves.ts';
import { arches, disc, sunlight, waves } from './plain.ts';
import { atTheWindow, gallery } from './rooms.ts';
import { bookshelf, kitchen } from './shelves.ts';
import { cityAtDusk, lights, street } from './town.ts';
import { mountains, park, sea, starlight } from './views.ts';

const backdrops = [
  disc,
  waves,
  arches,
  sunlight,
  leaves,
  park,
  sea,
  mountains,
  forest,
  starlight,
  meadow,
  cityAtDusk,
  street,
  lights,
  bookshelf,
  atTheWindow,
  kitchen,
  gallery,
];

/** What is behind somebody; its main colour is answered. */
export function drawBackdrop(sheet: Sheet, random: Random): string {
  return random.pick(backdrops)(sheet, random);
}
