import { beforeAll, describe, expect, test } from 'vitest';
import type { QueryInput } from '#contract/endpoint.ts';
import { blockUser, unblockUser } from '#contract/connections.ts';
import { searchUsers } from '#contract/profiles/profiles.ts';
import {
  makeAdministrator,
  makeMember,
  makeModerator,
  type MemberOptions,
  type TestMember,
} from '../../../../test/factories.ts';
import { answersTo, haveAnswered } from '../../../../test/answers.ts';
import { startApp, startAppForTests } from '../../../../test/harness.ts';
import { snapToPlaceCell } from '../place/distance.ts';

type Query = QueryInput<typeof searchUsers>;

const app = startAppForTests();
let me: TestMember;
let people: Record<string, TestMember>;
const nameOf = new Map<string, string>();

const minutesAgo = (minutes: number) => new Date(app.clock.now().getTime() - minutes * 60_000);
const at = (latitude: number, longitude: number) => snapToPlaceCell(latitude, longitude);

beforeAll(async () => {
  const oslo = { city: 'Oslo', country: 'Norway' };
  me = await makeMember(app, { firstName: 'Anna', lastName: 'Self', ...oslo, ...at(59.91, 10.75) });
  const made: Record<string, MemberOptions> = {
    anna: { firstName: 'Anna', gender: 'woman', birthDate: '1996-06-15', ...oslo, ...at(59.91, 10.75), online: true },
    hannah: { firstName: 'Hannah', gender: 'woman', birthDate: '1996-06-16', ...oslo, ...at(59.99, 10.75) },
    ivan: {
      firstName: 'Иван',
      gender: 'man',
      birthDate: '1950-01-01',
      city: 'Bergen',
      country: 'Norway',
      ...at(60.39, 5.32),
    },
    misaki: { firstName: '美咲', gender: 'non-binary', birthDate: '2008-06-15', city: 'São Paulo', country: 'Brazil' },
    shy: { firstName: 'Shy', gender: 'man', showLastActive: false, online: true, ...at(59.91, 10.75) },
    smith: { firstName: 'Bo', lastName: 'Annason', email: 'anna.annason@example.test' },
  };
  const hidden: MemberOptions[] = [
    { deactivated: 'spam' },
    { leaving: true },
    { verified: false },
    { gender: null },
    { seeking: [] },
    { staffRole: 'admin' },
    { staffRole: 'moderator' },
  ];
  for (const options of hidden) await makeMember(app, { firstName: 'Anna', ...options });
  people = {};
  let minutes = 0;
  for (const [name, options] of Object.entries(made)) {
    minutes += 10;
    const member = await makeMember(app, {
      createdAt: minutesAgo(minutes),
      lastActiveAt: minutesAgo(100 - minutes),
      ...options,
    });
    people[name] = member;
    nameOf.set(member.id, name);
  }
});

const search = (query: Query = {}, by = me) => app.call(searchUsers, { token: by.token, query });
const found = async (query: Query = {}, by = me) => {
  const { users, pagination } = (await search(query, by)).body.data;
  expect(pagination.total).toBe(users.length);
  return users.map(({ _id }) => nameOf.get(_id) ?? _id);
};

