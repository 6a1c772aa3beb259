import { beforeAll, describe, expect, it } from 'vitest';
import { putPreferences } from '#contract/discovery.ts';
import { mergeTag, tagUser } from '#contract/moderation/tags.ts';
import { listUsers } from '#contract/profiles/staff.ts';
import type { QueryInput } from '#contract/endpoint.ts';
import { makeAdministrator, makeMember, makeModerator, type TestMember } from '../../../../test/factories.ts';
import { startAppForTests } from '../../../../test/harness.ts';
import { ensurePremium } from '../../../../test/premium.ts';
import { fileReport, warnedBy } from '../../../../test/moderation/reports.ts';
import { newTag } from '../../../../test/user-files.ts';

type Query = QueryInput<typeof listUsers>;

const app = startAppForTests();
let administrator: TestMember;
/** The meaning of each name below. */
const people = new Map<string, TestMember>();

const day = (days: number) => new Date(app.clock.now().getTime() + days * 86_400_000);
const dateOf = (days: number) => day(days).toISOString().slice(0, 10);

beforeAll(async () => {
  administrator = await makeAdministrator(app, { createdAt: day(-800), lastActiveAt: day(-400) });
  const make = async (name: string, options: Parameters<typeof makeMember>[1]) => {
    const defaults = {
      createdAt: day(-700),
      lastActiveAt: day(-300),
      birthDate: '1960-01-01',
      gender: 'woman',
    } as const;
    people.set(
      name,
      await makeMember(app, { firstName: name, city: 'Oslo', country: 'Norway', ...defaults, ...options }),
    );
  };
  await make('plain', {});
  await make('new', { createdAt: day(-3) });
  await make('active', { lastActiveAt: day(-2) });
  await make('czech', { city: 'Praha', country: 'Czechia' });
  await make('man', { gender: 'man' });
  await make('ungendered', { gender: null });
  await make('young', { birthDate: `${Number(dateOf(0).slice(0, 4)) - 25}-01-01` });
  await make('incomplete', { pictureless: true });
  await make('paused', {});
  await make('leaving', { leaving: true });
  await make('reported', {});
  await make('premium', {});
  await make('analyst', { staffRole: 'analyst' });
  await app.call(putPreferences, { token: of('paused').token, body: { isPaused: true } });
  await fileReport(app, of('plain'), { problem_type: 'Harassment', reportedUser: of('reported').id });
  await warnedBy(app, of('reported').id);
  await ensurePremium(app, of('premium'));
});

function of(name: string): TestMember {
  const person = people.get(name);
  if (person === undefined) throw new Error(`no one is called ${name}`);
  return person;
}

const list = (query: Query, by = administrator) =>
  app.call(listUsers, { token: by.token, query: { limit: '1000', ...query } });
/** The names of the matching people created here. */
async function namesFor(query: Query): Promise<string[]> {
  const { users } = (await list(query)).body.data;
  return users.flatMap(({ firstName }) => (firstName !== null && people.has(firstName) ? [firstName] : [])).sort();
}

