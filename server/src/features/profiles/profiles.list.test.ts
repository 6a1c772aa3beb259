import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { QueryInput } from '#contract/endpoint.ts';
import { listUsers, sortOrders, userSorts, userStatuses, userTypes } from '#contract/profiles.ts';
import { makeAdministrator, makeMember, type MemberOptions, type TestMember } from '../../../test/factories.ts';
import { startApp, type TestApp } from '../../../test/harness.ts';

type Query = QueryInput<typeof listUsers>;

let app: TestApp;
let administrator: TestMember;
let moderator: TestMember;
/** Everybody made, as they were made: the truth that the lists are held against. */
const everybody: (TestMember & { options: MemberOptions; lastActive: number; createdAt: number; name: string })[] = [];

async function add(options: MemberOptions): Promise<TestMember> {
  const member = await makeMember(app, options);
  everybody.push({
    ...member,
    options,
    createdAt: (options.createdAt ?? app.clock.now()).getTime(),
    lastActive: options.lastActiveAt?.getTime() ?? Number.NEGATIVE_INFINITY,
    name: [options.firstName, options.lastName].filter((part) => part !== null).join(' '),
  });
  return member;
}

const minutesAgo = (minutes: number) => new Date(app.clock.now().getTime() - minutes * 60_000);

beforeAll(async () => {
  app = await startApp();
  const named = { firstName: 'Zara', lastName: 'Staff' };
  administrator = await add({ ...named, staffRole: 'admin', email: 'chief@heartwood.test' });
  moderator = await add({ ...named, firstName: 'Yve', staffRole: 'moderator' });
  const names = ['ada', 'Ådne', 'Bo', 'cy', 'Дмитрий', '佐藤美咲', 'Zoë', 'ada', 'Émile', "O'Brien_100%"];
  for (let n = 0; n < 40; n++) {
    const inactive = n % 7 === 3;
    await add({
      firstName: names[n % names.length] ?? null,
      lastName: n % 3 === 0 ? null : `Name${n % 5}`,
      email: `person${n}@${n % 2 === 0 ? 'mail' : 'post'}.test`,
      vip: n % 4 === 0,
      verified: n % 5 !== 0,
      createdAt: minutesAgo(n < 4 ? 10 : n),
      lastActiveAt: n % 6 === 0 ? null : minutesAgo(n % 11),
      online: !inactive && n % 9 === 0,
      ...(inactive ? { deactivated: 'spam' } : {}),
    });
  }
  await makeMember(app, { firstName: 'ada', leaving: true, vip: true });
});
afterAll(() => app.close());

const list = (query: Query = {}, by = administrator) => app.call(listUsers, { token: by.token, query });
const idsOf = async (query: Query) => (await list(query)).body.data.users.map(({ _id }) => _id);

function expected(query: Query): string[] {
  const { status = 'all', type = 'all', sortBy = 'createdAt', sortOrder = 'desc' } = query;
  const fits = everybody.filter(({ options }) => {
    const active = options.deactivated === undefined;
    const byStatus = {
      all: true,
      active,
      inactive: !active,
      online: options.online === true,
      verified: options.verified !== false,
    }[status];
    return byStatus && (type === 'all' || (type === 'vip') === (options.vip === true));
  });
  // A root collation, as the database has it.
  const collator = new Intl.Collator('und');
  const compare = {
    createdAt: (a: (typeof everybody)[0], b: (typeof everybody)[0]) => a.createdAt - b.createdAt,
    lastActive: (a: (typeof everybody)[0], b: (typeof everybody)[0]) =>
      a.lastActive === b.lastActive ? 0 : a.lastActive - b.lastActive,
    name: (a: (typeof everybody)[0], b: (typeof everybody)[0]) =>
      collator.compare(a.name.toLowerCase(), b.name.toLowerCase()),
  }[sortBy];
  const sign = sortOrder === 'asc' ? 1 : -1;
  return fits.sort((a, b) => sign * (compare(a, b) || (a.id < b.id ? -1 : 1))).map(({ id }) => id);
}

