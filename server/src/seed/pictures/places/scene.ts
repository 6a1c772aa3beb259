import type { Random } from '../../random.ts';
import type { Sheet } from '../drawing/sheet.ts';

/** A whole picture of a place or a thing. */
export type Scene = (sheet: Sheet, random: Random) => void;

/** What rooms and houses are painted with. */
export const warmWalls = ['#ecdcc0', '#d9b79c', '#b9c0a2', '#a9bac4', '#c88f7c', '#e3bd78', '#75876b', '#5f7690'];
