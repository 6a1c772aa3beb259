import { placeNameMaxLength } from '#contract/constants.ts';
import { readPlaces, type Place } from './places.ts';

/** A line of a GeoNames dump: a town, something we do not keep, or what is wrong with it. */
export type GeoNamesLine = { town: Place; names: string[] } | { isLeftOut: true } | { fault: string };

const leastColumns = 15;
/** Parts of towns, which are too exact for a profile, and abandoned places. */
const notTowns = ['PPLX', 'PPLH', 'PPLQ', 'PPLW', 'PPLCH'];
const mostPeople = 2_147_483_647;

const regions = new Intl.DisplayNames(['en'], { type: 'region', fallback: 'none' });
/** Countries that our own list names differently. */
const ourCountries: Record<string, string> = {
  BA: 'Bosnia and Herzegovina',
  CD: 'DR Congo',
  CG: 'Congo',
  CI: "Côte d'Ivoire",
  HK: 'China',
  MM: 'Myanmar',
  TT: 'Trinidad and Tobago',
};

/** The English name of a two-letter country code, as in our own list; undefined if there is none. */
export function countryName(code: string): string | undefined {
  return /^(?!ZZ)[A-Z]{2}$/.test(code) ? (ourCountries[code] ?? regions.of(code)) : undefined;
}

const isDegrees = (text: string, most: number) => /^-?\d{1,3}(\.\d+)?$/.test(text) && Math.abs(Number(text)) <= most;

/** Reads one line: tab-separated columns in the order of https://download.geonames.org/export/dump/readme.txt. */
export function readGeoNamesLine(line: string): GeoNamesLine {
  const columns = line.replace(/\r$/, '').split('\t');
  if (columns.length < leastColumns) return { fault: 'has too few columns' };
  const [id = '', name = '', ascii = '', others = '', latitude = '', longitude = '', kind, code = ''] = columns;
  const [countryCode = '', population = ''] = [columns[8], columns[14]];
  if (!/^\uFEFF?\d+$/.test(id)) return { fault: 'does not begin with a number' };
  if (kind !== 'P' || notTowns.includes(code)) return { isLeftOut: true };
  if (name.trim() === '') return { fault: 'has no name' };
  if (name.length > placeNameMaxLength) return { fault: 'has too long a name' };
  if (/[\p{Cc}\uFFFD]/u.test(name)) return { fault: 'has a name that cannot be read' };
  if (!isDegrees(latitude, 90)) return { fault: 'has no latitude' };
  if (!isDegrees(longitude, 180)) return { fault: 'has no longitude' };
  if (!/^\d*$/.test(population) || Number(population) > mostPeople) return { fault: 'has no number of people' };
  const country = countryName(countryCode);
  if (country === undefined) return { fault: 'names no country' };
  return {
    town: {
      name: name.trim(),
      country,
      latitude: Number(latitude),
      longitude: Number(longitude),
      population: Number(population),
    },
    names: [name, ascii, ...others.split(',')],
  };
}

/** Two places of one name that are closer than this, in degrees, are the same town. */
const nearDegrees = 0.3;

/** A function that tells whether our own list has a town under any of its names. */
export function ownTowns(): (town: Place, names: readonly string[]) => boolean {
  const byName = Map.groupBy(readPlaces(), ({ name }) => name.toLowerCase());
  return ({ latitude, longitude }, names) => {
    const isThere = (own: Place) =>
      Math.abs(own.latitude - latitude) < nearDegrees &&
      Math.abs(own.longitude - longitude) * Math.cos((latitude * Math.PI) / 180) < nearDegrees;
    return names.some((name) => byName.get(name.toLowerCase())?.some(isThere) === true);
  };
}