describe('GET /auth/users', () => {
  test('lists everybody but the leaving ones, newest first, twenty a page', async () => {
    const { body } = await list();
    expect(body.data.users.map(({ _id }) => _id)).toEqual(expected({}).slice(0, 20));
    expect(body.data.pagination).toMatchObject({ page: 1, limit: 20, total: 42, pages: 3 });
    const last = await list({ page: '3' });
    expect(last.body.data.users).toHaveLength(2);
    expect(last.body.data.pagination.nextCursor).toBeNull();
  });

  const combinations = userStatuses.flatMap((status) =>
    userTypes.flatMap((type) =>
      userSorts.flatMap((sortBy) => sortOrders.map((sortOrder) => ({ status, type, sortBy, sortOrder }))),
    ),
  );

  test('answers every status, type and order exactly, by page and by cursor, with the right total', async () => {
    for (const filters of combinations) {
      const truth = expected(filters);
      const whole = await list({ ...filters, limit: '1000' });
      expect({ filters, ids: whole.body.data.users.map(({ _id }) => _id) }).toEqual({ filters, ids: truth });
      expect(whole.body.data.pagination).toMatchObject({ total: truth.length, nextCursor: null });
      expect(await idsOf({ ...filters, limit: '7', page: '2' })).toEqual(truth.slice(7, 14));
      const walked: string[] = [];
      let next: string | null = '';
      while (next !== null) {
        const { body } = await list({ ...filters, limit: '7', ...(next === '' ? {} : { cursor: next }) });
        walked.push(...body.data.users.map(({ _id }) => _id));
        next = body.data.pagination.nextCursor ?? null;
      }
      expect(walked).toEqual(truth);
    }
  });

  test('shows each user whole', async () => {
    const [shown] = (await list({ search: 'person1@' })).body.data.users;
    expect(shown).toEqual({
      _id: everybody[3]?.id,
      firstName: 'Ådne',
      lastName: 'Name1',
      name: 'Ådne Name1',
      email: 'person1@post.test',
      createdAt: minutesAgo(10).toISOString(),
      lastActive: minutesAgo(1).toISOString(),
      isActive: true,
      isVIP: false,
      isOnline: false,
      isEmailVerified: true,
      emailVerificationSent: false,
      profileComplete: true,
      gender: 'woman',
      genderText: null,
      age: 36,
      bio: null,
      location: { city: 'Prague', country: 'Czechia' },
      profilePicture: null,
      more_pictures: [],
      settings: { showLastActive: true },
      isAdmin: false,
      staffRole: null,
      can: { edit: true, activate: false, deactivate: true },
    });
  });

  test('a page past the end is empty', async () => {
    const { body } = await list({ page: '1000000', limit: '1000' });
    expect(body.data.users).toEqual([]);
    expect(body.data.pagination).toMatchObject({ total: 42, nextCursor: null });
  });

  test.each<Record<string, string>>([
    { limit: '0' },
    { limit: '-1' },
    { limit: '1001' },
    { limit: '1000000000' },
    { limit: 'abc' },
    { limit: '1.5' },
    { limit: '' },
    { page: '0' },
    { page: '1000001' },
    { status: 'gone' },
    { type: 'gold' },
    { sortBy: 'email' },
    { sortOrder: 'up' },
    { search: 'x'.repeat(101) },
    { search: 'a\0b' },
    { cursor: 'nonsense' },
    { cursor: Buffer.from('["a","b","c"]').toString('base64url') },
    { cursor: 'x'.repeat(2000) },
  ])('refuses %j in words', async (query) => {
    const refused = await list(query as Query);
    expect(refused.status).toBe(400);
    expect(refused.error.errors?.[0]?.field).toBe(Object.keys(query)[0]);
  });

  test('refuses a repeated limit', async () => {
    const answer = await app.app.inject({
      url: '/api/v1/auth/users?limit=5&limit=6',
      headers: { authorization: `Bearer ${administrator.token}` },
    });
    expect(answer.statusCode).toBe(400);
  });

  test('takes a cursor only for the list it came from', async () => {
    const cursorOf = async (query: Query) =>
      (await list({ ...query, limit: '3' })).body.data.pagination.nextCursor ?? '';
    const cursor = await cursorOf({});
    for (const other of [
      { sortBy: 'name' },
      { sortBy: 'lastActive' },
      { sortOrder: 'asc' },
      { status: 'active' },
      { type: 'free' },
      { search: 'a' },
    ] satisfies Query[]) {
      expect((await list({ ...other, cursor })).status).toBe(400);
      expect((await list({ cursor: await cursorOf(other) })).status).toBe(400);
    }
    expect((await list({ status: 'all', sortBy: 'createdAt', cursor })).status).toBe(200);
    expect((await list({ cursor }, moderator)).status).toBe(400);
  });

  test('refuses forged positions without troubling the database', async () => {
    const cursor = (await list({ limit: '3' })).body.data.pagination.nextCursor ?? '';
    const [mark, , id] = JSON.parse(Buffer.from(cursor, 'base64url').toString()) as string[];
    for (const [key, forgedId] of [
      ['2026-02-30T00:00:00.000000Z', id],
      ['2026-13-01T00:00:00.000000Z', id],
      ['yesterday', id],
      ['infinity', id],
      ['2026-01-01T00:00:00.000000Z', 'no-id'],
      ['2026-01-01T00:00:00.000000Z', 7],
    ]) {
      const forged = Buffer.from(JSON.stringify([mark, key, forgedId])).toString('base64url');
      expect((await list({ cursor: forged })).status).toBe(400);
    }
  });
});

