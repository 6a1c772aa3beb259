import { snapToPlaceCell } from '../features/profiles/place/place-cell.ts';
import type { DemoPlace } from './demo-member.ts';
import { readPlaces, type Place } from './places.ts';
import type { Random } from './random.ts';

/** Cities in the order of the file, each with the share of people who live in it or in one before it. */
const cities = withShares(readPlaces());

/** About how far from the centre people live, degrees of latitude. */
const spreadDegrees = 0.05;

function withShares(places: Place[]): { place: Place; share: number }[] {
  // The root of the population, or half of the members would live in the ten largest cities.
  const weights = places.map(({ population }) => Math.sqrt(population));
  const total = weights.reduce((sum, weight) => sum + weight);
  let sum = 0;
  return places.map((place, i) => {
    sum += weights[i] ?? 0;
    return { place, share: sum / total };
  });
}

/** A home in or around a city, larger ones more often: the centre of its place cell. */
export function drawHome(random: Random): DemoPlace {
  const { name, country, latitude, longitude } = drawCity(random.next());
  const north = (random.next() + random.next() - 1) * 2 * spreadDegrees;
  const east = ((random.next() + random.next() - 1) * 2 * spreadDegrees) / Math.cos((latitude * Math.PI) / 180);
  return { city: name, country, ...snapToPlaceCell(latitude + north, longitude + east) };
}

/** The home of somebody who lives in the middle of the city `name`. */
export function homeIn(name: string): DemoPlace {
  const place = cities.find((city) => city.place.name === name)?.place;
  if (place === undefined) throw new RangeError(`${name} is not among the places`);
  return { city: name, country: place.country, ...snapToPlaceCell(place.latitude, place.longitude) };
}

/** The city at `position` (0…1) of all people. */
function drawCity(position: number): Place {
  let low = 0;
  let high = cities.length - 1;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((cities[middle]?.share ?? 1) > position) high = middle;
    else low = middle + 1;
  }
  const city = cities[low];
  if (city === undefined) throw new RangeError('there are no places');
  return city.place;
}
