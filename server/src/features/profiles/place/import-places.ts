import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import type pg from 'pg';
import { isNamedLike, type Place } from './known-place.ts';

const placesFile = resolve(import.meta.dirname, '../../../../data/places.csv');

/** The large cities of all continents, which are known from the start. */
export function readPlaces(): Place[] {
  const [, ...lines] = readFileSync(placesFile, 'utf8').trim().split(/\r?\n/);
  return lines.map((line) => {
    const [name = '', country = '', latitude, longitude, population] = line.split(',');
    return {
      name,
      country,
      latitude: Number(latitude),
      longitude: Number(longitude),
      population: Number(population),
    };
  });
}

const aliasesFile = resolve(import.meta.dirname, '../../../../data/place-aliases.csv');

/** Other names of cities, in their own and other languages and from former times: alias, our name, country. */
export function readAliases(): string[][] {
  const [, ...lines] = readFileSync(aliasesFile, 'utf8').trim().split(/\r?\n/);
  return lines.map((line) => line.split(','));
}

const columnsOf = (rows: readonly string[][], count: number) =>
  Array.from({ length: count }, (_, column) => rows.map((row) => row[column] ?? ''));

/** Adds the places that the database does not have yet. Two processes at once add them only once. */
export async function importPlaces(pool: pg.Pool): Promise<void> {
  const places = readPlaces();
  const aliases = columnsOf(readAliases(), 3);
  const client = await pool.connect();
  try {
    await client.query('begin');
    // A process that waits for the lock then sees what the other one added.
    await client.query('lock table place in share row exclusive mode');
    await client.query(
      `insert into place (name, country, latitude, longitude, population)
       select n.* from unnest($1::text[], $2::text[], $3::float8[], $4::float8[], $5::int[])
         as n (name, country, latitude, longitude, population)
       where not exists (select from place p where ${isNamedLike('n')})`,
      [
        places.map(({ name }) => name),
        places.map(({ country }) => country),
        places.map(({ latitude }) => latitude),
        places.map(({ longitude }) => longitude),
        places.map(({ population }) => population),
      ],
    );
    await client.query(
      `insert into place_spelling (place_id, name, population, cell)
       select p.id, n.alias, p.population, logic.place_cell(p.latitude, p.longitude) from unnest($1::text[], $2::text[], $3::text[]) as n (alias, name, country)
       join place p on ${isNamedLike('n')} and p.geoname_id is null
       on conflict do nothing`,
      aliases,
    );
    await client.query('commit');
    client.release();
  } catch (error) {
    client.release(true);
    throw error;
  }
}

/** Two places with the same name that are closer than this, in degrees, are the same town. */
const nearDegrees = 0.3;

/** Returns a function that finds a town in our own list under any of its names. */
export function ownTowns(): (town: Place, names: readonly string[]) => Place | undefined {
  const byName = Map.groupBy(readPlaces(), ({ name }) => name.toLowerCase());
  return ({ latitude, longitude }, names) => {
    const isThere = (own: Place) =>
      Math.abs(own.latitude - latitude) < nearDegrees &&
      Math.abs(own.longitude - longitude) * Math.cos((latitude * Math.PI) / 180) < nearDegrees;
    for (const name of names) {
      const known = byName.get(name.toLowerCase())?.find(isThere);
      if (known !== undefined) return known;
    }
    return undefined;
  };
}
