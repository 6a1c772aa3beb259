import { beforeAll, describe, expect, it } from 'vitest';
import { changeLocation, getUser, searchUsers } from '#contract/profiles/profiles.ts';
import type { QueryInput } from '#contract/endpoint.ts';
import { makeMember, type TestMember } from '../../../test/factories.ts';
import { startAppForTests } from '../../../test/harness.ts';
import { placeUpload } from '../../../test/pictures.ts';
import { limited, locate, moved, type Oracle } from '../../../test/attacks/position.ts';
import { median } from 'simple-statistics';
import { placeCellDegrees } from '#contract/constants.ts';
import { distanceKm, type Point, pointOf, shownDistance, snapToPlaceCell } from './place/distance.ts';
import { randomOf } from '../../../test/random.ts';

type Query = QueryInput<typeof searchUsers>;

/** A country: about 890 by 650 km. */
const country = { south: 46, north: 54, west: 6, east: 15 };
const corners: Point[] = [
  { latitude: country.south, longitude: country.west },
  { latitude: country.north, longitude: country.west },
  { latitude: country.south, longitude: country.east },
];
const victimCount = 50;
const queriesEach = 2000;
const random = randomOf(7_243);
const somewhere = (): Point => ({
  latitude: country.south + random.next() * (country.north - country.south),
  longitude: country.west + random.next() * (country.east - country.west),
});

const app = startAppForTests();
let attacker: TestMember;
beforeAll(async () => {
  attacker = await makeMember(app, { firstName: 'Attacker' });
});

/** Gets the attacker past the limit of five moves a day. */
const standAt = (cell: Point) =>
  app.db.updateTable('profile').set(cell).where('account_id', '=', attacker.id).execute();
const settle = (member: TestMember, body: Point) => app.call(changeLocation, { token: member.token, body });
const search = (query: Query) => app.call(searchUsers, { token: attacker.token, query });
const seen = (member: TestMember) => app.call(getUser, { token: attacker.token, params: { id: member.id } });

async function storedCell(member: TestMember): Promise<Point> {
  const row = await app.db
    .selectFrom('profile')
    .select(['latitude', 'longitude'])
    .where('account_id', '=', member.id)
    .executeTakeFirstOrThrow();
  return pointOf(row) ?? { latitude: 0, longitude: 0 };
}

/** What the calls would return, computed by the functions they use. */
const oracleOf = (cell: Point): Oracle => ({
  within: (from, km) => distanceKm(from, cell) <= km,
  band: (from) => shownDistance(from, cell).distance ?? 0,
});

interface Asked {
  from: Point;
  km: number | null;
  answer: boolean | number;
}

/** The same oracle, which also records its questions. */
function recorded(oracle: Oracle, asked: Asked[]): Oracle {
  return {
    within(from, km) {
      const answer = oracle.within(from, km);
      asked.push({ from, km, answer });
      return answer;
    },
    band(from) {
      const answer = oracle.band(from);
      asked.push({ from, km: null, answer });
      return answer;
    },
  };
}

describe('an attacker with 2,000 answers per victim', () => {
  it('finds the cell of each of 50 victims and no more: the median error is a kilometre, and in nine of ten cases over half a kilometre', async () => {
    const misses: number[] = [];
    const unprotected: number[] = [];
    let cellsFound = 0;
    const asked: { victim: TestMember; log: Asked[] }[] = [];
    for (let n = 0; n < victimCount; n += 1) {
      const victim = await makeMember(app, { city: null, country: null });
      const truth = somewhere();
      await settle(victim, truth);
      const cell = await storedCell(victim);
      const log: Asked[] = [];
      const oracle = limited(recorded(oracleOf(cell), log), queriesEach);
      const found = locate(oracle, corners, random);
      expect(oracle.asked()).toBe(queriesEach);
      misses.push(distanceKm(found, truth));
      if (distanceKm(found, cell) < 0.001) cellsFound += 1;
      unprotected.push(distanceKm(locate(limited(oracleOf(truth), queriesEach), corners, random), truth));
      asked.push({ victim, log });
    }
    // Shows that the attack is strong: without cells it would find everyone's home.
    expect(cellsFound).toBeGreaterThanOrEqual(0.95 * victimCount);
    expect(median(unprotected)).toBeLessThan(0.1);
    expect(median(misses)).toBeGreaterThanOrEqual(1);
    expect(misses.filter((km) => km >= 0.5).length).toBeGreaterThanOrEqual(0.9 * victimCount);
    await sameByCalls(asked);
  });
});

