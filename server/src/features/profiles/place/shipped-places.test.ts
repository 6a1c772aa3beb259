import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { changeLocation, searchPlaces } from '#contract/profiles/profiles.ts';
import { makeMember } from '../../../../test/factories.ts';
import { geoNamesLine } from '../../../../test/geonames.ts';
import { startAppForTests } from '../../../../test/harness.ts';
import { importGeoNames, openDump } from './import-geonames.ts';
import { importPlaces, readPlaces } from './import-places.ts';
import { snapToPlaceCell } from './distance.ts';
import { loadShippedPlaces } from './shipped-places.ts';

const app = startAppForTests();
let folder: string;
const village = (name: string, index: number) =>
  geoNamesLine({ name: `${name} ${index}`, latitude: String(index / 20), longitude: String(index / 20) });
/** More lines than one batch reads. */
const villages = Array.from({ length: 1500 }, (_, index) => village('Bygd', index));
/** The seat of a municipality without people, about eight kilometres from the town with the same name. */
const seatOf = (name: string) =>
  geoNamesLine({ name, code: 'PPLA2', country: 'PT', latitude: '41.45', population: '0' });
const townOf = (name: string) => geoNamesLine({ name, country: 'PT', latitude: '41.38', population: '4066' });
const at = (latitude: string, longitude: string) => ({ latitude, longitude });
const american = (name: string, region: string, population: string, place: ReturnType<typeof at>) =>
  geoNamesLine({ name, country: 'US', region, population, ...place });
/** The first one is read with other lines than its town. */
const seats = [seatOf('Vizela'), seatOf('Sever')];
const towns = [
  ...seats.slice(1),
  townOf('Sever'),
  townOf('Vizela'),
  geoNamesLine({ id: '3133895', name: 'Tromsø', others: 'Romsa', ...at('69.65', '18.96'), population: '64448' }),
  american('Springfield', 'IL', '116565', at('39.8', '-89.64')),
  american('Springfield', 'MO', '166810', at('37.22', '-93.3')),
  american('Springfield', 'VT', '3979', at('43.3', '-72.48')),
  american('Portland', 'ME', '68408', at('43.66', '-70.26')),
  american('Portland', 'OR', '652503', at('45.52', '-122.68')),
  geoNamesLine({
    id: '2771606',
    name: 'Mieming',
    others: 'Miming',
    code: 'PPLA3',
    country: 'AT',
    region: '07',
    ...at('47.3', '10.98'),
    population: '0',
  }),
  geoNamesLine({ name: 'Hytte', population: '999' }),
  geoNamesLine({ name: 'Seter', population: '0' }),
  geoNamesLine({ name: 'Vik', code: 'PPLA3', population: '999' }),
];
const write = async (lines: readonly string[]) => {
  const path = join(folder, 'towns.txt');
  await writeFile(path, lines.join('\n'));
  return path;
};
const places = async () => (await app.pool.query<{ count: number }>('select count(*)::int from place')).rows[0]?.count;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'heartwood-places-'));
  await importPlaces(app.pool);
});
afterAll(async () => {
  await rm(folder, { recursive: true });
});

const suggested = async (search: string, home: { city: string; country: string } | null = null) => {
  const { token } = await makeMember(app, { city: null, country: null });
  if (home !== null) await app.call(changeLocation, { token, body: home });
  const { body } = await app.call(searchPlaces, { token, query: { search } });
  return body.data.places.map(({ city, region, country }) => [city, ...(region ? [region] : []), country].join(', '));
};
const cellOf = async (city: string, country: string) => {
  const { id, token } = await makeMember(app, { city: null, country: null });
  const { body } = await app.call(changeLocation, { token, body: { city, country } });
  const { latitude, longitude } = await app.db
    .selectFrom('profile')
    .select(['latitude', 'longitude'])
    .where('account_id', '=', id)
    .executeTakeFirstOrThrow();
  return { ...body.data.location, latitude, longitude };
};

// The first test loads the towns.
describe('the towns that come with the product', { shuffle: false }, () => {
  test('are loaded once, even after an interrupted run, without those known to have fewer than 1,000 people', async () => {
    const broken = [
      ...seats.slice(0, 1),
      ...villages.slice(0, 1200),
      'x'.repeat(200_000),
      ...villages.slice(1201),
      ...towns,
    ];
    await expect(loadShippedPlaces(app.pool, await write(broken))).rejects.toThrow('This is not a GeoNames dump');
    const half = await places();
    expect(half).toBeGreaterThan(readPlaces().length);

    const whole = await write([...seats.slice(0, 1), ...villages, ...towns]);
    await Promise.all([loadShippedPlaces(app.pool, whole), loadShippedPlaces(app.pool, whole)]);
    await loadShippedPlaces(app.pool, whole);
    // Portland in Oregon is in our own list, three villages are too small, and one seat is its town.
    expect(await places()).toBe(readPlaces().length + villages.length + towns.length - 5);
  });

  test('are found by the start of any of their names', async () => {
    expect(await suggested('troms')).toEqual(['Tromsø, Norway']);
    expect(await suggested('Romsa')).toContain('Tromsø, Norway');
    // The seat of a municipality, whose people the data set counts elsewhere.
    expect(await suggested('miem')).toEqual(['Mieming, Austria']);
    // The town itself, not also its seat.
    for (const one of ['Vizela', 'Sever']) {
      expect(await suggested(one)).toEqual([`${one}, Portugal`]);
      expect(await cellOf(one, 'Portugal')).toMatchObject(snapToPlaceCell(41.38, 6.15));
    }
    for (const small of ['hytte', 'seter', 'vik']) expect(await suggested(small)).toEqual([]);
    expect(await cellOf('Tromso', 'Norge')).toEqual({
      city: 'Tromsø',
      country: 'Norway',
      ...snapToPlaceCell(69.65, 18.96),
    });
  });

  test('are named with their region if the country has several of that name, the larger first', async () => {
    expect(await suggested('springf')).toEqual([
      'Springfield, Missouri, United States',
      'Springfield, Illinois, United States',
      'Springfield, Vermont, United States',
    ]);
    expect(await suggested('Portland')).toEqual(['Portland, Oregon, United States', 'Portland, Maine, United States']);
  });

  test('are sorted differently for someone who lives near one of them', async () => {
    const [first] = await suggested('springf', { city: 'Springfield, Vermont', country: 'United States' });
    expect(first).toBe('Springfield, Vermont, United States');
  });

  test.each([
    ['Springfield, Illinois', 39.8, -89.64],
    ['springfield,  vermont', 43.3, -72.48],
    ['Springfield', 37.22, -93.3],
  ])('are chosen by the region in a text: %s', async (city, latitude, longitude) => {
    expect(await cellOf(city, 'United States')).toEqual({
      city: 'Springfield',
      country: 'United States',
      ...snapToPlaceCell(latitude, longitude),
    });
  });

  test('are replaced by those that the operator imports', async () => {
    const path = await write([
      geoNamesLine({ id: '3133895', name: 'Romssa', latitude: '69.66', longitude: '18.96', population: '78000' }),
    ]);
    const before = await places();
    await importGeoNames(app.pool, await openDump(path));
    await loadShippedPlaces(app.pool, path);
    expect(await places()).toBe(before);
    expect(await suggested('roms')).toContain('Romssa, Norway');
    expect(await suggested('troms')).toEqual(['Romssa, Norway']);
  });
});
