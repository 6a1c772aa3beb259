import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import type pg from 'pg';

export interface Place {
  name: string;
  country: string;
  latitude: number;
  longitude: number;
  population: number;
}

const placesFile = resolve(import.meta.dirname, '../../../../data/places.csv');

/** The large cities of all continents, known from the start. */
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

/** Local names of large cities: alias, our name, country. */
function readAliases(): string[][] {
  const [, ...lines] = readFileSync(aliasesFile, 'utf8').trim().split(/\r?\n/);
  return lines.map((line) => line.split(','));
}

const columnsOf = (rows: readonly string[][], count: number) =>
  Array.from({ length: count }, (_, column) => rows.map((row) => row[column] ?? ''));

/** Adds the places that the database does not have yet; two processes at once add them once. */
export async function importPlaces(pool: pg.Pool): Promise<void> {
  const places = readPlaces();
  const client = await pool.connect();
  try {
    await client.query('begin');
    // A process that waits here sees what the other one added.
    await client.query('lock table place in share row exclusive mode');
    await client.query(
      `insert into place (name, country, latitude, longitude, population)
       select n.* from unnest($1::text[], $2::text[], $3::float8[], $4::float8[], $5::int[])
         as n (name, country, latitude, longitude, population)
       where not exists (select from place p where lower(p.name) = lower(n.name) and lower(p.country) = lower(n.country))`,
      [
        places.map(({ name }) => name),
        places.map(({ country }) => country),
        places.map(({ latitude }) => latitude),
        places.map(({ longitude }) => longitude),
        places.map(({ population }) => population),
      ],
    );
    await client.query(
      `insert into place_alias (alias, name, country)
       select * from unnest($1::text[], $2::text[], $3::text[]) on conflict do nothing`,
      columnsOf(readAliases(), 3),
    );
    await client.query('commit');
    client.release();
  } catch (error) {
    client.release(true);
    throw error;
  }
}
