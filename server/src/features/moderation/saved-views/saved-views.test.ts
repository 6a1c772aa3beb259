import { afterEach, beforeAll, describe, expect, it } from 'vitest';
import { listAudit } from '#contract/moderation/audit.ts';
import { listCaseViews } from '#contract/moderation/case-list.ts';
import { changeCaseView, deleteCaseView, saveCaseView } from '#contract/moderation/case-views.ts';
import { ownViewsMax } from '#contract/moderation/saved-views.ts';
import {
  changeUserView,
  deleteUserView,
  listUserViews,
  type SavedUserView,
  saveUserView,
} from '#contract/moderation/user-views.ts';
import { deleteAccounts, makeAdministrator, makeModerator, type TestMember } from '../../../../test/factories.ts';
import { startAppForTests } from '../../../../test/harness.ts';

const app = startAppForTests();
let lead: TestMember;
let moderator: TestMember;
beforeAll(async () => {
  lead = await makeAdministrator(app, { firstName: 'Lea', lastName: 'Dahl' });
  moderator = await makeModerator(app);
});
afterEach(() => app.db.deleteFrom('case_view').execute());

interface Change {
  name: string;
  isShared?: boolean;
  version?: number;
}

const ofCases = {
  views: async (by = moderator) => (await app.call(listCaseViews, { token: by.token })).body.data.views,
  save: (name: string, by = moderator, isShared = false) =>
    app.call(saveCaseView, { token: by.token, body: { name, isShared, filters: { list: 'open', order: 'due' } } }),
  change: (id: string, body: Change, by = moderator) =>
    app.call(changeCaseView, {
      token: by.token,
      params: { id },
      body: { ...body, filters: { list: 'mine', order: 'newest' } },
    }),
  remove: (id: string, by = moderator) => app.call(deleteCaseView, { token: by.token, params: { id } }),
};

const ofUsers = {
  views: async (by = moderator) => (await app.call(listUserViews, { token: by.token })).body.data.views,
  save: (name: string, by = moderator, isShared = false, filters: SavedUserView['filters'] = { status: 'active' }) =>
    app.call(saveUserView, { token: by.token, body: { name, isShared, filters } }),
  change: (id: string, body: Change, by = moderator) =>
    app.call(changeUserView, { token: by.token, params: { id }, body: { ...body, filters: { paused: 'true' } } }),
  remove: (id: string, by = moderator) => app.call(deleteUserView, { token: by.token, params: { id } }),
};

async function eventsOf(targetId: string): Promise<string[]> {
  const { events } = (await app.call(listAudit, { token: lead.token, query: { targetId } })).body.data;
  return events.map(({ action }) => action).reverse();
}

describe.each([
  ['cases', ofCases],
  ['users', ofUsers],
] as const)('a saved list of %s', (screen, { views, save, change, remove }) => {
  const saved = async (...given: Parameters<typeof ofCases.save>) => (await save(...given)).body.data.view._id;

  it('is shown to its owner only', async () => {
    const id = await saved('Quiet');
    expect(await views()).toMatchObject([{ _id: id, name: 'Quiet', isShared: false, sharedBy: null, canChange: true }]);
    expect(await views(lead)).toEqual([]);
    expect((await change(id, { name: 'Theirs' }, lead)).status).toBe(404);
    expect((await remove(id, lead)).status).toBe(404);
    expect((await change(id, { name: 'Quieter' })).body.data.view).toMatchObject({ name: 'Quieter', version: 2 });
    expect(await eventsOf(id)).toEqual([]);
    expect((await remove(id)).status).toBe(200);
    expect(await views()).toEqual([]);
  });

  it('requires a unique name, and there are at most twenty', async () => {
    const owner = await makeModerator(app);
    await save('Morning', owner);
    expect((await save('mórning ', owner)).status).toBe(409);
    expect((await save('Morning', lead)).status).toBe(201);
    const other = screen === 'cases' ? ofUsers : ofCases;
    expect((await other.save('Morning', owner)).status).toBe(201);
    for (let index = 1; index < ownViewsMax; index++) await save(`List ${index}`, owner);
    expect((await save('One more', owner)).status).toBe(409);
    expect(await views(owner)).toHaveLength(ownViewsMax);
    expect((await save('x'.repeat(41))).status).toBe(400);
  });

  it('can be shared and deleted only by seniors and its author, with an audit event', async () => {
    expect((await save('For all', moderator, true)).status).toBe(403);
    const id = await saved('For all', lead, true);
    expect(await views()).toMatchObject([{ _id: id, isShared: true, sharedBy: 'Lea Dahl', canChange: false }]);
    expect((await change(id, { name: 'Mine now' })).status).toBe(403);
    expect((await remove(id)).status).toBe(403);
    await change(id, { name: 'For everyone' }, lead);
    expect((await save('for  everyone', lead, true)).status).toBe(409);
    const senior = await makeModerator(app, { staffRole: 'senior' });
    expect((await change(id, { name: 'Back', isShared: false }, senior)).status).toBe(403);
    expect((await remove(id, senior)).status).toBe(200);
    expect(await eventsOf(id)).toEqual(['view.shared', 'view.changed', 'view.deleted']);
    expect((await remove(id, lead)).status).toBe(404);
  });

  it('is not overwritten by a change to an older version', async () => {
    const id = await saved('Two at once', lead, true);
    const senior = await makeModerator(app, { staffRole: 'senior' });
    const answers = await Promise.all([
      change(id, { name: 'By the lead', version: 1 }, lead),
      change(id, { name: 'By the senior', version: 1 }, senior),
    ]);
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409]);
    expect((await change(id, { name: 'Then', version: 2 }, senior)).body.data.view.version).toBe(3);
    await remove(id, lead);
  });

  it('stays with the team when its sharer may no longer lead', async () => {
    const author = await makeModerator(app, { staffRole: 'senior' });
    const id = await saved('Left behind', author, true);
    await app.db.updateTable('account').set({ staff_role: 'moderator' }).where('id', '=', author.id).execute();
    expect((await change(id, { name: 'Still mine' }, author)).status).toBe(403);
    expect((await remove(id, author)).status).toBe(403);
    await remove(id, lead);
  });

  it('can be shared later and made private again by its author', async () => {
    const id = await saved('Later', lead);
    await change(id, { name: 'Later', isShared: true }, lead);
    expect(await views()).toMatchObject([{ _id: id }]);
    await change(id, { name: 'Later', isShared: false }, lead);
    expect(await views()).toEqual([]);
    expect(await eventsOf(id)).toEqual(['view.shared', 'view.deleted']);
  });

  it('is deleted with the account of its owner, unless it is shared', async () => {
    const leaver = await makeModerator(app, { staffRole: 'senior' });
    const own = await saved('Own', leaver);
    const shared = await saved('Of the team', leaver, true);
    await deleteAccounts(app, leaver.id);
    const rows = await app.db.selectFrom('case_view').select('id').where('id', 'in', [own, shared]).execute();
    expect(rows).toEqual([{ id: shared }]);
    expect(await views()).toMatchObject([{ name: 'Of the team', sharedBy: null }]);
    await remove(shared, lead);
  });

  it('is listed only on its own screen', async () => {
    const id = await saved('Only here', lead, true);
    const other = screen === 'cases' ? ofUsers : ofCases;
    expect((await other.views(lead)).map(({ _id }) => _id)).not.toContain(id);
    expect((await other.change(id, { name: 'There' }, lead)).status).toBe(404);
    expect((await other.remove(id, lead)).status).toBe(404);
    await remove(id, lead);
  });
});

