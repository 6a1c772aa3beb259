import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { languages } from '#contract/languages.ts';
import { changeLocation, searchPlaces, searchUsers } from '#contract/profiles/profiles.ts';
import { makeMember } from '../../../../test/factories.ts';
import { startAppForTests } from '../../../../test/harness.ts';
import { importPlaces } from './import-places.ts';
import { noPlace, placeFrom } from './place.ts';

const app = startAppForTests();
beforeAll(async () => {
  await importPlaces(app.pool);
});

const named = languages.filter((language) => language !== 'en');

test.each(named)('every city is found by its name in %s, and becomes the same city again', async (language) => {
  const file = join(import.meta.dirname, `../../../../../locales/${language}/cities.json`);
  const names = Object.entries(JSON.parse(readFileSync(file, 'utf8')) as Record<string, string>);
  const found = await Promise.all(
    names.map(async ([place, name]) => {
      const given = { city: name, country: place.slice(place.lastIndexOf(', ') + 2) };
      const { city, country } = await placeFrom(app.db, given, noPlace);
      return `${city}, ${country}`;
    }),
  );
  expect(found).toEqual(names.map(([place]) => place));
});

describe('the city suggestions', () => {
  const search = async (text: string) =>
    (await app.call(searchPlaces, { token: (await makeMember(app)).token, query: { search: text } })).body.data.places;

  test('match by prefix, ignoring case, largest first, at most eight', async () => {
    const places = await search('lO');
    expect(places.length).toBeGreaterThan(1);
    expect(places.length).toBeLessThanOrEqual(8);
    expect(places[0]).toMatchObject({ city: 'London', country: 'United Kingdom' });
    expect((await search('prag'))[0]).toMatchObject({ city: 'Prague', country: 'Czechia' });
  });

  test('start with a city of exactly that name, however small', async () => {
    await app.pool.query(
      `insert into place (name, country, latitude, longitude, population) values ('San', 'Mali', 13.3, -4.9, 1)`,
    );
    expect((await search('san'))[0]).toMatchObject({ city: 'San', country: 'Mali' });
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
  ])('contain, for %s, the city %s', async (typed, city) => {
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
    ['東京都', '日本', 'Tokyo', 'Japan'],
    ['Hồ Chí Minh', 'Việt Nam', 'Ho Chi Minh City', 'Vietnam'],
    ['Київ', 'Україна', 'Kyiv', 'Ukraine'],
    ['القاهره', 'مصر', 'Cairo', 'Egypt'],
    ['New Delhi', 'India', 'Delhi', 'India'],
    ['ירושלים', 'ישראל', 'Jerusalem', 'Israel'],
    ['香港', '香港', 'Hong Kong', 'China'],
  ])('set the location from any accepted spelling: %s, %s', async (city, country, ...known) => {
    const member = await makeMember(app, { city: null, country: null });
    const { body } = await app.call(changeLocation, { token: member.token, body: { city, country } });
    expect(body.data.location).toEqual({ city: known[0], country: known[1] });
    expect(await app.db.selectFrom('profile').select('latitude').where('account_id', '=', member.id).execute()).toEqual(
      [{ latitude: expect.any(Number) }],
    );
  });

  test.each([
    ['Киев', 'Kyiv'],
    ['Минск', 'Minsk'],
    ['Алматы', 'Almaty'],
    ['Одесса', 'Odesa'],
    ['Харьков', 'Kharkiv'],
    ['Тель-Авив', 'Tel Aviv'],
    ['תל אביב', 'Tel Aviv'],
    ['תל־אביב', 'Tel Aviv'],
    ['بيروت', 'Beirut'],
    ['دبي', 'Dubai'],
    ['بغداد', 'Baghdad'],
    ['القاهره', 'Cairo'],
    ['القاهرة', 'Cairo'],
    ['الاسكندرية', 'Alexandria'],
    ['香港', 'Hong Kong'],
    ['台北', 'Taipei'],
    ['臺北市', 'Taipei'],
    ['北京市', 'Beijing'],
    ['東京都', 'Tokyo'],
    ['上海市', 'Shanghai'],
    ['大阪府', 'Osaka'],
    ['京都府', 'Kyoto'],
    ['京都', 'Kyoto'],
    ['서울특별시', 'Seoul'],
    ['부산시', 'Busan'],
    ['ঢাকা', 'Dhaka'],
    ['کراچی', 'Karachi'],
    ['كراچي', 'Karachi'],
    ['कोलकाता', 'Kolkata'],
    ['თბილისი', 'Tbilisi'],
    ['ᲗᲑᲘᲚᲘᲡᲘ', 'Tbilisi'],
    ['Երևան', 'Yerevan'],
    ['Hà Nội', 'Hanoi'],
    ['Ha Noi', 'Hanoi'],
    ['Sài Gòn', 'Ho Chi Minh City'],
    ['Hồ Chí Minh', 'Ho Chi Minh City'],
    ['С.-Петербург', 'Saint Petersburg'],
    ['г. Москва', 'Moscow'],
    ['New Delhi', 'Delhi'],
    ['Нью-Дели', 'Delhi'],
    ['नई दिल्ली', 'Delhi'],
    ['Jerusalem', 'Jerusalem'],
    ['ירושלים', 'Jerusalem'],
    ['القدس', 'Jerusalem'],
    ['Breslau', 'Wrocław'],
    ['Львов', 'Lviv'],
    ['Lwów', 'Lviv'],
    ['Peking', 'Beijing'],
    ['Bombay', 'Mumbai'],
  ])('start with an exact match for another complete name of a city: %s is %s', async (typed, city) => {
    expect((await search(typed))[0]).toMatchObject({ city, isExact: true });
  });

  test('are not marked as exact for a part of a name', async () => {
    expect((await search('Мос')).find(({ city }) => city === 'Moscow')).toMatchObject({ isExact: false });
  });

  test.each([
    ['Tel Aviv', 'תל אביב'],
    ['Saigon', 'Hồ Chí Minh'],
    ['Сайгон', 'Ho Chi Minh City'],
    ['東京都', 'Tokyo'],
  ])('work with any name of a city: %s finds members who stored %s', async (typed, city) => {
    const member = await makeMember(app, { city, country: 'Somewhere' });
    const query = { city: typed, country: 'Somewhere' };
    const { users } = (await app.call(searchUsers, { token: (await makeMember(app)).token, query })).body.data;
    expect(users.map(({ _id }) => _id)).toContain(member.id);
    await app.db.deleteFrom('account').where('id', '=', member.id).execute();
  });

  test('treat special characters literally', async () => {
    for (const text of ['%%', '__', 'a_', '\\%', "' or 1=1"]) expect(await search(text)).toEqual([]);
  });

  test('require two letters', async () => {
    const { status } = await app.call(searchPlaces, { token: (await makeMember(app)).token, query: { search: 'p' } });
    expect(status).toBe(400);
  });
});
