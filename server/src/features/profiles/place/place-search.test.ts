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
    for (const { city } of places) expect(city).toMatch(/^[LŁ][oó]/);
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
    ['Lodz', 'Łódź'],
    ['ŁODZ', 'Łódź'],
    ['ıstanbul', 'Istanbul'],
    ['ISTANBUL', 'Istanbul'],
    ['Koeln', 'Cologne'],
    ['Duesseld', 'Düsseldorf'],
    ['Du\u0308sseldorf', 'Düsseldorf'],
    ['Xi’an', "Xi'an"],
    ['Xian', "Xi'an"],
    ['St. Peters', 'Saint Petersburg'],
    ['Sankt Peters', 'Saint Petersburg'],
    ['St-Petersburg', 'Saint Petersburg'],
    ['Rio-de-Jan', 'Rio de Janeiro'],
    ['rio de jan', 'Rio de Janeiro'],
  ])('are found as %s: %s', async (typed, city) => {
    expect((await search(typed)).map((place) => place.city)).toContain(city);
  });

  test.each([
    ['zürich', 'switzerland', 'Zurich', 'Switzerland'],
    ['Istanbul', 'Turkey', 'Istanbul', 'Türkiye'],
    ['Praha', 'Czech Republic', 'Prague', 'Czechia'],
    ['München', 'Deutschland', 'Munich', 'Germany'],
    ['Lyon', 'FR', 'Lyon', 'France'],
    ['Sao Paulo', 'Brasil', 'São Paulo', 'Brazil'],
    ['Москва', 'Россия', 'Moscow', 'Russia'],
    ['東京', '日本', 'Tokyo', 'Japan'],
  ])('set the location for any accepted spelling: %s, %s', async (city, country, ...known) => {
    const member = await makeMember(app, { city: null, country: null });
    const { body } = await app.call(changeLocation, { token: member.token, body: { city, country } });
    expect(body.data.location).toEqual({ city: known[0], country: known[1] });
    expect(await app.db.selectFrom('profile').select('latitude').where('account_id', '=', member.id).execute()).toEqual(
      [{ latitude: expect.any(Number) }],
    );
  });

  test('treat special characters literally', async () => {
    for (const text of ['%%', '__', 'a_', '\\%', "' or 1=1"]) expect(await search(text)).toEqual([]);
  });

  test('require two letters', async () => {
    const { status } = await app.call(searchPlaces, { token: (await makeMember(app)).token, query: { search: 'p' } });
    expect(status).toBe(400);
  });
});
