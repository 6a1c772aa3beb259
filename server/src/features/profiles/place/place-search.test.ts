import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { changeLocation, searchPlaces } from '#contract/profiles/profiles.ts';
import { makeMember } from '../../../../test/factories.ts';
import { startApp, type TestApp } from '../../../../test/harness.ts';
import { importPlaces } from './import-places.ts';

let app: TestApp;
beforeAll(async () => {
  app = await startApp();
  await importPlaces(app.pool);
});
afterAll(() => app.close());

describe('cities to choose from', () => {
  const search = async (text: string) =>
    (await app.call(searchPlaces, { token: (await makeMember(app)).token, query: { search: text } })).body.data.places;

  test('match by prefix, ignoring case, largest first, eight at most', async () => {
    const places = await search('lO');
    expect(places.length).toBeGreaterThan(1);
    expect(places.length).toBeLessThanOrEqual(8);
    for (const { city } of places) expect(city.toLowerCase().startsWith('lo')).toBe(true);
    expect((await search('prag'))[0]).toEqual({ city: 'Prague', country: 'Czechia' });
  });

  test('start with the city of exactly that name, however small', async () => {
    await app.pool.query(
      `insert into place (name, country, latitude, longitude, population) values ('San', 'Mali', 13.3, -4.9, 1)`,
    );
    expect((await search('san'))[0]).toEqual({ city: 'San', country: 'Mali' });
  });

  test.each([
    ['münch', 'Munich'],
    ['munch', 'Munich'],
    ['Zür', 'Zurich'],
    ['Köln', 'Cologne'],
    ['wie', 'Vienna'],
    ['Sao P', 'São Paulo'],
    ['東京', 'Tokyo'],
    ['İst', 'Istanbul'],
    ['Моск', 'Moscow'],
  ])('are found as %s: %s', async (typed, city) => {
    expect((await search(typed)).map((place) => place.city)).toContain(city);
  });

  test('set the location for any accepted spelling', async () => {
    const member = await makeMember(app, { city: null, country: null });
    const words = { city: 'zürich', country: 'switzerland' };
    expect((await app.call(changeLocation, { token: member.token, body: words })).body.data.location).toEqual({
      city: 'Zurich',
      country: 'Switzerland',
    });
  });

  test('treat special characters literally', async () => {
    for (const text of ['%%', '__', 'a_', '\\%', "' or 1=1"]) expect(await search(text)).toEqual([]);
  });

  test('require two letters', async () => {
    const { status } = await app.call(searchPlaces, { token: (await makeMember(app)).token, query: { search: 'p' } });
    expect(status).toBe(400);
  });
});
