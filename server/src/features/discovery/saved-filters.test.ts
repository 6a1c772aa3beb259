import { describe, expect, it } from 'vitest';
import { getPreferences, noPreferences } from '#contract/discovery.ts';
import { getSavedFilters, putSavedFilters, type SavedFilter } from '#contract/saved-filters.ts';
import { makeMember, makeModerator, type TestMember } from '../../../test/factories.ts';
import { startAppForTests } from '../../../test/harness.ts';

const app = startAppForTests();

const { order: _, elsewhere: __, ...nothing } = noPreferences;
const filter = (name: string, changes: Partial<SavedFilter['preferences']> = {}): SavedFilter => ({
  name,
  preferences: { ...nothing, ...changes },
});
const put = (who: { token?: string }, ...filters: SavedFilter[]) =>
  app.call(putSavedFilters, { ...who, body: { filters } });
const get = async (who: TestMember) => (await app.call(getSavedFilters, { token: who.token })).body.data.filters;

describe('PUT /discovery/saved-filters', () => {
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

  it('refuses six sets, equal names, invalid ones, staff and visitors', async () => {
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