it.each(['ann@post.test', 'ann＠post.test', 'ann%40post.test'])(
  'the name of a list never contains %s',
  async (name) => {
    expect((await ofUsers.save(name, lead)).status).toBe(400);
    expect((await ofCases.save(name, lead)).status).toBe(400);
  },
);

describe('the filters of a saved list of users', () => {
  it('are the same as in the list’s query', async () => {
    const filters = { search: 'ann', status: 'online', minAge: '30', leaving: 'true', sortBy: 'name', city: '' };
    const { _id } = (await ofUsers.save('Anns', lead, false, filters)).body.data.view;
    const { city: _, ...kept } = filters;
    expect((await ofUsers.views(lead)).find((view) => view._id === _id)?.filters).toEqual(kept);
  });

  it.each([
    ['an email address', { search: 'ann@post.test' }],
    ['an email address in fullwidth letters', { search: 'ann＠post.test' }],
    ['an encoded email address', { search: 'ann%40post.test' }],
    ['an email address as a city', { city: 'ann@post.test' }],
    ['an encoded email address as a country', { country: 'ann%40post.test' }],
    ['a filter that does not exist', { planet: 'Mars' }],
    ['a value that the list refuses', { minAge: '12' }],
    ['a range that ends before it begins', { minAge: '40', maxAge: '30' }],
  ])('never contain %s', async (_, filters) => {
    expect((await ofUsers.save('Wrong', lead, false, filters)).status).toBe(400);
  });

  it('are only those that the role may use, and shared lists with other filters are hidden', async () => {
    const [support, billing, senior] = await Promise.all(
      (['support', 'billing', 'senior'] as const).map((staffRole) => makeModerator(app, { staffRole })),
    );
    if (!support || !billing || !senior) throw new Error('no staff');
    expect((await ofUsers.save('Mine', support, false, { openCase: 'true' })).status).toBe(403);
    expect((await ofUsers.save('Mine', moderator, false, { plan: 'annual' })).status).toBe(403);
    const share = async (name: string, filters: SavedUserView['filters']) =>
      (await ofUsers.save(name, lead, true, filters)).body.data.view._id;
    const inCases = await share('With a case', { openCase: 'true' });
    const annual = await share('Annual', { plan: 'annual' });
    const shownTo = async (by: TestMember) =>
      (await ofUsers.views(by)).filter(({ isShared }) => isShared).map(({ name }) => name);
    expect(await shownTo(senior)).toEqual(['Annual', 'With a case']);
    expect(await shownTo(moderator)).toEqual(['With a case']);
    for (const by of [support, billing]) expect(await shownTo(by)).toEqual(['Annual']);
    expect((await ofUsers.remove(inCases, support)).status).toBe(404);
    expect((await ofUsers.change(annual, { name: 'Mine' }, moderator)).status).toBe(404);
    for (const id of [inCases, annual]) await ofUsers.remove(id, lead);
  });
});
