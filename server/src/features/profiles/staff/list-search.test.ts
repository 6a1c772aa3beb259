import { beforeAll, describe, expect, test } from 'vitest';
import { previewBulk } from '#contract/moderation/bulk.ts';
import { searchUsers } from '#contract/profiles/profiles.ts';
import { exportUsers, listUsers, userSorts, userStatuses } from '#contract/profiles/staff.ts';
import { deleteAccounts, makeMember } from '../../../../test/factories.ts';
import { makeCrowd, type Crowd, type ListQuery } from '../../../../test/crowd.ts';
import { startAppForTests } from '../../../../test/harness.ts';
import { fileReport } from '../../../../test/moderation/reports.ts';

const app = startAppForTests();
let crowd: Crowd;

beforeAll(async () => {
  crowd = await makeCrowd(app);
});

const list = (query: ListQuery = {}, by = crowd.administrator) => app.call(listUsers, { token: by.token, query });

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
    await deleteAccounts(app, named.id, ...members.map(({ id }) => id));
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
    await deleteAccounts(app, reported.id, other.id, administrator.id);
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
    await deleteAccounts(app, leaving.id, administrator.id);
  });
});
