import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { countPeople, type PreferenceKey } from '#contract/discovery.ts';
import type { BodyInput } from '#contract/endpoint.ts';
import { brno, cardsIn } from '../../../test/cards.ts';
import { makeMember, type TestMember } from '../../../test/factories.ts';
import { startApp, type TestApp } from '../../../test/harness.ts';
import { endPremium, likesIn } from '../../../test/likes.ts';
import { makeManyMembers } from '../../../test/many-members.ts';

let app: TestApp;
let viewer: TestMember;
let people: TestMember[];
beforeAll(async () => {
  app = await startApp();
  viewer = await meet({ vip: true });
  people = await makeManyMembers(app, 68);
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
afterAll(() => app.close());

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
  expect(await counted({ photoVerifiedOnly: true })).toBe(0);
  await prefer(viewer, { age: { min: 45, max: 60, required: true }, seeking: ['woman'] });
  expect([await counted(), await counted({ age: null })]).toEqual([30, 60]);
  expect(await counted({ age: null, seeking: ['man'] })).toBe(0);
});

test('only people who want to meet the caller too count, and only before a decision', async () => {
  for (const one of people.slice(0, 4)) await pass(viewer, one);
  await sql`update profile set seeking = '{man}' where account_id = any (${people.slice(4, 9).map(({ id }) => id)}::uuid[])`.execute(
    app.db,
  );
  expect(await counted()).toBe(20);
});

test('filters that need premium have no effect without it, and members outside discovery have no number', async () => {
  await endPremium(app, viewer);
  expect(await counted({ age: null, goal: { values: ['long-term'], required: true } })).toBe(50);
  expect(await counted({}, await makeMember(app, { gender: null }))).toBeNull();
});
