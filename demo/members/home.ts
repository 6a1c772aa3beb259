import { snapToPlaceCell } from '../../server/src/features/profiles/place/distance.ts';
import { readPlaces } from '../../server/src/features/profiles/place/import-places.ts';
import type { Place } from '../../server/src/features/profiles/place/known-place.ts';
import { choiceAt, type Random } from '../random.ts';
import type { DemoPlace } from './demo-member.ts';

/** The number of members who live in or near the cities of the demo accounts; everyone else lives somewhere in the world. */
const neighbours = 2000;
/** Ada and Bo live in London; the other towns are 10 to 30 km from there. Staff live in Edinburgh and Dublin. */
const nearbyCities = [
  [52, 'London'],
  [6, 'Enfield'],
  [6, 'Harrow'],
  [6, 'Watford'],
  [6, 'Romford'],
  [6, 'Bromley'],
  [6, 'Wimbledon'],
  [6, 'Kingston upon Thames'],
  [3, 'Edinburgh'],
  [3, 'Dublin'],
] as const;

/** The typical distance from the centre in degrees of latitude (8 km in a large city, else 2 km); at most twice as far. */
const spreadDegrees = { city: 0.07, town: 0.02 };
const cityPopulation = 500_000;

const places = readPlaces();
// Weighted by the square root, because otherwise half of the members would live in the ten largest cities.
const worldwide = places.map((place) => [Math.sqrt(place.population), place] as const);
const nearby = nearbyCities.map(([weight, name]) => [weight, placeNamed(name)] as const);

/** A home for member `number` in or around a city: the centre of a place cell. */
export function drawHome(number: number, random: Random): DemoPlace {
  const home = choiceAt(random.next(), number < neighbours ? nearby : worldwide);
  const { name, country, latitude, longitude, population } = home;
  const spread = population < cityPopulation ? spreadDegrees.town : spreadDegrees.city;
  const offset = () => (random.next() + random.next() - 1) * 2 * spread;
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
