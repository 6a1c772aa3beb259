import type { Random } from '../../random.ts';
import type { Sheet } from '../drawing/sheet.ts';
import { bicycle } from './bicycle.ts';
import { cat } from './cat.ts';
import { dog } from './dog.ts';
import { camp, nightCity } from './night.ts';
import { balloons, forestPath } from './outing.ts';
import { coffee, guitar } from './room.ts';
import { boat, lighthouse } from './sailing.ts';
import { beach, mountainLake } from './shore.ts';
import { flowers, records } from './table.ts';

const scenes = [
  mountainLake,
  coffee,
  bicycle,
  beach,
  forestPath,
  guitar,
  dog,
  boat,
  nightCity,
  cat,
  camp,
  balloons,
  lighthouse,
  flowers,
  records,
];

/** A place somebody likes, or a thing they do. */
export function drawPlace(sheet: Sheet, random: Random): void {
  random.pick(scenes)(sheet, random);
}