/** About a hundred of the questions, repeated through the API. */
async function sameByCalls(asked: readonly { victim: TestMember; log: Asked[] }[]): Promise<void> {
  const kinds = { band: 0, within: 0 };
  for (const { victim, log } of asked) {
    for (const share of [0.03, 0.15, 0.9]) {
      const question = log[Math.floor(share * log.length)];
      if (question === undefined) throw new Error('nothing was asked');
      const { from, km, answer } = question;
      await standAt(from);
      if (km === null) {
        expect((await seen(victim)).body.data.distance).toBe(answer);
        kinds.band += 1;
      } else {
        const { users } = (await search({ maxDistance: String(km), limit: '100' })).body.data;
        expect(users.some(({ _id }) => _id === victim.id)).toBe(answer);
        kinds.within += 1;
      }
    }
  }
  expect(Math.min(kinds.band, kinds.within)).toBeGreaterThan(30);
}

const cellKm = placeCellDegrees * 111.2;

/** Three members in one cell who differ only in name: two at its corners, and one who left it, but not far enough to get another cell. */
async function makeTwins(cell: Point): Promise<TestMember[]> {
  const twins: TestMember[] = [];
  for (const firstName of ['Twina', 'Twinb', 'Twinc']) {
    const twin = await makeMember(app, { firstName, city: null, country: null, pictureless: true });
    const { publicId } = await placeUpload(app, twin.id);
    // A picture that hasn't been reviewed: the profile is complete, but shows no picture.
    const change = { state: 'pending' as const, place: 0, claimed_at: app.clock.now() };
    await app.db.updateTable('picture').set(change).where('public_id', '=', publicId).execute();
    twins.push(twin);
  }
  const reach = 0.49 * cellKm;
  const [southWest, northEast, walker] = twins as [TestMember, TestMember, TestMember];
  await settle(southWest, moved(cell, -reach, -reach));
  await settle(northEast, moved(cell, reach, reach));
  await settle(walker, cell);
  await settle(walker, moved(cell, 0, 0.75 * cellKm));
  return twins;
}

describe('twins in one cell', () => {
  const cell = snapToPlaceCell(48.2082, 12.3738);
  let twins: TestMember[];
  const names = ['Twina', 'Twinb', 'Twinc'];
  const anonymous = (raw: string) =>
    twins.reduce((text, { id }, n) => text.replaceAll(id, 'ID').replaceAll(names[n] ?? '', 'NAME'), raw);
  const oneText = (answers: { raw: string }[]) => {
    const texts = new Set(answers.map(({ raw }) => anonymous(raw)));
    expect(texts.size, [...texts].join('\n')).toBe(1);
  };

  beforeAll(async () => {
    const [east, west] = [moved(cell, 1.4, 1.4), moved(cell, -1.5, -1.5)];
    const towns = [
      { name: 'Eastham', ...east },
      { name: 'Westham', ...west },
    ];
    await app.db
      .insertInto('place')
      .values(towns.map((town) => ({ ...town, country: 'Nowhere', population: 9 })))
      .execute();
    twins = await makeTwins(cell);
    for (const twin of twins) expect(await storedCell(twin)).toEqual(cell);
  });

  const filters: Query[] = [{}, { gender: 'woman' }, { city: 'Eastham' }, { country: 'Nowhere', minAge: '20' }];
  const sorts = ['newest', 'lastActive', 'compatibility'] as const;

  it('give an attacker in 500 places identical answers, byte by byte', async () => {
    const orders = new Map<string, string>();
    let timesFound = 0;
    for (let n = 0; n < 500; n += 1) {
      const near = moved(cell, (random.next() - 0.5) * 120, (random.next() - 0.5) * 120);
      const from = n % 5 === 0 ? somewhere() : near;
      const stand = snapToPlaceCell(from.latitude, from.longitude);
      await standAt(stand);
      // At the edges of distance bands, where one kilometre matters most.
      const maxDistance = String(Math.max(1, Math.round(distanceKm(stand, cell)) + (n % 3) - 1));
      oneText(await Promise.all(twins.map(seen)));
      const filter = filters[n % filters.length] ?? {};
      oneText(await Promise.all(names.map((name) => search({ ...filter, search: name, maxDistance }))));

      const sortBy = sorts[n % sorts.length] ?? 'newest';
      const listed = async (query: Query) =>
        (await search({ ...query, sortBy, limit: '100' })).body.data.users.map(({ _id }) => _id);
      const found = await listed({ maxDistance });
      const twinsFound = twins.filter(({ id }) => found.includes(id)).length;
      expect([0, twins.length]).toContain(twinsFound);
      timesFound += Math.min(twinsFound, 1);
      const listedIds = await listed({});
      expect(listedIds.join()).toBe(orders.get(sortBy) ?? listedIds.join());
      orders.set(sortBy, listedIds.join());
      expect(listedIds.filter((id) => found.includes(id))).toEqual(found);
    }
    expect(Math.min(timesFound, 500 - timesFound)).toBeGreaterThan(100);
  });
});
