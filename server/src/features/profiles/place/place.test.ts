import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { refreshToken } from '#contract/auth/session.ts';
import type { BodyInput } from '#contract/endpoint.ts';
import {
  changeLocation,
  completeProfile,
  editProfile,
  getProfile,
  searchPlaces,
  searchUsers,
} from '#contract/profiles/profiles.ts';
import { languages } from '#contract/languages.ts';
import { makeMember, type TestMember } from '../../../../test/factories.ts';
import { startAppForTests } from '../../../../test/harness.ts';
import { snapToPlaceCell } from './distance.ts';
import { importPlaces } from './import-places.ts';
import { noPlace, placeFrom } from './place.ts';

const app = startAppForTests();

describe('places of members', () => {
  beforeAll(async () => {
    await app.db
      .insertInto('place')
      .values([
        { name: 'Oslo', country: 'Norway', latitude: 59.91, longitude: 10.75, population: 700_000 },
        { name: 'São Paulo', country: 'Brazil', latitude: -23.55, longitude: -46.63, population: 12_000_000 },
        { name: 'Springfield', country: 'United States', latitude: 39.8, longitude: -89.64, population: 114_000 },
        { name: 'Springfield', country: 'United States', latitude: 37.21, longitude: -93.29, population: 169_000 },
      ])
      .execute();
  });

  const nowhere = { city: null, country: null } as const;
  const stored = (member: TestMember) =>
    app.db
      .selectFrom('profile')
      .select(['city', 'country', 'latitude', 'longitude'])
      .where('account_id', '=', member.id)
      .executeTakeFirstOrThrow();
  const moveTo = (member: TestMember, body: BodyInput<typeof changeLocation>) =>
    app.call(changeLocation, { token: member.token, body });
  /** A day later a member needs a new token. */
  const oneDayLater = async (member: TestMember, seconds = 24 * 3600): Promise<TestMember> => {
    app.clock.advance(seconds);
    const { body } = await app.call(refreshToken, { body: { refreshToken: member.refreshToken } });
    return { ...member, ...body.data };
  };

  const inOslo = { latitude: 59.9139, longitude: 10.7522 };

  describe('the location of a member', () => {
    test('is stored as the centre of its cell with the name of the known place there, when it is given as a point', async () => {
      const member = await makeMember(app, nowhere);
      const { body } = await moveTo(member, inOslo);
      expect(body.data.location).toEqual({ city: 'Oslo', country: 'Norway' });
      expect(await stored(member)).toEqual({ city: 'Oslo', country: 'Norway', ...snapToPlaceCell(59.9139, 10.7522) });
    });

    test('is stored without a name when it is far from every known place', async () => {
      const member = await makeMember(app, nowhere);
      const { body } = await moveTo(member, { latitude: -48.9, longitude: -123.4 });
      expect(body.data.location).toBeNull();
      expect(await stored(member)).toMatchObject({ city: null, country: null, latitude: expect.any(Number) });
    });

    test('is the largest known place of that name, ignoring case, when it is given by name', async () => {
      const member = await makeMember(app, nowhere);
      const paulo = await moveTo(member, { city: 'são PAULO', country: 'brazil' });
      expect(paulo.body.data.location).toEqual({ city: 'São Paulo', country: 'Brazil' });
      expect(await stored(member)).toMatchObject(snapToPlaceCell(-23.55, -46.63));
      await moveTo(member, { city: 'Springfield', country: 'United States' });
      expect(await stored(member)).toMatchObject(snapToPlaceCell(37.21, -93.29));
    });

    test('is stored as text without coordinates when the place is unknown', async () => {
      const member = await makeMember(app, nowhere);
      const { body } = await moveTo(member, { city: 'Entenhausen', country: 'Calisota' });
      expect(body.data.location).toEqual({ city: 'Entenhausen', country: 'Calisota' });
      expect(await stored(member)).toMatchObject({ latitude: null, longitude: null });
    });

    test('stays the same for all points of a cell, and until 30 % beyond its edge', async () => {
      const member = await makeMember(app, nowhere);
      const cell = snapToPlaceCell(inOslo.latitude, inOslo.longitude);
      const width = 0.03 / Math.cos((cell.latitude * Math.PI) / 180);
      await moveTo(member, cell);
      for (const share of [0.49, 0.6, 0.79, -0.79]) {
        await moveTo(member, { latitude: cell.latitude + share * 0.03, longitude: cell.longitude });
        await moveTo(member, { latitude: cell.latitude, longitude: cell.longitude + share * width });
        expect(await stored(member)).toMatchObject(cell);
      }
      await moveTo(member, { latitude: cell.latitude + 0.81 * 0.03, longitude: cell.longitude });
      expect(await stored(member)).not.toMatchObject(cell);
    });

    test.each([
      { latitude: 91, longitude: 0 },
      { latitude: 0, longitude: 181 },
      { latitude: '59', longitude: 10 },
      { latitude: 59 },
      { city: 'Oslo' },
      { city: '', country: '' },
      { city: 'Oslo', country: 'x'.repeat(101) },
      {},
    ])('is rejected when it is written as %j', async (body) => {
      const member = await makeMember(app, nowhere);
      const refused = await moveTo(member, body as never);
      expect(refused.status).toBe(400);
      expect(refused.error.errors).not.toHaveLength(0);
      expect(await stored(member)).toMatchObject({ city: null, latitude: null });
    });

    test('works at the poles and the 180th meridian', async () => {
      for (const point of [
        { latitude: 90, longitude: 180 },
        { latitude: -90, longitude: -180 },
        { latitude: 0, longitude: 180 },
        { latitude: 0, longitude: 1 },
      ]) {
        expect((await moveTo(await makeMember(app, nowhere), point)).status).toBe(200);
      }
    });

    test('is rejected without a country, and for the point that devices without a position send', async () => {
      const member = await makeMember(app, nowhere);
      const fieldsOf = async (body: object) =>
        (await moveTo(member, body as BodyInput<typeof changeLocation>)).error.errors?.map(({ field }) => field);
      expect(await fieldsOf({ city: 'Oslo' })).toEqual(['country']);
      expect(await fieldsOf({ country: 'Norway' })).toEqual(['city']);
      expect(await fieldsOf({ longitude: 10.7 })).toEqual(['latitude']);
      expect((await moveTo(member, { latitude: 0, longitude: 0 })).status).toBe(400);
    });
  });

  describe('changes of location', () => {
    const cityNumber = (n: number) => ({ city: `City ${n}`, country: 'Norway' });

    test('are limited to five a day: the sixth is rejected with the time to wait, and works after that', async () => {
      const member = await makeMember(app, nowhere);
      const start = app.clock.now();
      await app.call(completeProfile, { token: member.token, body: { location: cityNumber(0) } });
      for (let n = 1; n <= 5; n++) {
        expect((await moveTo(member, cityNumber(n))).status).toBe(200);
        app.clock.advance(60);
      }
      const refused = await moveTo(member, cityNumber(6));
      expect(refused.status).toBe(429);
      expect(refused.error.code).toBe('TOO_MANY_REQUESTS');
      // The day ends at midnight (UTC); the clock began at noon.
      expect(refused.headers['retry-after']).toBe(String(12 * 3600 - 300));
      const byEdit = await app.call(editProfile, { token: member.token, body: { bio: 'x', location: cityNumber(6) } });
      expect(byEdit.status).toBe(429);
      expect(await stored(member)).toMatchObject({ city: 'City 5' });
      const later = await oneDayLater(member, 12 * 3600 - 300);
      expect((await moveTo(later, cityNumber(6))).status).toBe(200);
      for (let n = 7; n <= 10; n++) expect((await moveTo(later, cityNumber(n))).status).toBe(200);
      expect((await moveTo(later, cityNumber(11))).status).toBe(429);
      app.clock.set(start);
    });

    test('count only when the cell or the text changes', async () => {
      const member = await makeMember(app, { city: 'Oslo', country: 'Norway', ...snapToPlaceCell(59.9139, 10.7522) });
      for (let n = 0; n < 12; n++) {
        expect((await moveTo(member, { latitude: 59.9139, longitude: 10.7522 + n * 1e-5 })).status).toBe(200);
      }
      for (let n = 1; n <= 5; n++) expect((await moveTo(member, cityNumber(n))).status).toBe(200);
      expect((await moveTo(member, cityNumber(5))).status).toBe(200);
      expect((await moveTo(member, cityNumber(6))).status).toBe(429);
    });

    test('also count when the location is cleared in between', async () => {
      const member = await makeMember(app, cityNumber(0));
      const answers: number[] = [];
      for (let n = 1; n <= 6; n++) {
        answers.push((await app.call(editProfile, { token: member.token, body: { location: null } })).status);
        answers.push((await app.call(editProfile, { token: member.token, body: { location: cityNumber(n) } })).status);
      }
      expect(answers.filter((status) => status === 429).length).toBeGreaterThan(0);
      expect(answers.slice(0, 5)).toEqual([200, 200, 200, 200, 200]);
      expect(answers[5]).toBe(429);
    });

    test('are limited to five with twenty parallel requests', async () => {
      const member = await makeMember(app, cityNumber(0));
      const answers = await Promise.all(Array.from({ length: 20 }, (_, n) => moveTo(member, cityNumber(n + 1))));
      expect(answers.filter(({ status }) => status === 200)).toHaveLength(5);
      expect(answers.filter(({ status }) => status === 429)).toHaveLength(15);
    });

    test('store only the latest location and the times of the last day', async () => {
      const member = await makeMember(app, cityNumber(0));
      const start = app.clock.now();
      await moveTo(member, inOslo);
      await moveTo(await oneDayLater(member), cityNumber(1));
      app.clock.set(start);
      const rows = await app.db.selectFrom('place_move').selectAll().where('account_id', '=', member.id).execute();
      expect(rows).toHaveLength(1);
      expect(Object.keys(rows[0] ?? {}).sort()).toEqual(['account_id', 'moved_at']);
      const { user } = (await app.call(getProfile, { token: member.token })).body.userData;
      expect(user.location).toEqual(cityNumber(1));
      expect(JSON.stringify(user)).not.toMatch(/latitude|longitude/);
    });
  });
});

describe('the search for places', () => {
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
      (await app.call(searchPlaces, { token: (await makeMember(app)).token, query: { search: text } })).body.data
        .places;

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
      expect(
        await app.db.selectFrom('profile').select('latitude').where('account_id', '=', member.id).execute(),
      ).toEqual([{ latitude: expect.any(Number) }]);
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
});
