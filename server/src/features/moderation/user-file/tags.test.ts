import { beforeAll, describe, expect, it } from 'vitest';
import { listAudit } from '#contract/moderation/audit.ts';
import { addTag, listTags, mergeTag, renameTag, retireTag, tagsMax, tagUser } from '#contract/moderation/tags.ts';
import { getUserFile } from '#contract/moderation/user-file.ts';
import { makeMember, makeModerator, type TestMember } from '../../../../test/factories.ts';
import { startAppForTests } from '../../../../test/harness.ts';
import { fileReport } from '../../../../test/moderation/reports.ts';
import { newTag } from '../../../../test/user-files.ts';

const app = startAppForTests();
let senior: TestMember;
let moderator: TestMember;
let owner: TestMember;
beforeAll(async () => {
  senior = await makeMember(app, { staffRole: 'senior', firstName: 'Sena' });
  owner = await makeMember(app, { staffRole: 'owner' });
  moderator = await makeModerator(app, { firstName: 'Mo' });
});

const add = (name: string, by = senior) => app.call(addTag, { token: by.token, body: { name } });
const added = async (name: string) => (await add(name)).body.data.tag._id;
const rename = (id: string, name: string) =>
  app.call(renameTag, { token: senior.token, params: { id }, body: { name } });
const merge = (id: string, into: string) => app.call(mergeTag, { token: senior.token, params: { id }, body: { into } });
const retire = (id: string) => app.call(retireTag, { token: senior.token, params: { id } });
const list = async () => (await app.call(listTags, { token: moderator.token })).body.data.tags;
const tag = (id: string, body: { add?: string[]; remove?: string[] }, by = moderator) =>
  app.call(tagUser, { token: by.token, params: { id }, body });
const tagsOf = async (id: string) =>
  (await app.call(getUserFile, { token: owner.token, params: { id } })).body.data.tags;
const namesOf = async (id: string) => (await tagsOf(id)).map(({ name }) => name);
const actions = async (targetId: string) => {
  const { events } = (await app.call(listAudit, { token: owner.token, query: { targetId } })).body.data;
  return events.map(({ action, changes }) => [action, changes?.['name'] ?? changes?.['tag']] as const).reverse();
};

