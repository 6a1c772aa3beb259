import { readFileSync } from 'node:fs';
import type { FileHandle } from 'node:fs/promises';
import { resolve } from 'node:path';
import { placeNameMaxLength } from '#contract/constants.ts';
import { folded } from '#contract/folding.ts';
import { countryName } from '#contract/profiles/countries.ts';
import { StartError } from '#platform/process/lifecycle.ts';
import type { Place } from './known-place.ts';

/** A town of a GeoNames dump. */
export interface Town extends Place {
  /** Its number there. */
  geonameId: number;
  /** Its state, province or other first-order division, in English. */
  region: string | null;
  /** Its other names, without those that only repeat one in an alphabet that few people there read. */
  spellings: string[];
}

/** The content of a line of a GeoNames dump: a town, and whether it is the seat of a municipality or more, something we don't import, or what is wrong with the line. */
type GeoNamesLine = { town: Town; names: string[]; isSeat: boolean } | { isLeftOut: true } | { fault: string };

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
  const [countryCode = '', division = '', population = ''] = [columns[8], columns[10], columns[14]];
  if (!/^\uFEFF?\d{1,9}$/.test(id)) return { fault: 'does not begin with a number' };
  if (kind !== 'P' || notTowns.includes(code)) return { isLeftOut: true };
  if (name.trim() === '') return { fault: 'has no name' };
  if (name.length > placeNameMaxLength) return { fault: 'has too long a name' };
  if (/[\p{Cc}\uFFFD]/u.test(name)) return { fault: 'has a name that cannot be read' };
  if (!isDegrees(latitude, 90)) return { fault: 'has no latitude' };
  if (!isDegrees(longitude, 180)) return { fault: 'has no longitude' };
  if (!/^\d*$/.test(population) || Number(population) > mostPeople) return { fault: 'has no number of people' };
  const country = countryName(countryCode);
  if (country === undefined) return { fault: 'names no country' };
  const names = [name, ascii, ...others.split(',')];
  return {
    town: {
      geonameId: Number(id.replace('\uFEFF', '')),
      name: name.trim(),
      country,
      region: regionName(`${countryCode}.${division}`),
      latitude: Number(latitude),
      longitude: Number(longitude),
      population: Number(population),
      spellings: spellingsOf(names, countryCode, Number(population)),
    },
    names,
    isSeat: /^PPL[ACG]/.test(code),
  };
}

const regionsFile = resolve(import.meta.dirname, '../../../../data/regions.csv');
let regions: ReadonlyMap<string, string> | undefined;

/** The name of a first-order division by GeoNames' code, such as `US.IL`, or null. */
function regionName(code: string): string | null {
  regions ??= new Map(
    readFileSync(regionsFile, 'utf8')
      .split('\n')
      .map((line) => [line.slice(0, line.indexOf(',')), line.slice(line.indexOf(',') + 1)]),
  );
  return regions.get(code) ?? null;
}

/**
 * Towns with this many people are known by their names in every alphabet, smaller ones by names in Latin letters and in their country's
 * script.
 */
const knownAbroad = 15_000;
/** Transcriptions that no one uses, airport codes, and URLs. */
const isNoName = /^\p{Ll}|^[A-Z]{3,4}$|[/:\p{Cc}\uFFFD]/u;
const isLatin = /\p{Script=Latin}/u;
/** The scripts of countries, recognized by name; people in all other countries write Latin letters. */
const scripts: Record<string, RegExp> = {
  Arab: /\p{Script=Arabic}/u,
  Armn: /\p{Script=Armenian}/u,
  Beng: /\p{Script=Bengali}/u,
  Cyrl: /\p{Script=Cyrillic}/u,
  Deva: /\p{Script=Devanagari}/u,
  Ethi: /\p{Script=Ethiopic}/u,
  Geor: /\p{Script=Georgian}/u,
  Grek: /\p{Script=Greek}/u,
  Hans: /\p{Script=Han}/u,
  Hant: /\p{Script=Han}/u,
  Hebr: /\p{Script=Hebrew}/u,
  Jpan: /\p{Script=Han}|\p{Script=Hiragana}|\p{Script=Katakana}/u,
  Khmr: /\p{Script=Khmer}/u,
  Kore: /\p{Script=Hangul}/u,
  Laoo: /\p{Script=Lao}/u,
  Mymr: /\p{Script=Myanmar}/u,
  Sinh: /\p{Script=Sinhala}/u,
  Thaa: /\p{Script=Thaana}/u,
  Thai: /\p{Script=Thai}/u,
  Tibt: /\p{Script=Tibetan}/u,
};

/** Recognizes the script in which most people of a country write. */
const scriptOf = (countryCode: string): RegExp =>
  scripts[new Intl.Locale(`und-${countryCode}`).maximize().script ?? ''] ?? isLatin;

/** The names by which people look for a town, each spelling once. */
function spellingsOf(names: readonly string[], countryCode: string, population: number): string[] {
  const local = scriptOf(countryCode);
  const isRead = (name: string) => population >= knownAbroad || isLatin.test(name) || local.test(name);
  const found = new Map<string, string>();
  for (const name of names.map((one) => one.trim())) {
    if (isNoName.test(name) || !/\p{L}/u.test(name) || name.length > placeNameMaxLength || !isRead(name)) continue;
    const key = folded(name);
    if (!found.has(key)) found.set(key, name);
  }
  // Places are found by their main name anyway.
  return [...found.values()].slice(1);
}

/** Longer than any line of a dump, in which alternate names take up to 10,000 characters. */
const longestLine = 100_000;

/** The error for a file that isn't a dump. */
export const notADump = () =>
  new StartError(
    'This is not a GeoNames dump: lines of tab-separated columns were expected, as in cities500.txt (unpacked). Nothing was changed.',
  );

/** The lines of a dump, in batches. Throws a `StartError` for a file of longer lines. */
export async function* linesOf(file: FileHandle): AsyncGenerator<string[]> {
  let rest = '';
  for await (const chunk of file.createReadStream({ encoding: 'utf8' })) {
    const lines = (rest + String(chunk)).split('\n');
    rest = lines.pop() ?? '';
    if (rest.length > longestLine) throw notADump();
    yield lines;
  }
  if (rest !== '') yield [rest];
}