describe('search among all users', () => {
  const found = async (search: string, query: Query = {}, by = administrator) => {
    const { users, pagination } = (await list({ ...query, search, limit: '100' }, by)).body.data;
    expect(pagination.total).toBe(users.length);
    return users;
  };

  test.each([
    ['ADA', 8],
    ['ådne name', 3],
    ['дмитрий', 4],
    ['美咲', 4],
    ['person1@', 1],
    ['post.test', 20],
    ['@mail.test', 20],
    ["o'brien_100%", 4],
    ['_', 4],
    ['%', 4],
    ['\\', 0],
    ['zoë', 4],
    ['name1\nperson', 0],
    ['name1 person', 0],
    ['nobody like that', 0],
    ['chief@heartwood.test', 1],
  ])('%j finds %i', async (search, count) => {
    expect(await found(search)).toHaveLength(count);
  });

  test('goes together with filters, orders and cursors', async () => {
    for (const sortBy of userSorts) {
      const truth = (await found('ada', { sortBy, sortOrder: 'asc' })).map(({ _id }) => _id);
      expect(truth).toEqual(expected({ sortBy, sortOrder: 'asc' }).filter((id) => truth.includes(id)));
      const first = await list({ search: 'ada', sortBy, sortOrder: 'asc', limit: '5' });
      const cursor = first.body.data.pagination.nextCursor ?? '';
      const rest = await list({ search: 'ada', sortBy, sortOrder: 'asc', limit: '5', cursor });
      const walked = [...first.body.data.users, ...rest.body.data.users].map(({ _id }) => _id);
      expect(walked).toEqual(truth);
      expect(rest.body.data.pagination).toMatchObject({ total: 8, nextCursor: null });
    }
    const vips = await found('ada', { type: 'vip' });
    expect(vips.length).toBeGreaterThan(0);
    expect(vips.every(({ isVIP, firstName }) => isVIP && firstName === 'ada')).toBe(true);
  });

  test('that is blank is none', async () => {
    expect((await list({ search: '  ' })).body.data.pagination.total).toBe(42);
  });
});

describe('a moderator', () => {
  test('sees masked addresses, a hundred rows at most, and no button', async () => {
    const { body, raw } = await list({ limit: '100' }, moderator);
    expect(body.data.users).toHaveLength(42);
    expect(raw).not.toMatch(/person\d+@|chief|heartwood\.test/);
    expect(body.data.users.find(({ _id }) => _id === administrator.id)?.email).toBe('c•••@h•••.test');
    for (const { can } of body.data.users) expect(can).toEqual({ edit: false, activate: false, deactivate: false });
    expect((await list({ limit: '101' }, moderator)).status).toBe(400);
  });

  test('finds nobody by an address, whole or in part', async () => {
    for (const search of ['person1@post.test', 'person1@', 'post.test', '@']) {
      const { pagination } = (await list({ search }, moderator)).body.data;
      expect({ search, total: pagination.total }).toEqual({ search, total: 0 });
    }
    expect((await list({ search: 'ada' }, moderator)).body.data.pagination.total).toBe(8);
  });
});

test('an administrator has no button to deactivate themselves', async () => {
  const me = (await list({ search: 'zara staff' })).body.data.users[0];
  expect(me?.can).toEqual({ edit: true, activate: false, deactivate: false });
});

test('only staff list users', async () => {
  expect((await app.call(listUsers)).status).toBe(401);
  for (const member of [await makeMember(app), await makeMember(app, { vip: true })]) {
    expect((await list({}, member)).status).toBe(403);
  }
});

test('totals follow every change at once', async () => {
  const before = (await list({ type: 'free' })).body.data.pagination.total;
  const member = await makeMember(app);
  expect((await list({ type: 'free' })).body.data.pagination.total).toBe(before + 1);
  await app.db.updateTable('account').set({ is_vip: true }).where('id', '=', member.id).execute();
  expect((await list({ type: 'free' })).body.data.pagination.total).toBe(before);
  await app.db.deleteFrom('account').where('id', '=', member.id).execute();
  expect((await list({ type: 'vip', status: 'active' })).body.data.users.map(({ _id }) => _id)).not.toContain(
    member.id,
  );
});

test('another administrator is listed like everybody', async () => {
  const other = await makeAdministrator(app, { firstName: 'Second' });
  const [row] = (await list({ search: 'second' })).body.data.users;
  expect(row).toMatchObject({ _id: other.id, isAdmin: true, staffRole: 'admin', can: { deactivate: true } });
});
