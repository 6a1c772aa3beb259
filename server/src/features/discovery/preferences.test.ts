import { beforeAll, describe, expect, test } from 'vitest';
import { getPreferences, noPreferences, premiumFilters, putPreferences } from '#contract/discovery.ts';
import type { BodyInput } from '#contract/endpoint.ts';
import { getProfile } from '#contract/profiles/profiles.ts';
import { makeMember, type TestMember } from '../../../test/factories.ts';
import { startAppForTests } from '../../../test/harness.ts';
import { endPremium } from '../../../test/likes.ts';
import { importPlaces } from '../profiles/place/import-places.ts';

const app = startAppForTests();
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
