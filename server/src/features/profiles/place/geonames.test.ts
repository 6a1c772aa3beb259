import { describe, expect, it } from 'vitest';
import { countryName } from '#contract/profiles/countries.ts';
import { geoNamesLine } from '../../../../test/geonames.ts';
import { countryFrom } from './countries.ts';
import { readGeoNamesLine } from './geonames.ts';
import { ownTowns, readAliases, readPlaces } from './import-places.ts';

describe('a line of a GeoNames dump', () => {
  it('is read as a town with its country and region in English', () => {
    const line = geoNamesLine({
      id: '3163392',
      name: 'Ålesund',
      ascii: 'Alesund',
      others: 'Olesund,Алесунн',
      country: 'NO',
      population: '44096',
    });
    expect(readGeoNamesLine(line)).toEqual({
      town: {
        geonameId: 3_163_392,
        name: 'Ålesund',
        country: 'Norway',
        region: 'Oslo',
        latitude: 62.47,
        longitude: 6.15,
        population: 44_096,
        spellings: ['Olesund', 'Алесунн'],
      },
      names: ['Ålesund', 'Alesund', 'Olesund', 'Алесунн'],
      isSeat: false,
    });
  });

  it.each<[string, Parameters<typeof geoNamesLine>[0]]>([
    ['a mountain', { kind: 'T', code: 'MT' }],
    ['a part of a town', { code: 'PPLX' }],
    ['a ruin', { code: 'PPLW' }],
    ['abandoned', { code: 'PPLQ' }],
  ])('is skipped if the place is %s', (_what, changes) => {
    expect(readGeoNamesLine(geoNamesLine(changes))).toEqual({ isLeftOut: true });
  });

  it.each<[string, string]>([
    ['has too few columns', 'Oslo;Norway;59.91;10.75'],
    ['has too few columns', ''],
    ['does not begin with a number', geoNamesLine({ id: 'geonameid' })],
    ['has no name', geoNamesLine({ name: ' ' })],
    ['has too long a name', geoNamesLine({ name: 'x'.repeat(101) })],
    ['has a name that cannot be read', geoNamesLine({ name: '\uFFFDlesund' })],
    ['has a name that cannot be read', geoNamesLine({ name: 'Ale\u0000sund' })],
    ['has no latitude', geoNamesLine({ latitude: '' })],
    ['has no latitude', geoNamesLine({ latitude: '91' })],
    ['has no latitude', geoNamesLine({ latitude: '62,47' })],
    ['has no longitude', geoNamesLine({ longitude: '-180.5' })],
    ['has no number of people', geoNamesLine({ population: 'many' })],
    ['has no number of people', geoNamesLine({ population: '9999999999' })],
    ['names no country', geoNamesLine({ country: '' })],
    ['names no country', geoNamesLine({ country: 'ZZ' })],
    ['names no country', geoNamesLine({ country: 'Norway' })],
  ])('is reported if it %s', (fault, line) => {
    expect(readGeoNamesLine(line)).toEqual({ fault });
  });

  it.each<[string, string[], Parameters<typeof geoNamesLine>[0]]>([
    [
      'in Latin letters and those of its country',
      ['Калач', 'Kalatch'],
      { country: 'RU', others: 'Калач,卡拉奇,Kalatch' },
    ],
    ['in every alphabet, if it is large', ['Калач', '卡拉奇'], { population: '20000', others: 'Калач,卡拉奇' }],
    ['but not as transcriptions, codes and addresses', [], { others: 'ka la qi,KLC,https://kalach.example' }],
    ['each spelling once', ['Kalatch'], { others: 'KALACH,Kalatch,kálatch,Kalátch' }],
  ])('is known by its other names %s', (_how, spellings, columns) => {
    expect(readGeoNamesLine(geoNamesLine({ name: 'Kalach', ...columns }))).toMatchObject({ town: { spellings } });
  });

  it('may have Windows line endings, a byte order mark and no population', () => {
    expect(readGeoNamesLine(`\uFEFF${geoNamesLine({ population: '' })}\r`)).toMatchObject({ town: { population: 0 } });
  });
});

describe('our own list of towns', () => {
  it('has about 300 towns on all continents', () => {
    const towns = readPlaces();
    expect(towns.length).toBeGreaterThanOrEqual(300);
    expect(new Set(towns.map(({ name, country }) => `${name}, ${country}`)).size).toBe(towns.length);
    for (const { name, latitude, longitude, population } of towns) {
      expect(name).not.toBe('');
      expect(Math.abs(latitude) < 70 && Math.abs(longitude) <= 180 && population > 5000).toBe(true);
    }
    const some = ['Germany', 'Japan', 'Nigeria', 'Canada', 'Brazil', 'Australia'];
    expect(some.filter((country) => !towns.some((town) => town.country === country))).toEqual([]);
  });

  it('names each country as an import does', () => {
    const letters = Array.from({ length: 26 }, (_, index) => String.fromCharCode(65 + index));
    const imported = new Set(letters.flatMap((first) => letters.map((second) => countryName(first + second))));
    expect(readPlaces().filter(({ country }) => !imported.has(country))).toEqual([]);
  });

  it('contains each city that an alias refers to', () => {
    const towns = new Set(readPlaces().map(({ name, country }) => `${name}, ${country}`));
    const aliases = readAliases();
    expect(aliases.filter(([, name = '', country = '']) => !towns.has(`${name}, ${country}`))).toEqual([]);
    expect(
      aliases.filter((row) => row.length !== 3 || row.some((cell) => cell !== cell.trim() || cell === '')),
    ).toEqual([]);
    expect(new Set(aliases.map((row) => row.join())).size).toBe(aliases.length);
  });

  const ownTown = ownTowns();
  const town = { name: '', country: '', population: 0 };
  it.each<[string, boolean, string[], number, number]>([
    ['by its name', true, ['LONDON'], 51.508, -0.126],
    ['by another name', true, ['New York City', 'New York', 'NYC'], 40.714, -74.006],
    ['not by its name elsewhere', false, ['London'], 42.983, -81.233],
    ['not by its location alone', false, ['Croydon'], 51.383, -0.1],
  ])('checks whether a town is in it: %s', (_how, isKnown, names, latitude, longitude) => {
    expect(ownTown({ ...town, latitude, longitude }, names) !== undefined).toBe(isKnown);
  });
});

it.each([
  ['Turkey', 'Türkiye'],
  ['turkiye', 'Türkiye'],
  ['TÜRKIYE', 'Türkiye'],
  ['Czech Republic', 'Czechia'],
  ['Česko', 'Czechia'],
  ['Česká republika', 'Czechia'],
  ['Deutschland', 'Germany'],
  ['Allemagne', 'Germany'],
  ['FR', 'France'],
  ['fr', 'France'],
  ['UK', 'United Kingdom'],
  ['U.S.A.', 'United States'],
  ['United States of America', 'United States'],
  ['Россия', 'Russia'],
  ['中国', 'China'],
  ['日本', 'Japan'],
  ['مصر', 'Egypt'],
  ['ישראל', 'Israel'],
  ['भारत', 'India'],
  ['Ελλάδα', 'Greece'],
  ['Polska', 'Poland'],
  ['Cote d’Ivoire', "Côte d'Ivoire"],
  ['Holland', 'Netherlands'],
  ['Brasil', 'Brazil'],
  ['Atlantis', 'Atlantis'],
  ['', ''],
])('the English name of %j is %j', (written, name) => {
  expect(countryFrom(written)).toBe(name);
});

it('every country of our own list keeps its name', () => {
  for (const { country } of readPlaces()) expect(countryFrom(country)).toBe(country);
});
