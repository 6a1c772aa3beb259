import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import type pg from 'pg';
import { placeNameMaxLength } from '#contract/constants.ts';
import { countryName } from '#contract/profiles/countries.ts';
import { type FileHandle, open } from 'node:fs/promises';
import { copyRows } from '#platform/db/copy-rows.ts';
import { StartError } from '#platform/process/lifecycle.ts';

export interface Place {
  name: string;
  country: string;
  latitude: number;
  longitude: number;
  population: number;
}

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

const lower = (column: string) => `lower(${column} collate "und-x-icu")`;

/** Whether the place `p` has the name and the country of the row `other`, ignoring case; the index `place_name` finds it. */
const isNamedLike = (other: string) =>
  ['name', 'country'].map((column) => `${lower(`p.${column}`)} = ${lower(`${other}.${column}`)}`).join(' and ');

/** Adds the places that the database does not have yet. Two processes at once add them only once. */
export async function importPlaces(pool: pg.Pool): Promise<void> {
  const places = readPlaces();
  const aliases = columnsOf(readAliases(), 3);
  const client = await pool.connect();
  try {
    await client.query('begin');
    // A process that waits for the lock sees what the other one added.
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
      `insert into place_alias (alias, name, country)
       select * from unnest($1::text[], $2::text[], $3::text[]) on conflict do nothing`,
      aliases,
    );
    await client.query('commit');
    client.release();
  } catch (error) {
    client.release(true);
    throw error;
  }
}

/** The content of a line of a GeoNames dump: a town, something we don't import, or what is wrong with the line. */
type GeoNamesLine = { town: Place; names: string[] } | { isLeftOut: true } | { fault: string };

const leastColumns = 15;
/** Kinds of places that are skipped: parts of towns, which are too precise for a profile, and abandoned places. */
const notTowns = ['PPLX', 'PPLH', 'PPLQ', 'PPLW', 'PPLCH'];
const mostPeople = 2_147_483_647;

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

/** Two places with the same name that are closer than this, in degrees, are the same town. */
const nearDegrees = 0.3;

/** Returns a function that checks whether our own list has a town under any of its names. */
export function ownTowns(): (town: Place, names: readonly string[]) => boolean {
  const byName = Map.groupBy(readPlaces(), ({ name }) => name.toLowerCase());
  return ({ latitude, longitude }, names) => {
    const isThere = (own: Place) =>
      Math.abs(own.latitude - latitude) < nearDegrees &&
      Math.abs(own.longitude - longitude) * Math.cos((latitude * Math.PI) / 180) < nearDegrees;
    return names.some((name) => byName.get(name.toLowerCase())?.some(isThere) === true);
  };
}

/** The result of an import. */
export interface ImportReport {
  lines: number;
  added: number;
  /** The number of towns in our own list or from an earlier import. */
  known: number;
  /** The number of mountains, lakes, parts of towns and abandoned towns. */
  leftOut: number;
  broken: number;
  /** The first broken lines, with their numbers and what is wrong with them. */
  faults: { line: number; fault: string }[];
}

const townsAtOnce = 2000;
const faultsNamed = 10;
/** If this many first lines are all broken, the file is not a dump. */
const patienceLines = 1000;
/** Longer than any line of a dump, in which alternate names take up to 10,000 characters. */
const longestLine = 100_000;

const columns = ['name', 'country', 'latitude', 'longitude', 'population'] as const;

/** Opens a dump. Throws a `StartError` that says why the file cannot be read. */
export async function openDump(path: string): Promise<FileHandle> {
  const refused = (why: string) => new StartError(`${path} cannot be imported: ${why}.`);
  const file = await open(path).catch((error: unknown) => {
    const { code } = error as NodeJS.ErrnoException;
    throw refused(code === 'ENOENT' ? 'there is no such file' : `it cannot be read (${code})`);
  });
  if ((await file.stat()).isDirectory()) {
    await file.close();
    throw refused('it is a folder');
  }
  return file;
}

const notADump = () =>
  new StartError(
    'This is not a GeoNames dump: lines of tab-separated columns were expected, as in cities500.txt (unpacked). Nothing was changed.',
  );

/** The lines of a file, in batches. */
async function* linesOf(file: FileHandle): AsyncGenerator<string[]> {
  let rest = '';
  for await (const chunk of file.createReadStream({ encoding: 'utf8' })) {
    const lines = (rest + String(chunk)).split('\n');
    rest = lines.pop() ?? '';
    if (rest.length > longestLine) throw notADump();
    yield lines;
  }
  if (rest !== '') yield [rest];
}

/**
 * Adds the towns of an open dump that are not known yet, either all of them or none. A town is known if one with its name and country lies
 * within 0.05°, or if our own list has it under another name. Existing places are not changed.
 */
export async function importGeoNames(pool: pg.Pool, file: FileHandle): Promise<ImportReport> {
  const client = await pool.connect();
  try {
    await client.query(`create temp table town as select ${columns.join(', ')} from place with no data`);
    // The file is read before the transaction, which locks the table.
    const report = await fillTowns(client, file);
    await client.query('begin');
    // A starting server adds places too.
    await client.query('lock table place in share row exclusive mode');
    await client.query('analyze town');
    const { rowCount } = await client.query(
      `insert into place (${columns.join(', ')})
       select distinct t.* from town t
       where not exists (
         select from place p where ${isNamedLike('t')}
           and abs(p.latitude - t.latitude) < 0.05 and abs(p.longitude - t.longitude) < 0.05)`,
    );
    await client.query('drop table town');
    await client.query('commit');
    client.release();
    const added = rowCount ?? 0;
    return { ...report, added, known: report.lines - report.leftOut - report.broken - added };
  } catch (error) {
    client.release(true);
    throw error;
  }
}

/** Writes the towns that are not in our own list into the table `town`, in batches. */
async function fillTowns(client: pg.ClientBase, file: FileHandle): Promise<ImportReport> {
  const report: ImportReport = { lines: 0, added: 0, known: 0, leftOut: 0, broken: 0, faults: [] };
  const isOwn = ownTowns();
  let towns: Pick<Place, (typeof columns)[number]>[] = [];
  for await (const lines of linesOf(file)) {
    for (const line of lines) {
      report.lines += 1;
      const read = readGeoNamesLine(line);
      if ('fault' in read) {
        report.broken += 1;
        if (report.faults.length < faultsNamed) report.faults.push({ line: report.lines, fault: read.fault });
        if (report.broken === patienceLines && report.lines === patienceLines) throw notADump();
      } else if ('isLeftOut' in read) report.leftOut += 1;
      else if (!isOwn(read.town, read.names)) towns.push({ ...read.town });
    }
    if (towns.length >= townsAtOnce) {
      await copyRows(client, 'town', towns);
      towns = [];
    }
  }
  if (report.broken === report.lines) throw notADump();
  await copyRows(client, 'town', towns);
  return report;
}