describe('a search by a member', () => {
  test('finds everyone visible to them, newest first, but never themselves', async () => {
    expect(await found()).toEqual(['anna', 'hannah', 'ivan', 'misaki', 'shy', 'smith']);
    const { body } = await search();
    expect(body.data.pagination).toEqual({
      ...{ page: 1, limit: 20, total: 6, pages: 1, hasNext: false, hasPrev: false },
      nextCursor: null,
    });
  });

  test.each<[Query, string[]]>([
    [{ search: 'ANN' }, ['anna', 'hannah']],
    [{ search: 'иван' }, ['ivan']],
    [{ search: '美' }, ['misaki']],
    [{ search: 'annason' }, []],
    [{ search: 'testperson' }, []],
    [{ search: 'example.test' }, []],
    [{ search: '@' }, []],
    [{ search: '%' }, []],
    [{ gender: 'woman' }, ['anna', 'hannah', 'smith']],
    [{ gender: 'male' }, ['ivan', 'shy']],
    [{ gender: 'non-binary' }, ['misaki']],
    [{ minAge: '30', maxAge: '30' }, ['anna']],
    [{ minAge: '29', maxAge: '29' }, ['hannah']],
    [{ maxAge: '18' }, ['misaki']],
    [{ minAge: '76' }, ['ivan']],
    [{ minAge: '77' }, []],
    [{ city: 'oslo' }, ['anna', 'hannah']],
    [{ city: 'SÃO paulo', country: 'brazil' }, ['misaki']],
    [{ city: 'Sao Paulo', country: 'Brasil' }, ['misaki']],
    [{ city: 'Sa\u0303o Paulo', country: 'BR' }, ['misaki']],
    [{ search: 'И\u0306ван' }, ['ivan']],
    [{ country: 'Norge' }, ['anna', 'hannah', 'ivan']],
    [{ country: 'norway' }, ['anna', 'hannah', 'ivan']],
    [{ country: 'norway', city: 'prague' }, []],
    [{ maxDistance: '1' }, ['anna', 'shy']],
    [{ maxDistance: '9' }, ['anna', 'hannah', 'shy']],
    [{ maxDistance: '400' }, ['anna', 'hannah', 'ivan', 'shy']],
    [{ maxDistance: '20100' }, ['anna', 'hannah', 'ivan', 'shy']],
    [{ onlineNow: 'true' }, ['anna']],
    [{ onlineNow: 'false' }, ['anna', 'hannah', 'ivan', 'misaki', 'shy', 'smith']],
    [{ sortBy: 'newest' }, ['anna', 'hannah', 'ivan', 'misaki', 'shy', 'smith']],
    [{ sortBy: 'lastActive' }, ['smith', 'misaki', 'ivan', 'hannah', 'anna']],
    [{ sortBy: 'lastActive', search: 'ann', gender: 'female' }, ['hannah', 'anna']],
  ])('finds, with %j, %j', async (query, names) => {
    expect(await found(query)).toEqual(names);
  });

  test('lists the best compatibility band first, the newest first within it, page by page', async () => {
    const [anna, hannah, misaki, shy] = ['anna', 'hannah', 'misaki', 'shy'].map((name) => people[name] ?? me);
    expect(await found({ sortBy: 'compatibility' })).toEqual(['anna', 'hannah', 'ivan', 'misaki', 'shy', 'smith']);
    for (const one of [me, shy, misaki]) await haveAnswered(app, one ?? me, answersTo(10, 0, 0));
    await haveAnswered(app, anna ?? me, answersTo(10, 1, 1));
    await haveAnswered(app, hannah ?? me, answersTo(10, 1, 0));
    const order = ['misaki', 'shy', 'hannah', 'anna', 'ivan', 'smith'];
    expect(await found({ sortBy: 'compatibility' })).toEqual(order);
    const pages = [];
    for (const page of ['1', '2', '3']) pages.push(await search({ sortBy: 'compatibility', limit: '2', page }));
    expect(pages.flatMap(({ body }) => body.data.users.map(({ _id }) => nameOf.get(_id)))).toEqual(order);
    expect(pages[0]?.body.data.pagination).toMatchObject({ total: 6, pages: 3 });
  });

  test('can be paged, and says whether there are previous and next pages', async () => {
    const second = (await search({ limit: '2', page: '2' })).body.data;
    expect(second.users.map(({ _id }) => nameOf.get(_id))).toEqual(['ivan', 'misaki']);
    expect(second.pagination).toEqual({ page: 2, limit: 2, total: 6, pages: 3, hasNext: true, hasPrev: true });
    const beyond = (await search({ limit: '2', page: '4' })).body.data;
    expect(beyond.users).toEqual([]);
    expect(beyond.pagination).toMatchObject({ hasNext: false, hasPrev: true });
  });

  test.each<[Query, string[]]>([
    [{}, ['anna', 'hannah', 'ivan', 'misaki', 'shy', 'smith']],
    [{ sortBy: 'lastActive' }, ['smith', 'misaki', 'ivan', 'hannah', 'anna']],
    [{ sortBy: 'compatibility' }, ['misaki', 'shy', 'hannah', 'anna', 'ivan', 'smith']],
    [{ search: 'ann' }, ['anna', 'hannah']],
  ])('continues %j after the last person shown, even if some of the list are gone', async (query, names) => {
    const order = await found(query);
    expect(order.toSorted()).toEqual(names.toSorted());
    const seen: string[] = [];
    const blocked = people[order[0] ?? ''];
    let cursor: string | null | undefined;
    do {
      const { users, pagination } = (await search({ ...query, limit: '1', ...(cursor && { cursor }) })).body.data;
      seen.push(...users.map(({ _id }) => nameOf.get(_id) ?? _id));
      cursor = pagination.nextCursor;
      expect(pagination.hasNext).toBe(cursor !== null);
      if (seen.length === 1) await app.call(blockUser, { token: me.token, params: { userId: blocked?.id ?? '' } });
    } while (cursor);
    await app.call(unblockUser, { token: me.token, params: { userId: blocked?.id ?? '' } });
    expect(seen).toEqual(order);
  });

  test('returns 400 for the cursor of another search, of another member, and for any other text', async () => {
    const cursor = (await search({ limit: '1' })).body.data.pagination.nextCursor ?? '';
    expect((await search({ limit: '1', cursor })).status).toBe(200);
    for (const [query, by] of [
      [{ cursor, sortBy: 'lastActive' }, me],
      [{ cursor, gender: 'woman' }, me],
      [{ cursor }, people['anna'] ?? me],
      [{ cursor: 'x' }, me],
    ] as const)
      expect((await search(query, by)).status).toBe(400);
  });

  test('returns its parameters without empty ones', async () => {
    const query = { search: '', gender: '', minAge: '', maxAge: '40', city: '', onlineNow: '', sortBy: '', page: '1' };
    const { body } = await search(query as Query);
    expect(body.data.searchParams).toEqual({ page: 1, maxAge: 40 });
  });

  test('reveals no activity to members who hide theirs, in any order or filter', async () => {
    const shy = people['shy'] ?? me;
    const newest = await found({}, shy);
    expect(await found({ sortBy: 'lastActive' }, shy)).toEqual(newest);
    expect(await found({ onlineNow: 'true' }, shy)).toEqual([]);
    const { users } = (await search({}, shy)).body.data;
    for (const user of users) expect(user).toMatchObject({ isOnline: null, lastActive: null });
  });

  test('finds no one within a distance if the member has no place', async () => {
    expect(await found({ maxDistance: '20100' }, people['misaki'])).toEqual([]);
  });

  test('finds the neighbour across the 180th meridian', async () => {
    const west = await makeMember(app, { firstName: 'Westward', ...at(-16.8, 179.98) });
    const east = await makeMember(app, { firstName: 'Eastward', ...at(-16.8, -179.98) });
    expect((await search({ maxDistance: '10' }, west)).body.data.users.map(({ _id }) => _id)).toEqual([east.id]);
    await app.db.deleteFrom('account').where('id', 'in', [west.id, east.id]).execute();
  });

  test.each<[Record<string, string>, string]>([
    [{ minAge: '17' }, 'minAge'],
    [{ maxAge: '121' }, 'maxAge'],
    [{ maxDistance: '0' }, 'maxDistance'],
    [{ gender: 'robot' }, 'gender'],
    [{ onlineNow: 'maybe' }, 'onlineNow'],
    [{ sortBy: 'distance' }, 'sortBy'],
    [{ minAge: '40', maxAge: '30' }, 'maxAge'],
    [{ city: 'x'.repeat(101) }, 'city'],
  ])('is rejected with a field error for %j', async (query, field) => {
    const refused = await search(query);
    expect(refused.status).toBe(400);
    expect(refused.error.errors?.[0]?.field).toBe(field);
  });

  test('requires a verified address and a complete profile', async () => {
    expect((await app.call(searchUsers)).status).toBe(401);
    expect((await search({}, await makeMember(app, { verified: false }))).error.code).toBe('EMAIL_NOT_VERIFIED');
    expect((await search({}, await makeMember(app, { gender: null }))).error.code).toBe('PROFILE_INCOMPLETE');
  });

  test('finds no deactivated, staff or leaving accounts until they return', async () => {
    const member = await makeMember(app, { firstName: 'Comeandgo' });
    const isFound = async () => (await found({ search: 'comeandgo' })).length === 1;
    const account = (change: object) => app.db.updateTable('account').set(change).where('id', '=', member.id).execute();
    expect(await isFound()).toBe(true);
    for (const [away, back] of [
      [
        { is_active: false, deactivated_at: app.clock.now() },
        { is_active: true, deactivated_at: null },
      ],
      [{ staff_role: 'moderator' }, { staff_role: null }],
      [{ leaving_since: app.clock.now() }, { leaving_since: null }],
      [{ email_verified_at: null }, { email_verified_at: app.clock.now() }],
    ]) {
      await account(away ?? {});
      expect(await isFound()).toBe(false);
      await account(back ?? {});
      expect(await isFound()).toBe(true);
    }
    await app.db.deleteFrom('account').where('id', '=', member.id).execute();
  });
});

