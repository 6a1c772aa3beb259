import { afterEach, beforeAll, describe, expect, it } from 'vitest';
import { getPreferences, putPreferences } from '#contract/discovery.ts';
import { languages } from '#contract/languages.ts';
import { listedMost } from '#contract/profiles/profile-details.ts';
import { editProfile, getProfile, searchUsers } from '#contract/profiles/profiles.ts';
import { putSavedFilters } from '#contract/saved-filters.ts';
import { usualLists } from '#contract/service/list-rules.ts';
import { getLists, type Lists } from '#contract/service/lists.ts';
import { bringServiceBack, changeService, getService } from '#contract/service/service.ts';
import { getConfig } from '#contract/system.ts';
import { makeMember, type TestMember } from '../../../test/factories.ts';
import { startAppForTests } from '../../../test/harness.ts';

const app = startAppForTests();
let owner: TestMember;
let atFirst: unknown;
beforeAll(async () => {
  atFirst = [(await app.call(getConfig, {})).body.data.ownLists, await lists()];
  owner = await makeMember(app, { staffRole: 'owner' });
});

const read = async () => (await app.call(getService, { token: owner.token })).body.data;
async function save(lists: Partial<Lists>) {
  const { version, settings } = await read();
  const body = { version, settings: { ...settings, lists: { ...settings.lists, ...lists } } };
  return await app.call(changeService, { token: owner.token, body });
}
const huts = { key: 'alpine huts', words: { de: 'Almhütten' as const } };
const hut = { key: 'An evening in a hut begins with', words: {} };
const mountains: Lists['interests'] = [
  { key: 'Tyrol', words: {}, entries: [huts, { key: 'hiking', words: { de: 'Bergwandern' } }] },
];
const alpine = { interests: mountains, prompts: [hut, { key: 'teach-me', words: {} }, { key: 'ask-me', words: {} }] };
const lists = async () => (await app.call(getLists, {})).body.data.lists;
const edit = (by: TestMember, body: object) => app.call(editProfile, { token: by.token, body });
const mine = async (by: TestMember) => (await app.call(getProfile, { token: by.token })).body.userData.user;
const wish = (key: string) => ({ interests: { values: [key], required: false } });

afterEach(() => save(usualLists));

// Versions follow one another, and entries that were removed stay among those that are gone.
describe('the owner’s interests and prompts', { shuffle: false }, () => {
  it('are the product’s own until the owner sets others', async () => {
    expect(atFirst).toEqual([false, usualLists]);
    await save(alpine);
    expect((await app.call(getConfig, {})).body.data.ownLists).toBe(true);
    expect(await lists()).toMatchObject(alpine);
  });

  it('are offered to members, who keep what they chose before', async () => {
    const ada = await makeMember(app);
    const answered = { prompt: 'on-repeat', answer: 'the rain' };
    await edit(ada, { interests: ['chess'], prompts: [answered] });
    await save(alpine);
    const next = {
      interests: ['chess', 'alpine huts'],
      prompts: [answered, { prompt: hut.key, answer: 'soup' }],
    };
    expect((await edit(ada, next)).status).toBe(200);
    expect(await mine(ada)).toMatchObject(next);
    for (const [wrong, field] of [
      [{ interests: ['hiking', 'jazz'] }, 'interests.1'],
      [{ prompts: [{ prompt: 'book-gift', answer: 'x' }] }, 'prompts.0.prompt'],
    ] as const)
      expect((await edit(ada, wrong)).error.errors?.[0]?.field).toBe(field);
    await edit(ada, { interests: [] });
    expect((await edit(ada, { interests: ['chess'] })).status).toBe(400);
  });

  it('can be searched for as long as someone may have chosen them', async () => {
    const ada = await makeMember(app);
    const { token } = ada;
    await save(alpine);
    await edit(ada, { interests: ['alpine huts'] });
    await save(usualLists);
    const searched = async (interests: string) => await app.call(searchUsers, { token, query: { interests } });
    for (const key of ['alpine huts', 'chess']) {
      expect((await app.call(putPreferences, { token, body: wish(key) })).status).toBe(200);
      expect((await searched(key)).status).toBe(200);
    }
    expect((await app.call(getPreferences, { token })).body.data.preferences.interests?.values).toEqual(['chess']);
    const refused = await app.call(putPreferences, { token, body: wish('juggling knives') });
    expect(refused.error.errors?.[0]?.field).toBe('interests.values.0');
    expect((await searched('juggling knives')).status).toBe(400);
    const preferences = { ...(await app.call(getPreferences, { token })).body.data.preferences, ...wish('knives') };
    const filters = [{ name: 'Mine', preferences }];
    expect((await app.call(putSavedFilters, { token, body: { filters } })).status).toBe(400);
  });

  it('keep their words for members who chose them, even when the first version is restored', async () => {
    await save(alpine);
    const gone = [
      { ...huts, kind: 'interest' },
      { ...hut, kind: 'prompt' },
    ];
    await save({ interests: null, prompts: null });
    expect(await lists()).toEqual({ interests: null, prompts: null, gone });
    await save(alpine);
    expect((await lists()).gone).toEqual([]);
    const { version } = await read();
    await app.call(bringServiceBack, { token: owner.token, body: { version, back: 0 } });
    expect((await lists()).gone).toEqual(gone);
  });

  it.each<[string, Partial<Lists>]>([
    ['a name twice', { prompts: [hut, { ...hut, key: hut.key.toUpperCase() }, { key: 'ask-me', words: {} }] }],
    ['two prompts', { prompts: [hut, { key: 'ask-me', words: {} }] }],
    ['a group without interests', { interests: [{ key: 'Tyrol', words: {}, entries: [] }] }],
    ['a comma in an interest', { interests: [{ key: 'a', words: {}, entries: [{ key: 'b, c', words: {} }] }] }],
    ['a link', { interests: [{ key: 'a', words: {}, entries: [{ key: 'https://evil.test', words: {} }] }] }],
  ])('are refused with %s', async (_what, wrong) => {
    const { version } = await read();
    expect((await save(wrong)).status).toBe(400);
    expect((await read()).version).toBe(version);
  });

  it('can be as many as there may be, with words in every language', async () => {
    const words = Object.fromEntries(languages.map((one) => [one, 'w'.repeat(70)]));
    const entries = Array.from({ length: listedMost.interest }, (_, index) => ({ key: `interest ${index}`, words }));
    expect((await save({ interests: [{ key: 'All', words: {}, entries }] })).status).toBe(200);
  });
});
