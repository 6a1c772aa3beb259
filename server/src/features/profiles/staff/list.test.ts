import { afterEach, beforeAll, describe, expect, test } from 'vitest';
import { previewBulk } from '#contract/moderation/bulk.ts';
import { sortOrders } from '#contract/paging.ts';
import { searchUsers } from '#contract/profiles/profiles.ts';
import { exportUsers, listUsers, userSorts, userStatuses, userTypes } from '#contract/profiles/staff.ts';
import { makeAdministrator, makeMember, makeModerator } from '../../../../test/factories.ts';
import { makeCrowd, type Crowd, type ListQuery } from '../../../../test/crowd.ts';
import { startAppForTests } from '../../../../test/harness.ts';
import { fileReport } from '../../../../test/moderation/reports.ts';
import { setEntitlement } from '../../subscriptions/subscriptions.ts';

const app = startAppForTests();
let crowd: Crowd;
let inCrowd: string[];

beforeAll(async () => {
  crowd = await makeCrowd(app);
  inCrowd = (await app.db.selectFrom('account').select('id').execute()).map(({ id }) => id);
});
afterEach(() => app.db.deleteFrom('account').where('id', 'not in', inCrowd).execute());

const list = (query: ListQuery = {}, by = crowd.administrator) => app.call(listUsers, { token: by.token, query });
const minutesAgo = (minutes: number) => new Date(app.clock.now().getTime() - minutes * 60_000);
const idsOf = async (query: ListQuery) => (await list(query)).body.data.users.map(({ _id }) => _id);