describe('a search by staff', () => {
  test('finds everyone by name or address, with staff fields', async () => {
    const administrator = await makeAdministrator(app, { firstName: 'Zoe' });
    const { users, pagination } = (await search({ search: 'anna.annason@' }, administrator)).body.data;
    expect(users).toHaveLength(1);
    expect(users[0]).toMatchObject({
      _id: people['smith']?.id,
      email: 'anna.annason@example.test',
      lastName: 'Annason',
    });
    expect(pagination).toMatchObject({ hasNext: false, hasPrev: false });
    expect((await search({ limit: '1000' }, administrator)).status).toBe(200);
    expect((await search({ search: 'anna', limit: '1000' }, administrator)).body.data.users.length).toBeGreaterThan(6);
  });

  test.each([
    ['الاندلسي', 'نور', 'الأندلسي'],
    ['نور الهدي', 'نور', 'الهدى'],
    ['فاطمه', 'فاطمة', 'علي'],
    ['على', 'فاطمة', 'علي'],
    ['محمد', 'مُحَمَّد', 'علي'],
    ['کریمی', 'سارا', 'كريمي'],
    ['בן-דוד', 'נועה', 'בן־דוד'],
    ['בן דוד', 'נועה', 'בן־דוד'],
    ['בן־דוד', 'נועה', 'בן דוד'],
    ['Jean Luc', 'Jean-Luc', 'Picard'],
    ['Соловьёва Ёлка', 'Ёлка', 'Соловьёва'],
    ['Соловьева, Елка', 'Ёлка', 'Соловьёва'],
    ['斎藤', '花子', '齋藤'],
    ['斎藤 花子', '花子', '齋藤'],
    ['Ли Ян', 'Ян', 'Ли'],
    ['ᲜᲘᲜᲝ', 'ნინო', 'ბერიძე'],
    ['ბერიძე ნინო', 'ნინო', 'ბერიძე'],
    ['‹Quentin›', 'Quentin', 'Blake'],
    ['Quen\u200btin Bla\u200dke', 'Quentin', 'Blake'],
    ['Blake <q.blake@example.test>', 'Quentin', 'Blake', 'q.blake@example.test'],
    ['mailto:q.blake@example.test', 'Quentin', 'Blake', 'q.blake@example.test'],
    ['u@почта.рф', 'Vera', 'Test', 'u@xn--80a1acny.xn--p1ai'],
    ['U@ПОЧТА.РФ', 'Vera', 'Test', 'u@xn--80a1acny.xn--p1ai'],
    ['@почта.рф', 'Vera', 'Test', 'u@xn--80a1acny.xn--p1ai'],
    ['почта.рф', 'Vera', 'Test', 'u@xn--80a1acny.xn--p1ai'],
    ['почта', 'Vera', 'Test', 'u@xn--80a1acny.xn--p1ai'],
    ['xn--80a1acny', 'Vera', 'Test', 'u@xn--80a1acny.xn--p1ai'],
    ['thuy@münchen.example', 'Thuy', 'Test', 'thuy@xn--mnchen-3ya.example'],
  ])('finds, with %j, %s %s %s', async (term, firstName, lastName, email = undefined) => {
    const administrator = await makeAdministrator(app, { firstName: 'Zoe' });
    const member = await makeMember(app, { firstName, lastName, ...(email === undefined ? {} : { email }) });
    const { users } = (await search({ search: term }, administrator)).body.data;
    expect(users.map(({ _id }) => _id)).toEqual([member.id]);
    await app.db.deleteFrom('account').where('id', '=', member.id).execute();
  });

  test('finds only people with all words', async () => {
    const administrator = await makeAdministrator(app, { firstName: 'Zoe' });
    expect((await search({ search: 'Annason Ivan' }, administrator)).body.data.users).toEqual([]);
    expect((await search({ search: 'annason bo' }, administrator)).body.data.users).toHaveLength(1);
  });

  test.each<Query>([{ country: 'Narnia' }, { gender: 'woman' }, { onlineNow: 'false' }, { maxAge: '30' }])(
    'returns 400 for %j, a filter that only members can use',
    async (query) => {
      const moderator = await makeModerator(app);
      expect((await search({ country: '', limit: '1' }, moderator)).status).toBe(200);
      const refused = await search(query, moderator);
      expect(refused.status).toBe(400);
      expect(refused.error.errors?.[0]?.field).toBe(Object.keys(query)[0]);
    },
  );

  test('cannot use addresses for moderators', async () => {
    const moderator = await makeModerator(app, { firstName: 'Yan' });
    expect((await search({ search: 'anna.annason@' }, moderator)).body.data.users).toEqual([]);
    const byName = await search({ search: 'annason' }, moderator);
    expect(byName.body.data.users).toHaveLength(1);
    expect(byName.raw).not.toContain('anna.annason@');
    expect((await search({ limit: '1000' }, moderator)).status).toBe(200);
  });
});

