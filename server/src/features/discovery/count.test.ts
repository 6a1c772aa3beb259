import { sql } from 'kysely';
import { beforeAll, expect, test } from 'vitest';
import { countPeople, type PreferenceKey } from '#contract/discovery.ts';
import type { BodyInput } from '#contract/endpoint.ts';
import { brno, cardsIn } from '../../../test/cards.ts';
import { makeMember, type TestMember } from '../../../test/factories.ts';
import { startAppForTests } from '../../../test/harness.ts';
import { likesIn } from '../../../test/likes.ts';
import { makeManyMembers } from '../../../test/many-members.ts';

const app = startAppForTests();
let viewer: TestMember;
let people: TestMember[];
beforeAll(async () => {
  viewer = await meet({ vip: true });
  // With the other callers below, fewer than seventy.
  people = await makeManyMembers(app, 66);
  const place = sql`latitude = ${brno.latitude}, longitude = ${brno.longitude}`;
  await sql`update profile set ${place} where account_id <> ${viewer.id}::uuid`.execute(app.db);
  // Half of them are what each filter below looks for.
  const details = {
    ...{
      goal: 'long-term',
      languages: ['cs'],
      children: 'open',
      smoking: 'never',
      drinking: 'rarely',
      exercise: 'daily',
    },
    ...{ interests: ['tea'], heightCm: 175 },
  };
  await sql`update profile set details = details || ${JSON.stringify(details)}::jsonb, birth_date = '1980-01-01',
    latitude = ${viewerPlace.latitude}, longitude = ${viewerPlace.longitude}
    where account_id = any (${people.slice(0, 34).map(({ id }) => id)}::uuid[])`.execute(app.db);
});

type Wishes = BodyInput<typeof countPeople>;
const viewerPlace = { latitude: 50.085, longitude: 14.42 };
const { meet, prefer } = cardsIn(() => app);
const { pass } = likesIn(() => app);
const counted = async (body: Wishes = {}, who = viewer) =>
  (await app.call(countPeople, { token: who.token, body })).body.data.people;

const filters: Partial<Record<PreferenceKey, object>> = {
  age: { min: 45, max: 60 },
  distance: { maxKm: 60 },
  interests: { values: ['tea', 'hiking'] },
  goal: { values: ['long-term'] },
  languages: { values: ['cs'] },
  children: { values: ['open'] },
  smoking: { values: ['never'] },
  drinking: { values: ['rarely'] },
  exercise: { values: ['daily'] },
  heightCm: { min: 170, max: 180 },
};

test.each(Object.entries(filters))(
  'a filter that is not saved leaves fewer people when it is a must: %s',
  async (name, wish) => {
    const countedAs = (required: boolean) => counted({ [name]: { ...wish, required } });
    expect([await countedAs(true), await countedAs(false), await counted()]).toEqual([30, 60, 60]);
  },
);

test('small numbers are not told apart, and what is saved counts unless it is given', async () => {
  const caller = await meet();
  expect(await counted({ photoVerifiedOnly: true }, caller)).toBe(0);
  await prefer(caller, { age: { min: 45, max: 60, required: true }, seeking: ['woman'] });
  expect([await counted({}, caller), await counted({ age: null }, caller)]).toEqual([30, 60]);
  expect(await counted({ age: null, seeking: ['man'] }, caller)).toBe(0);
});

test('only people who want to meet the caller too count, and only before a decision', async () => {
  const caller = await meet();
  await prefer(caller, { age: { min: 45, max: 60, required: true }, seeking: ['woman'] });
  for (const one of people.slice(0, 4)) await pass(caller, one);
  const want = (gender: string) =>
    sql`update profile set seeking = array[${gender}] where account_id = any (${people.slice(4, 9).map(({ id }) => id)}::uuid[])`.execute(
      app.db,
    );
  await want('man');
  expect(await counted({}, caller)).toBe(20);
  await want('woman');
  expect(await counted({}, caller)).toBe(30);
});

test('filters that need premium have no effect without it, and members outside discovery have no number', async () => {
  const caller = await meet();
  expect(await counted({ goal: { values: ['long-term'], required: true } }, caller)).toBe(60);
  expect(await counted({}, await makeMember(app, { gender: null }))).toBeNull();
});