describe('GET /auth/users', () => {
  test('lists everyone except leaving accounts, newest first, twenty per page', async () => {
    const { body } = await list();
    expect(body.data.users.map(({ _id }) => _id)).toEqual(crowd.expected({}).slice(0, 20));
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

  test('supports every status, type and order, by page and by cursor, with the right total', async () => {
    for (const filters of combinations) {
      const truth = crowd.expected(filters);
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

  test('counts all users exactly, while searches stop counting at 10,000', async () => {
    const more = { kind: 'total', key: 'users', delta: '123400' };
    await app.db.insertInto('statistic_delta').values(more).execute();
    const { pagination } = (await list({ limit: '1000' })).body.data;
    expect(pagination).toMatchObject({ total: 123_442, pages: 124 });
    expect(pagination.totalIsExact).toBeUndefined();
    await app.db
      .insertInto('statistic_delta')
      .values({ ...more, delta: '-123400' })
      .execute();
  });

  test('shows all fields of each user', async () => {
    const [shown] = (await list({ search: 'person1@' })).body.data.users;
    expect(shown).toEqual({
      _id: crowd.everyone[3]?.id,
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
      isPhotoVerified: false,
      photoVerifiedAt: null,
      profilePicture: expect.stringContaining('.thumbnail?'),
      more_pictures: [],
      settings: { showLastActive: true },
      isAdmin: false,
      staffRole: null,
      can: { act: true, edit: true, activate: false, deactivate: true },
    });
  });

  test('returns an empty page after the last one', async () => {
    const { body } = await list({ page: '1000000', limit: '1000' });
    expect(body.data.users).toEqual([]);
    expect(body.data.pagination).toMatchObject({ total: 42, nextCursor: null });
  });

  test.each<Record<string, string>>([
    { limit: '' },
    { page: '1000001' },
    { status: 'gone' },
    { type: 'gold' },
    { sortBy: 'email' },
    { sortOrder: 'up' },
    { search: 'x'.repeat(101) },
    { cursor: 'nonsense' },
    { cursor: Buffer.from('["a","b","c"]').toString('base64url') },
    { cursor: 'x'.repeat(2000) },
  ])('rejects %j with a field error', async (query) => {
    const refused = await list(query);
    expect(refused.status).toBe(400);
    expect(refused.error.errors?.[0]?.field).toBe(Object.keys(query)[0]);
  });

  test('accepts a cursor only for the list it came from', async () => {
    const cursorOf = async (query: ListQuery) =>
      (await list({ ...query, limit: '3' })).body.data.pagination.nextCursor ?? '';
    const cursor = await cursorOf({});
    for (const other of [
      { sortBy: 'name' },
      { sortBy: 'lastActive' },
      { sortOrder: 'asc' },
      { status: 'active' },
      { type: 'free' },
      { search: 'a' },
    ] satisfies ListQuery[]) {
      expect((await list({ ...other, cursor })).status).toBe(400);
      expect((await list({ cursor: await cursorOf(other) })).status).toBe(400);
    }
    expect((await list({ status: 'all', sortBy: 'createdAt', cursor })).status).toBe(200);
    expect((await list({ cursor }, crowd.moderator)).status).toBe(400);
  });

  test('rejects forged cursors without a database query', async () => {
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

test('the list of users does not let administrators deactivate themselves', async () => {
  const me = (await list({ search: 'zara staff' })).body.data.users[0];
  expect(me?.can).toEqual({ act: false, edit: true, activate: false, deactivate: false });
});

test('the list of users updates its totals immediately', async () => {
  const before = (await list({ type: 'free' })).body.data.pagination.total;
  const member = await makeMember(app);
  expect((await list({ type: 'free' })).body.data.pagination.total).toBe(before + 1);
  await setEntitlement(app.db, member.id, new Date('2099-01-01T00:00:00Z'));
  expect((await list({ type: 'free' })).body.data.pagination.total).toBe(before);
  await app.db.deleteFrom('account').where('id', '=', member.id).execute();
  expect((await list({ type: 'vip', status: 'active' })).body.data.users.map(({ _id }) => _id)).not.toContain(
    member.id,
  );
});

test('the list of users includes other administrators', async () => {
  const other = await makeAdministrator(app, { firstName: 'Second' });
  const [row] = (await list({ search: 'second' })).body.data.users;
  expect(row).toMatchObject({ _id: other.id, isAdmin: true, staffRole: 'admin', can: { deactivate: true } });
});

test('the list of users shows addresses and pictures as the viewer’s role allows', async () => {
  const member = await makeMember(app, { bio: 'Quotes " and \\ and ünïcödé \u2028 ✨' });
  const listedTo = async (viewer: { token: string }) => {
    const { users } = (await app.call(listUsers, { token: viewer.token, query: {} })).body.data;
    return users.find(({ _id }) => _id === member.id);
  };
  for (const viewer of [await makeAdministrator(app), await makeModerator(app), await makeAdministrator(app)]) {
    const user = await listedTo(viewer);
    expect(user?.profilePicture).toContain(`for=${viewer.id}&`);
    expect(user?.bio).toBe('Quotes " and \\ and ünïcödé \u2028 ✨');
  }
  expect((await listedTo(await makeAdministrator(app)))?.email).toBe(member.email);
  expect((await listedTo(await makeModerator(app)))?.email).toContain('•••');
});

describe('searching all users', () => {
  const found = async (search: string, query: ListQuery = {}, by = crowd.administrator) => {
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
    ['name ådne', 3],
    ['name1 person1@', 1],
    ['name1 person2@', 0],
    ['nobody like that', 0],
    ['chief@heartwood.test', 1],
  ])('finds, with %j, %i users', async (search, count) => {
    expect(await found(search)).toHaveLength(count);
  });

  test('combines with filters, orders and cursors', async () => {
    for (const sortBy of userSorts) {
      const truth = (await found('ada', { sortBy, sortOrder: 'asc' })).map(({ _id }) => _id);
      expect(truth).toEqual(crowd.expected({ sortBy, sortOrder: 'asc' }).filter((id) => truth.includes(id)));
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

  test('finds everyone whose name or address contains a whole address, and no one else', async () => {
    const address = 'kim.lee@same.test';
    const addresses = [
      address,
      `x${address}`,
      `${address}.example`,
      'kim.lee@same.tes',
      'kimxlee@same.test',
      'lee@same.test',
    ];
    const members = await Promise.all(addresses.map((email) => makeMember(app, { email, firstName: 'Kim' })));
    const named = await makeMember(app, { firstName: 'Kim.Lee@Same.test' });
    const matching = [...members.slice(0, 3), named].map(({ id }) => id);
    for (const term of [address, address.toUpperCase()])
      expect((await found(term)).map(({ _id }) => _id).sort()).toEqual(matching.toSorted());
  });

  test('ignores a blank term', async () => {
    expect((await list({ search: '  ' })).body.data.pagination.total).toBe(42);
  });
});

describe('a moderator who searches all users', () => {
  test('sees masked addresses and no actions', async () => {
    const { body, raw } = await list({ limit: '100' }, crowd.moderator);
    expect(body.data.users).toHaveLength(42);
    expect(raw).not.toMatch(/person\d+@|chief|heartwood\.test/);
    expect(body.data.users.find(({ _id }) => _id === crowd.administrator.id)?.email).toBe('c•••@h•••.test');
    for (const { can } of body.data.users)
      expect(can).toMatchObject({ edit: false, activate: false, deactivate: false });
  });

  test('cannot search by full or partial address', async () => {
    for (const search of ['person1@post.test', 'person1@', 'post.test', '@']) {
      const { pagination } = (await list({ search }, crowd.moderator)).body.data;
      expect({ search, total: pagination.total }).toEqual({ search, total: 0 });
    }
    expect((await list({ search: 'ada' }, crowd.moderator)).body.data.pagination.total).toBe(8);
  });
});

describe('an administrator who reported someone', () => {
  test('finds them by name only, in every list with a search', async () => {
    const options = { firstName: 'Quill', lastName: 'Reported', email: 'inkwell@masked.test', online: true };
    const [reported, other] = [
      await makeMember(app, options),
      await makeMember(app, { ...options, email: 'inkwell2@masked.test' }),
    ];
    const administrator = await makeMember(app, { staffRole: 'admin', email: 'own@masked.test', online: true });
    await fileReport(app, administrator, { problem_type: 'Harassment', reportedUser: reported.id });

    const everywhere = userSorts.flatMap((sortBy) =>
      userStatuses.filter((status) => status !== 'inactive').map((status) => ({ sortBy, status })),
    );
    for (const query of everywhere) {
      const found = async (search: string) => {
        const { users, pagination } = (await list({ ...query, search }, administrator)).body.data;
        expect(pagination.total).toBe(users.length);
        return new Set(users.map(({ _id }) => _id));
      };
      for (const search of ['inkwell', 'quill inkwell', '@masked.test'])
        expect([...(await found(search))]).not.toContain(reported.id);
      expect(await found('inkwell')).toEqual(new Set([other.id]));
      expect(await found('reported quill')).toEqual(new Set([reported.id, other.id]));
      expect(await found('own@masked.test')).toEqual(new Set([administrator.id]));
    }

    const first = (await list({ search: 'quill', limit: '1' }, administrator)).body.data;
    const cursor = first.pagination.nextCursor ?? '';
    const second = (await list({ search: 'quill', limit: '1', cursor }, administrator)).body.data;
    expect([first, second].flatMap(({ users }) => users.map(({ _id }) => _id)).sort()).toEqual(
      [reported.id, other.id].sort(),
    );
    expect(second.pagination).toMatchObject({ total: 2, nextCursor: null });

    const { token } = administrator;
    const searched = await app.call(searchUsers, { token, query: { search: 'inkwell' } });
    expect(searched.body.data.users.map(({ _id }) => _id)).toEqual([other.id]);
    const file = await app.call(exportUsers, { token, query: { search: 'inkwell', reason: 'Figures', columns: 'id' } });
    expect(file.raw).toContain(other.id);
    expect(file.raw).not.toContain(reported.id);
    const body = { selection: { filters: { search: 'inkwell' } }, kind: 'note' as const };
    expect((await app.call(previewBulk, { token, body })).body.data.total).toBe(1);
  });

  test('does not find them by address in the list of leaving accounts', async () => {
    const leaving = await makeMember(app, { firstName: 'Quill', email: 'feather@masked.test' });
    const administrator = await makeMember(app, { staffRole: 'admin' });
    await fileReport(app, administrator, { problem_type: 'Harassment', reportedUser: leaving.id });
    await app.db.updateTable('account').set({ leaving_since: app.clock.now() }).where('id', '=', leaving.id).execute();
    const found = async (search: string) =>
      (await list({ search, leaving: 'true' }, administrator)).body.data.users.map(({ _id }) => _id);
    expect(await found('feather')).toEqual([]);
    expect(await found('quill')).toEqual([leaving.id]);
  });
});