test('a search finds texts written by an earlier version of folding once they are folded again', async () => {
  const { id } = await makeMember(app);
  await app.pool.query(`update directory set city = 'são paulo', first_name = 'josé' where account_id = $1`, [id]);
  await app.pool.query(`delete from installation where name = 'folding'`);
  expect(await found({ search: 'jose' })).toEqual([]);
  await app.app.background.tasks['profiles.refold']?.({}, {} as never);
  expect(await found({ search: 'jose', city: 'Sao Paulo' })).toEqual([id]);
  await app.db.deleteFrom('account').where('id', '=', id).execute();
});

test('the total of a search is exact up to 10,000, and beyond that a minimum, which is counted again after a minute', async () => {
  const crowd = await startApp();
  const viewer = await makeMember(crowd, { firstName: 'Anna' });
  const search = (query: Query, { token } = viewer) => crowd.call(searchUsers, { token, query });
  await crowd.pool.query(`
    with made as (
      insert into account (email, created_at, email_verified_at)
      select 'crowd' || n || '@crowd.test', timestamptz '2020-01-01' + n * interval '1 minute', now() from generate_series(1, 10010) n
      returning id, email, created_at
    )
    insert into profile (account_id, first_name, gender, birth_date, seeking, city, country, picture_count)
    select id, case when email in ('crowd9@crowd.test', 'crowd9999@crowd.test') then 'Rare' else 'Crowdy' end,
      'man', '1980-01-01', '{woman}', 'Rome', 'Italy', 1 from made order by created_at`);
  await crowd.pool.query('analyze directory');
  const administrator = await makeAdministrator(crowd, { firstName: 'Zoe' });
  const byMany = await search({ search: 'crowd', limit: '100', page: '3' }, administrator);
  expect(byMany.body.data.pagination).toMatchObject({ total: 10_000, pages: 100, totalIsExact: false, hasNext: true });
  expect(byMany.body.data.users).toHaveLength(100);
  expect(byMany.body.data.users[0]).toMatchObject({ email: 'crowd9810@crowd.test' });
  const minimum = { total: 10_000, totalIsExact: false };
  expect((await search({ search: 'crowdy' })).body.data.pagination).toMatchObject(minimum);
  await crowd.pool.query(`delete from account where email like 'crowd10%@crowd.test'`);
  expect((await search({ search: 'crowdy', page: '2' })).body.data.pagination).toMatchObject(minimum);
  crowd.clock.advance(61);
  expect((await search({ search: 'crowdy' })).body.data.pagination.total).toBeLessThan(10_000);
  expect((await search({ search: 'rare' })).body.data.pagination).toEqual({
    nextCursor: null,
    page: 1,
    limit: 20,
    total: 2,
    pages: 1,
    hasNext: false,
    hasPrev: false,
  });
  await crowd.close();
});
