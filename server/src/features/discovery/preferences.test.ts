import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { getPreferences, noPreferences, putPreferences } from '#contract/discovery.ts';
import type { BodyInput } from '#contract/endpoint.ts';
import { getProfile } from '#contract/profiles.ts';
import { makeAdministrator, makeMember, type TestMember } from '../../../test/factories.ts';
import { startApp, type TestApp } from '../../../test/harness.ts';

let app: TestApp;
beforeAll(async () => {
  app = await startApp();
});
afterAll(() => app.close());

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
} satisfies Given;

describe('whom a member wants to see', () => {
  test('begins with whom they seek alone, and is kept as it was said', async () => {
    const ada = await makeMember(app, { seeking: ['man'] });
    expect(await read(ada)).toEqual({ seeking: ['man'], ...noPreferences });
    expect((await put(ada, everything)).body.data.preferences).toEqual({ seeking: ['man'], ...everything });
    expect(await read(ada)).toEqual({ seeking: ['man'], ...everything });
  });

  test('stays where it is not mentioned, goes where it is null, and changes whom the profile seeks', async () => {
    const ada = await makeMember(app);
    await put(ada, everything);
    await put(ada, { distance: null, seeking: ['woman', 'female', 'non-binary'] });
    expect(await read(ada)).toEqual({ ...everything, distance: null, seeking: ['woman', 'non-binary'] });
    const own = await app.call(getProfile, { token: ada.token });
    expect(own.body.userData.user.seeking).toEqual(['woman', 'non-binary']);
    await put(ada, { seeking: null });
    expect((await app.call(getProfile, { token: ada.token })).body.userData.requiresProfileCompletion).toBe(true);
  });

  test('changed from two devices at once loses neither change', async () => {
    const ada = await makeMember(app);
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
  ])('given as %j is refused in words', async (wrong, field) => {
    const refused = await put(await makeMember(app), wrong);
    expect([refused.status, refused.error.errors?.[0]?.field]).toEqual([400, field]);
  });

  test('is nothing that staff have', async () => {
    const staff = await makeAdministrator(app);
    expect((await app.call(getPreferences, { token: staff.token })).status).toBe(403);
    expect((await put(staff, {})).status).toBe(403);
  });
});