describe('the list of tags', () => {
  it('has built-in entries, and is maintained by senior moderators', async () => {
    expect((await list()).map(({ name }) => name)).toEqual(
      expect.arrayContaining(['Call back', 'Press', 'Suspected scam', 'Vulnerable']),
    );
    expect((await add('Mine', moderator)).status).toBe(403);
    const answer = await add(' Waits for documents ');
    expect(answer.body.data.tag).toMatchObject({ name: 'Waits for documents', isRetired: false, userCount: 0 });
    expect(await actions(answer.body.data.tag._id)).toEqual([['tag.added', { from: null, to: 'Waits for documents' }]]);
  });

  it('contains each name once, in any spelling, and at most a hundred', async () => {
    const id = await added('Café');
    await added('Pubs One ❤');
    for (const name of ['cafe', 'CAFÉ', 'Pubs  One ❤', 'pubs one ❤\ufe0f', 'Pubs\u00a0One ❤'])
      expect((await add(name)).error.code, name).toBe('CONFLICT');
    expect((await rename(await added('Other'), 'CAFE')).status).toBe(409);
    expect((await rename(id, 'cafe')).body.data.tag.name).toBe('cafe');
    await retire(id);
    expect((await add('Café')).status).toBe(201);
    const room = tagsMax - (await list()).filter(({ isRetired }) => !isRetired).length;
    for (let one = 0; one < room; one += 1) await newTag(app, `Filler ${one}`);
    expect((await add('One too many')).status).toBe(409);
    await app.db
      .updateTable('user_tag')
      .set({ retired_at: app.clock.now() })
      .where('name', 'like', 'Filler%')
      .execute();
  });

  it('renames a tag for everyone who has it', async () => {
    const [person, id] = [await makeMember(app), await added('Needs hepl')];
    await tag(person.id, { add: [id] });
    await rename(id, 'Needs help');
    expect(await namesOf(person.id)).toEqual(['Needs help']);
  });

  it('merges tags, including tags merged before, for everyone who has them', async () => {
    const [first, second, third] = [await added('Scam 1'), await added('Scam 2'), await added('Scam 3')];
    const [one, both] = [await makeMember(app), await makeMember(app)];
    await tag(one.id, { add: [first] });
    await tag(both.id, { add: [first, second, third] });
    expect((await merge(first, second)).body.data.tag).toMatchObject({ name: 'Scam 2', userCount: 2 });
    expect((await merge(second, third)).body.data.tag).toMatchObject({ name: 'Scam 3', userCount: 2 });
    expect(await namesOf(one.id)).toEqual(['Scam 3']);
    expect(await namesOf(both.id)).toEqual(['Scam 3']);
    const left = (await list()).filter(({ name }) => name.startsWith('Scam'));
    expect(left.map(({ merged }) => merged?.toSorted())).toEqual([[first, second].toSorted()]);
    expect((await merge(first, third)).status).toBe(409);
    expect((await merge(third, third)).status).toBe(400);
    // A tag that was added under its old name is removed under the new one.
    expect((await tag(both.id, { remove: [third] })).body.data.tags).toEqual([]);
    expect(await actions(both.id)).toContainEqual(['user.untagged', { from: 'Scam 3', to: null }]);
    // A page that was opened earlier still names the merged tag.
    expect((await tag(both.id, { add: [first] })).body.data.tags).toMatchObject([{ name: 'Scam 3' }]);
    expect((await tag(both.id, { remove: [second] })).body.data.tags).toEqual([]);
  });

  it('counts only people whose tags the viewer may see', async () => {
    const [admin, viewer] = [await makeMember(app, { staffRole: 'admin' }), await makeModerator(app)];
    const [plain, reported, id] = [await makeMember(app), await makeMember(app), await added('Counted')];
    await fileReport(app, viewer, { reportedUser: reported.id, hideFromEachOther: false });
    for (const person of [admin, viewer, plain, reported]) await tag(person.id, { add: [id] }, owner);
    const countFor = async ({ token }: TestMember) => {
      const { tags } = (await app.call(listTags, { token })).body.data;
      return tags.find(({ _id }) => _id === id)?.userCount;
    };
    expect(await countFor(viewer)).toBe(1);
    expect(await countFor(admin)).toBe(3);
    expect(await countFor(owner)).toBe(4);
    expect((await rename(id, 'Recounted')).body.data.tag.userCount).toBe(3);
  });

  it('keeps a retired tag on people who have it, and adds it to no one else', async () => {
    const [person, other, id] = [await makeMember(app), await makeMember(app), await added('Old')];
    await tag(person.id, { add: [id] });
    await retire(id);
    expect(await tagsOf(person.id)).toMatchObject([{ name: 'Old', isRetired: true }]);
    expect((await tag(other.id, { add: [id] })).status).toBe(409);
    expect((await rename(id, 'New')).status).toBe(409);
    expect((await retire(id)).status).toBe(409);
    expect((await tag(person.id, { remove: [id] })).body.data.tags).toEqual([]);
  });
});

describe('PATCH /admin/users/{id}/tags', () => {
  it('adds and removes each tag once, with an audit event for each', async () => {
    const [person, one, two] = [await makeMember(app), await added('One'), await added('Two')];
    await tag(person.id, { add: [one] });
    expect((await tag(person.id, { add: [one, two], remove: [one] })).body.data.tags.map(({ name }) => name)).toEqual([
      'One',
      'Two',
    ]);
    await tag(person.id, { add: [two] });
    await tag(person.id, { remove: [one] });
    await tag(person.id, { remove: [one, 'nonsense'] });
    expect(await tagsOf(person.id)).toMatchObject([{ name: 'Two', isRetired: false }]);
    expect((await actions(person.id)).filter(([action]) => action.includes('tagged'))).toEqual([
      ['user.tagged', { from: null, to: 'One' }],
      ['user.untagged', { from: 'One', to: null }],
      ['user.tagged', { from: null, to: 'One' }],
      ['user.tagged', { from: null, to: 'Two' }],
      ['user.untagged', { from: 'One', to: null }],
    ]);
  });

  it('adds a tag once when several colleagues do so at the same time', async () => {
    const [person, id] = [await makeMember(app), await added('At once')];
    const answers = await Promise.all([moderator, senior, owner].map((by) => tag(person.id, { add: [id] }, by)));
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200]);
    expect(await namesOf(person.id)).toEqual(['At once']);
  });

  it('returns 409 for unknown tags and for too many tags', async () => {
    const person = await makeMember(app);
    expect((await tag(person.id, { add: ['nonsense'] })).status).toBe(409);
    const ids: string[] = [];
    for (let one = 0; one < 21; one += 1) ids.push(await newTag(app, `Many ${one}`));
    expect((await tag(person.id, { add: ids.slice(0, 20) })).status).toBe(200);
    expect((await tag(person.id, { add: ids.slice(20) })).status).toBe(409);
    expect((await tagsOf(person.id)).length).toBe(20);
  });

  it('returns 403 about people above the caller', async () => {
    expect((await tag(owner.id, { add: [] })).status).toBe(403);
  });
});
