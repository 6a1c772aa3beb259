import { placeMovesPerDay } from '#contract/constants.ts';
import { tooMany } from '../../../platform/http/app-error.ts';
import type { Db } from '../../../platform/db/db.ts';
import { snapToPlaceCell, type Point } from './place-cell.ts';
import { cellOf, distanceKm, pointOf } from '../view/distance.ts';
import { lastMoves, nearestPlace, noteMove, placeByName, placesByPrefix, type ProfileRow } from '../queries.ts';

const daySeconds = 86_400;
/** Further away than this a known place is no name for where someone is. */
const nearKm = 50;
const nearDegrees = 0.5;

/** Where a profile says its member lives. */
export type Place = Pick<ProfileRow, 'city' | 'country' | 'latitude' | 'longitude'>;

/** A place as callers give it: a point, or words. */
export type GivenPlace = Point | { city: string; country: string };

export const noPlace: Place = { city: null, country: null, latitude: null, longitude: null };

/**
 * What is kept of a given place: the centre of its cell and the name of the known place there. Words that name no known place
 * are kept as words, without coordinates; a point far from all known places is kept without words.
 */
export async function placeFrom(db: Db, given: GivenPlace, before: Place): Promise<Place> {
  if ('city' in given) {
    const known = await placeByName(db, given.city, given.country);
    if (known === undefined) return { ...noPlace, city: given.city, country: given.country };
    return { city: known.name, country: known.country, ...snapToPlaceCell(known.latitude, known.longitude) };
  }
  const cell = cellOf(given, pointOf(before));
  const nearest = await nearestPlace(db, cell, nearDegrees);
  const named = nearest !== undefined && distanceKm(cell, nearest) <= nearKm;
  return { city: named ? nearest.name : null, country: named ? nearest.country : null, ...cell };
}

/** Cities to choose from while a name is typed. */
export const suggestPlaces = placesByPrefix;

/** Whether two places differ in anything that is kept of them. */
export function isOtherPlace(one: Place, other: Place): boolean {
  return (
    one.city !== other.city ||
    one.country !== other.country ||
    one.latitude !== other.latitude ||
    one.longitude !== other.longitude
  );
}

/**
 * Counts a member's change of place, 5 in 24 hours; 429 beyond. The first place ever told is free, giving it up is not.
 * The profile's row must be locked.
 */
export async function countMove(tx: Db, accountId: string, before: Place, now: Date): Promise<void> {
  const moves = await lastMoves(tx, accountId, new Date(now.getTime() - daySeconds * 1000), placeMovesPerDay);
  if (!isOtherPlace(before, noPlace) && moves.length === 0) return;
  const oldest = moves.at(-1);
  if (moves.length >= placeMovesPerDay && oldest !== undefined) {
    const seconds = daySeconds - (now.getTime() - oldest.getTime()) / 1000;
    throw tooMany(`You can move ${placeMovesPerDay} times a day`, seconds);
  }
  await noteMove(tx, accountId, now, daySeconds);
}
