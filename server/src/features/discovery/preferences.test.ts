import { beforeAll, describe, expect, it, test } from 'vitest';
import { sql } from 'kysely';
import {
  countPeople,
  getPreferences,
  noPreferences,
  type PreferenceKey,
  premiumFilters,
  putPreferences,
} from '#contract/discovery.ts';
import type { BodyInput } from '#contract/endpoint.ts';
import { getProfile } from '#contract/profiles/profiles.ts';
import { getSavedFilters, putSavedFilters, type SavedFilter } from '#contract/saved-filters.ts';
import { makeMember, makeModerator, type TestMember } from '../../../test/factories.ts';
import { startAppForTests } from '../../../test/harness.ts';
import { endPremium, likesIn } from '../../../test/likes.ts';
import { importPlaces } from '../profiles/place/import-places.ts';
import { brno, cardsIn } from '../../../test/cards.ts';
import { makeManyMembers } from '../../../test/many-members.ts';

const app = startAppForTests();

describe('preferences', () => {
  beforeAll(async () => {
    await importPlaces(app.pool);
  });

  type Given = BodyInput<typeof putPreferences>;
  const put = (by: TestMember, body: Given) => app.call(putPreferences, { token: by.token, body });
  const read = async (by: TestMember) => (await app.call(getPreferences, { token: by.token })).body.data.preferences;
  const everything = {
    age: { min: 28, max: 41, required: true },
    distance: { maxKm: 60, required: false },
    interests: { values: ['hiking', 'tea'], required: false },
    goal: { values: ['long-term'], required: true },
    languages: { values: ['en', 'cs'], required: true },
    children: { values: ['open', 'want'], required: false },
    smoking: { values: ['never'], required: true },
    drinking: { values: ['never', 'rarely'], required: false },
    exercise: { values: ['weekly'], required: false },
    heightCm: { min: 165, max: 200, required: false },
    order: 'newest',
    photoVerifiedOnly: true,
    isPaused: true,
    incognito: true,
    elsewhere: { city: 'Vienna', country: 'Austria' },
  } satisfies Given;

  /** All filters, each only nice to have, which needs no premium. */
  const niceToHave = Object.fromEntries(
    Object.entries(everything).flatMap(([key, wish]) =>
      typeof wish === 'object' && 'required' in wish ? [[key, { ...wish, required: false }]] : [],
    ),
  ) as Given;

  const vip = () => makeMember(app, { vip: true, seeking: ['man'] });

  describe('discovery preferences', () => {
    test('start with only the gender filter, and are stored as given', async () => {
      const ada = await vip();
      expect(await read(ada)).toEqual({ seeking: ['man'], ...noPreferences, isPaused: false, incognito: false });
      expect((await put(ada, everything)).body.data.preferences).toEqual({ seeking: ['man'], ...everything });
      expect(await read(ada)).toEqual({ seeking: ['man'], ...everything });
    });

    test('keep absent fields, clear null ones, and update the gender filter of the profile', async () => {
      const ada = await vip();
      await put(ada, everything);
      await put(ada, { distance: null, seeking: ['woman', 'female', 'non-binary'] });
      expect(await read(ada)).toEqual({ ...everything, distance: null, seeking: ['woman', 'non-binary'] });
      const own = await app.call(getProfile, { token: ada.token });
      expect(own.body.userData.user.seeking).toEqual(['woman', 'non-binary']);
      await put(ada, { seeking: null });
      expect((await app.call(getProfile, { token: ada.token })).body.userData.requiresProfileCompletion).toBe(true);
    });

    test('keep simultaneous changes from two devices', async () => {
      const ada = await vip();
      const { age, goal, smoking } = everything;
      await Promise.all([put(ada, { age }), put(ada, { goal }), put(ada, { smoking })]);
      expect(await read(ada)).toMatchObject({ age, goal, smoking });
    });

    test.each<[Record<string, unknown>, string]>([
      [{ age: { min: 17, max: 30, required: true } }, 'age.min'],
      [{ age: { min: 40, max: 30, required: true } }, 'age'],
      [{ age: { min: 20, max: 121, required: true } }, 'age.max'],
      [{ distance: { maxKm: 0, required: true } }, 'distance.maxKm'],
      [{ goal: { values: [], required: true } }, 'goal.values'],
      [{ goal: { values: ['money'], required: true } }, 'goal.values.0'],
      [{ smoking: ['never'] }, 'smoking'],
      [{ seeking: ['everybody'] }, 'seeking.0'],
      [{ order: 'popular' }, 'order'],
      [{ incognito: 'yes' }, 'incognito'],
      [{ elsewhere: { city: 'Vienna' } }, 'elsewhere.country'],
      [{ elsewhere: { city: 'Nowhereville', country: 'Austria' } }, 'elsewhere.city'],
      [{ elsewhere: { latitude: 48.2, longitude: 16.4 } }, 'elsewhere.city'],
    ])('reject %j with a field error', async (wrong, field) => {
      const refused = await put(await vip(), wrong);
      expect([refused.status, refused.error.errors?.[0]?.field]).toEqual([400, field]);
    });
  });

  describe('discovery preferences without premium', () => {
    test('allow every filter as nice to have, and age, distance, interests and order as required', async () => {
      const ada = await makeMember(app);
      expect((await put(ada, niceToHave)).status).toBe(200);
      const { age, interests } = everything;
      const certain = { age, distance: { maxKm: 60, required: true }, interests: { ...interests, required: true } };
      expect((await put(ada, { ...certain, order: 'newest' })).body.data.preferences).toMatchObject(certain);
    });

    test.each([
      ...premiumFilters.map((key): [string, Given] => [key, { [key]: { ...everything[key], required: true } }]),
      ['incognito', { incognito: true }],
      ['elsewhere', { elsewhere: everything.elsewhere }],
    ] as [string, Given][])('return 403 for %s, and store nothing sent with it', async (field, body) => {
      const ada = await makeMember(app);
      const before = await read(ada);
      const refused = await put(ada, { ...body, order: 'newest', seeking: ['non-binary'] });
      expect([refused.status, refused.error.code, refused.error.errors?.[0]?.field]).toEqual([
        403,
        'PREMIUM_REQUIRED',
        field,
      ]);
      expect(await read(ada)).toEqual(before);
    });

    test('accept existing required filters that are sent back unchanged or removed', async () => {
      const ada = await vip();
      await put(ada, everything);
      await endPremium(app, ada);
      const { seeking: _, ...kept } = await read(ada);
      const asleep = { ...everything, incognito: false, elsewhere: null };
      expect(kept).toEqual(asleep);
      expect((await put(ada, kept)).body.data.preferences).toMatchObject(asleep);
      expect((await put(ada, { elsewhere: { city: 'Graz', country: 'Austria' } })).status).toBe(403);
      expect((await put(ada, { heightCm: { min: 170, max: 180, required: true } })).status).toBe(403);
      await put(ada, { ...niceToHave, incognito: false, elsewhere: null });
      for (const again of [{ incognito: true }, { elsewhere: everything.elsewhere }, { goal: everything.goal }])
        expect((await put(ada, again)).status).toBe(403);
    });
  });
});

