import { snapToPlaceCell } from '../../server/src/features/profiles/place/distance.ts';
import { readPlaces, type Place } from '../../server/src/features/profiles/place/import-places.ts';
import { choiceAt, type Random } from '../random.ts';
import type { DemoPlace } from './demo-member.ts';

/** This many members live in or near the cities of the demo accounts; in large demos, all others live worldwide. */
const neighbours = 2000;
/** Ada and Bo live in London, staff in Edinburgh and Dublin. */
const nearbyCities = [
  [60, 'London'],
  [11, 'Edinburgh'],
  [11, 'Dublin'],
  [5, 'Manchester'],
  [4, 'Bristol'],
  [3, 'Birmingham'],
  [3, 'Glasgow'],
  [3, 'Leeds'],
] as const;

/** About how far from the centre people live, in degrees of latitude (8 km); at most twice as far. */
const spreadDegrees = 0.07;

const places = readPlaces();
// The square root of the population, or half of the members would live in the ten largest cities.
const worldwide = places.map((place) => [Math.sqrt(place.population), place] as const);
const nearby = nearbyCities.map(([weight, name]) => [weight, placeNamed(name)] as const);

/** A home of member `number` in or around a city: the centre of its place cell. */
export function drawHome(number: number, random: Random): DemoPlace {
  const { name, country, latitude, longitude } = choiceAt(random.next(), number < neighbours ? nearby : worldwide);
  const offset = () => (random.next() + random.next() - 1) * 2 * spreadDegrees;
  const east = offset() / Math.cos((latitude * Math.PI) / 180);
  return { city: name, country, ...snapToPlaceCell(latitude + offset(), longitude + east) };
}

/** A home in the middle of the city `name`. */
export function homeIn(name: string): DemoPlace {
  const { country, latitude, longitude } = placeNamed(name);
  return { city: name, country, ...snapToPlaceCell(latitude, longitude) };
}

function placeNamed(name: string): Place {
  const place = places.find((each) => each.name === name);
  if (place === undefined) throw new RangeError(`${name} is not one of the places`);
  return place;
}