describe('GET /auth/users with more filters', () => {
  it.each<[string, () => Query, string[]]>([
    ['joinedFrom', () => ({ joinedFrom: dateOf(-3), joinedTo: dateOf(-1) }), ['new']],
    ['activeFrom', () => ({ activeFrom: dateOf(-2), activeTo: dateOf(-2) }), ['active']],
    ['city', () => ({ city: 'PRAHA' }), ['czech']],
    ['country', () => ({ country: 'czechia' }), ['czech']],
    ['gender', () => ({ gender: 'man' }), ['man']],
    ['no gender', () => ({ gender: 'none' }), ['ungendered']],
    ['subscription', () => ({ subscription: 'active' }), ['premium']],
    ['minAge', () => ({ minAge: '24', maxAge: '27' }), ['young']],
    ['complete', () => ({ complete: 'false' }), ['incomplete', 'ungendered']],
    ['paused', () => ({ paused: 'true' }), ['paused']],
    ['leaving', () => ({ leaving: 'true' }), ['leaving']],
    ['openCase', () => ({ openCase: 'true' }), ['reported']],
    ['plan', () => ({ plan: 'monthly' }), ['premium']],
    ['planEndsTo', () => ({ planEndsFrom: dateOf(0), planEndsTo: dateOf(40) }), ['premium']],
    ['role', () => ({ role: 'analyst' }), ['analyst']],
  ])('finds the people that %s asks for, in every order', async (_, query, names) => {
    for (const sortBy of ['createdAt', 'lastActive', 'name'] as const)
      expect(await namesFor({ ...query(), sortBy })).toEqual(names);
  });

  it.each<[string, string, string]>([
    ['UTC', '2025-11-24T00:00:00Z', '2025-11-25T23:59:59Z'],
    ['Pacific/Auckland', '2025-11-23T11:00:00Z', '2025-11-25T10:59:59Z'],
    ['America/Los_Angeles', '2025-11-24T08:00:00Z', '2025-11-26T07:59:59Z'],
  ])('means days in the zone %s', async (zone, first, last) => {
    const [start, end] = [Date.parse(first), Date.parse(last)];
    const made = await Promise.all(
      [start - 1, start, end, end + 1000].map((time) =>
        makeMember(app, { createdAt: new Date(time), lastActiveAt: new Date(time), city: zone }),
      ),
    );
    const found = async (query: Query) =>
      (await list({ ...query, city: zone, zone })).body.data.users.map(({ _id }) => _id).toSorted();
    const wanted = [made[1]?.id, made[2]?.id].toSorted();
    const [from, to] = ['2025-11-24', '2025-11-25'];
    expect(await found({ joinedFrom: from, joinedTo: to })).toEqual(wanted);
    expect(await found({ activeFrom: from, activeTo: to })).toEqual(wanted);
  });

  it('combines filters with each other, with status and with the search', async () => {
    expect(await namesFor({ gender: 'woman', country: 'Norway', paused: 'true' })).toEqual(['paused']);
    expect(await namesFor({ country: 'Norway', search: 'plai' })).toEqual(['plain']);
    expect(await namesFor({ leaving: 'true', search: 'leav', gender: 'woman' })).toEqual(['leaving']);
    expect(await namesFor({ country: 'Norway', type: 'vip' })).toEqual(['premium']);
    for (const sortBy of ['createdAt', 'lastActive', 'name'] as const)
      expect(await namesFor({ country: 'Norway', status: 'online', search: 'a', sortBy })).toEqual([]);
    expect(await namesFor({ gender: 'man', paused: 'true' })).toEqual([]);
  });

  it('counts matching users and continues by cursor', async () => {
    const first = (await list({ country: 'Norway', limit: '4' })).body.data;
    const rest = (await list({ country: 'Norway', limit: '1000', cursor: first.pagination.nextCursor ?? '' })).body
      .data;
    const ids = [...first.users, ...rest.users].map(({ _id }) => _id);
    expect(new Set(ids).size).toBe(first.pagination.total);
    expect(ids).toHaveLength(first.pagination.total);
  });

  it.each<[string, Query]>([
    ['a plan', { plan: 'monthly' }],
    ['a subscription', { subscription: 'active' }],
    ['the end of a plan', { planEndsFrom: '2026-01-01' }],
  ])('returns 403 to moderators who filter by %s', async (_, query) => {
    expect((await list(query, await makeModerator(app))).status).toBe(403);
  });

  it.each<[string, Query]>([
    ['open cases', { openCase: 'true' }],
    ['sanctions', { sanctioned: 'true' }],
  ])('returns 403 to support who filter by %s', async (_, query) => {
    expect((await list(query, await makeMember(app, { staffRole: 'support' }))).status).toBe(403);
  });

  it('does not reveal by a filter that someone has a case in which the viewer is a party', async () => {
    const moderator = await makeModerator(app);
    await fileReport(app, moderator, { problem_type: 'Harassment', reportedUser: of('reported').id });
    const { users } = (await list({ openCase: 'true' }, moderator)).body.data;
    expect(users.map(({ _id }) => _id)).not.toContain(of('reported').id);
  });

  it.each<[string, () => Query]>([
    ['a plan', () => ({ plan: 'monthly' })],
    ['the end of a plan', () => ({ planEndsFrom: dateOf(0), planEndsTo: dateOf(40) })],
  ])('finds by %s no one whose subscription the viewer may not read', async (_, query) => {
    const [party, senior] = [await makeAdministrator(app), await makeMember(app, { staffRole: 'senior' })];
    const [reported, payer] = [await makeMember(app), await makeMember(app)];
    await fileReport(app, party, { problem_type: 'Harassment', reportedUser: reported.id });
    for (const one of [reported, payer]) await ensurePremium(app, one);
    // A subscription from the time before they joined the team.
    await app.db.updateTable('subscription').set({ account_id: party.id }).where('account_id', '=', payer.id).execute();
    const ours = [reported.id, party.id];
    const found = async (by: TestMember) =>
      (await list(query(), by)).body.data.users.map(({ _id }) => _id).filter((id) => ours.includes(id));
    expect(await found(party)).toEqual([]);
    expect(await found(senior)).toEqual([reported.id]);
    expect((await found(administrator)).sort()).toEqual(ours.sort());
    await app.db.deleteFrom('subscription').where('account_id', '=', party.id).execute();
  });

  it('finds the same people by a tag and by tags merged into it', async () => {
    const owner = await makeMember(app, { staffRole: 'owner' });
    const [kept, merged, also] = [await newTag(app), await newTag(app), await newTag(app)];
    const people = await Promise.all([kept, merged, also].map(() => makeMember(app)));
    for (const [at, tag] of [kept, merged, also].entries())
      await app.call(tagUser, { token: owner.token, params: { id: people[at]?.id ?? '' }, body: { add: [tag] } });
    for (const tag of [merged, also])
      expect((await app.call(mergeTag, { token: owner.token, params: { id: tag }, body: { into: kept } })).status).toBe(
        200,
      );
    const all = people.map(({ id }) => id).toSorted();
    for (const tag of [kept, merged, also])
      expect((await list({ tag })).body.data.users.map(({ _id }) => _id).toSorted()).toEqual(all);
  });

  it('finds no one by a tag whose tags the viewer may not see', async () => {
    const owner = await makeMember(app, { staffRole: 'owner' });
    const moderator = await makeModerator(app);
    const tag = await newTag(app);
    for (const id of [administrator.id, moderator.id, of('plain').id])
      await app.call(tagUser, { token: owner.token, params: { id }, body: { add: [tag] } });
    const found = async (by: TestMember) => (await list({ tag }, by)).body.data.users.map(({ _id }) => _id);
    expect(await found(moderator)).toEqual([of('plain').id]);
    expect(await found(administrator)).toEqual(expect.arrayContaining([moderator.id, of('plain').id]));
    expect(await found(administrator)).toHaveLength(2);
    expect(await found(owner)).toHaveLength(3);
  });

  it.each<[string, Query]>([
    ['a range that ends before it begins', { joinedFrom: '2026-02-01', joinedTo: '2026-01-01' }],
    ['no day', { joinedFrom: 'yesterday' }],
    ['no tag', { tag: 'vip' }],
    ['no zone', { joinedFrom: '2026-01-01', zone: 'Nowhere/Town' }],
  ])('returns 400 for %s', async (_, query) => {
    expect((await list(query)).status).toBe(400);
  });
});