describe('the number of people that filters leave', () => {
  let viewer: TestMember;
  let people: TestMember[];

  beforeAll(async () => {
    viewer = await meet({ vip: true });
    // With the other callers below, fewer than seventy.
    people = await makeManyMembers(app, 66);
    const place = sql`latitude = ${brno.latitude}, longitude = ${brno.longitude}`;
    await app.sql`update profile set ${place} where account_id <> ${viewer.id}::uuid`;
    // Half of them have what each filter below requires.
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
    await app.sql`update profile set details = details || ${JSON.stringify(details)}::jsonb, birth_date = '1980-01-01',
    latitude = ${viewerPlace.latitude}, longitude = ${viewerPlace.longitude}
    where account_id = any (${people.slice(0, 34).map(({ id }) => id)}::uuid[])`;
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

  test.each(Object.entries(filters))('is smaller with an unsaved required filter: %s', async (name, wish) => {
    const countedAs = (required: boolean) => counted({ [name]: { ...wish, required } });
    expect([await countedAs(true), await countedAs(false), await counted()]).toEqual([30, 60, 60]);
  });

  test('hides small numbers, and uses saved filters unless others are given', async () => {
    const caller = await meet();
    expect(await counted({ photoVerifiedOnly: true }, caller)).toBe(0);
    await prefer(caller, { age: { min: 45, max: 60, required: true }, seeking: ['woman'] });
    expect([await counted({}, caller), await counted({ age: null }, caller)]).toEqual([30, 60]);
    expect(await counted({ age: null, seeking: ['man'] }, caller)).toBe(0);
  });

  test('counts only people who also want to meet the caller and who are undecided', async () => {
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

  test('ignores premium filters without premium, and is missing for members outside discovery', async () => {
    const caller = await meet();
    expect(await counted({ goal: { values: ['long-term'], required: true } }, caller)).toBe(60);
    expect(await counted({}, await makeMember(app, { gender: null }))).toBeNull();
  });
});

describe('PUT /discovery/saved-filters', () => {
  const { order: _, elsewhere: __, ...nothing } = noPreferences;
  const filter = (name: string, changes: Partial<SavedFilter['preferences']> = {}): SavedFilter => ({
    name,
    preferences: { ...nothing, ...changes },
  });

  const put = (who: { token?: string }, ...filters: SavedFilter[]) =>
    app.call(putSavedFilters, { ...who, body: { filters } });
  const get = async (who: TestMember) => (await app.call(getSavedFilters, { token: who.token })).body.data.filters;

  it('stores named sets for the caller alone, without changing their preferences', async () => {
    const [ada, bo] = [await makeMember(app), await makeMember(app)];
    const nearby = filter('Nearby', {
      distance: { maxKm: 20, required: true },
      age: { min: 30, max: 40, required: true },
    });
    const preferences = async () => (await app.call(getPreferences, { token: ada.token })).body;
    const before = await preferences();
    expect(await get(ada)).toEqual([]);
    expect((await put(ada, nearby, filter('All'))).body.data.filters).toEqual([nearby, filter('All')]);
    expect(await get(ada)).toEqual([nearby, filter('All')]);
    expect(await get(bo)).toEqual([]);
    expect(await preferences()).toEqual(before);
    await put(ada);
    expect(await get(ada)).toEqual([]);
  });

  it('keeps one of several concurrent changes', async () => {
    const ada = await makeMember(app);
    const all = await Promise.all(['A', 'B', 'C'].map((name) => put(ada, filter(name))));
    expect(all.map(({ status }) => status)).toEqual([200, 200, 200]);
    expect(await get(ada)).toHaveLength(1);
  });

  it('rejects a sixth set, equal names, invalid sets, staff and visitors', async () => {
    const ada = await makeMember(app);
    const six = ['1', '2', '3', '4', '5', '6'].map((name) => filter(name));
    expect((await put(ada, ...six)).status).toBe(400);
    expect((await put(ada, filter('Near'), filter('néar'))).status).toBe(400);
    expect((await put(ada, filter(' '))).status).toBe(400);
    expect((await put(ada, filter('Old', { age: { min: 50, max: 20, required: true } }))).status).toBe(400);
    expect((await put({}, filter('A'))).status).toBe(401);
    expect((await put(await makeModerator(app), filter('A'))).status).toBe(403);
  });
});
