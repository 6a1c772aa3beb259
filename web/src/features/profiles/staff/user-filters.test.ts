import { afterEach, describe, expect, it, vi } from 'vitest';
import { barestUser, listedUser } from '../../../../test/fixtures/staff/users.ts';
import {
  asQuery,
  filterUsers,
  indexUsers,
  isFiltered,
  firstUsers,
  newestFirst,
  noFilters,
  readUserList,
  sortUsers,
  unknownFilters,
  type UserFilters,
  type UserOrder,
  withList,
} from './user-filters.ts';

const ada = listedUser({ _id: 'ada', createdAt: '2025-03-01T00:00:00.000Z', lastActive: '2025-10-01T00:00:00.000Z' });
const bo = listedUser({
  _id: 'bo',
  firstName: 'Bo',
  lastName: 'Ek',
  name: 'Bo Ek',
  email: 'bo@post.test',
  createdAt: '2025-02-01T00:00:00.000Z',
  lastActive: '2025-10-02T00:00:00.000Z',
  isVIP: true,
  isActive: false,
  isOnline: false,
});
const nobody = barestUser({ _id: 'nobody', email: 'x@post.test', createdAt: '2025-04-01T00:00:00.000Z' });
const everybody = indexUsers([ada, bo, nobody]);

const found = (filters: Partial<UserFilters>) =>
  filterUsers(everybody, { ...noFilters, ...filters }).map(({ user }) => user._id);
const sorted = (order: UserOrder) => sortUsers(everybody, order).map(({ user }) => user._id);

describe('filterUsers', () => {
  it('finds a name or an email address in any case', () => {
    expect(found({ search: 'BYRON' })).toEqual(['ada']);
    expect(found({ search: ' ada by ' })).toEqual(['ada']);
    expect(found({ search: 'POST.test' })).toEqual(['bo', 'nobody']);
    expect(found({ search: 'nowhere' })).toEqual([]);
  });

  it('finds the words of a name in any order', () => {
    expect(found({ search: 'byron ada' })).toEqual(['ada']);
    expect(found({ search: 'byron bo' })).toEqual([]);
  });

  it.each([
    ['u@почта.рф', 'u@xn--80a1acny.xn--p1ai', 'Vera'],
    ['почта', 'u@xn--80a1acny.xn--p1ai', 'Vera'],
    ['mailto:bo@other.test', 'bo@other.test', 'Bo'],
    ['الاندلسي', 'x@other.test', 'الأندلسي'],
    ['בן דוד', 'x@other.test', 'בן־דוד'],
    ['lukasz', 'x@other.test', 'Łukasz'],
    ['soren', 'x@other.test', 'Sørensen'],
    ['GROSS', 'x@other.test', 'Groß'],
    ['斎藤', 'x@other.test', '齋藤'],
  ])('finds with %s the user %s, %s', (search, email, lastName) => {
    const users = indexUsers([bo, listedUser({ _id: 'other', email, lastName })]);
    expect(filterUsers(users, { ...noFilters, search }).map(({ user }) => user._id)).toEqual(['other']);
  });

  it('filters by status and type', () => {
    expect(found({ status: 'active' })).toEqual(['ada', 'nobody']);
    expect(found({ status: 'inactive' })).toEqual(['bo']);
    expect(found({ status: 'online' })).toEqual(['ada']);
    expect(found({ status: 'verified' })).toEqual(['ada', 'bo']);
    expect(found({ type: 'vip' })).toEqual(['bo']);
    expect(found({ type: 'free' })).toEqual(['ada', 'nobody']);
    expect(found({ type: 'free', status: 'verified' })).toEqual(['ada']);
  });
});

describe('sortUsers', () => {
  it('sorts by join date, last activity or name, in both directions', () => {
    expect(sorted(newestFirst)).toEqual(['nobody', 'ada', 'bo']);
    expect(sorted({ sortBy: 'createdAt', sortOrder: 'asc' })).toEqual(['bo', 'ada', 'nobody']);
    expect(sorted({ sortBy: 'name', sortOrder: 'desc' })).toEqual(['bo', 'ada', 'nobody']);
  });

  it('sorts users who were never active last', () => {
    expect(sorted({ sortBy: 'lastActive', sortOrder: 'desc' })).toEqual(['bo', 'ada', 'nobody']);
  });
});

describe("the list's URL", () => {
  it('leaves out default values and keeps other parameters', () => {
    const params = new URLSearchParams('user=42&status=online');
    expect(withList(params, { status: 'all' }).toString()).toBe('user=42');
    expect(withList(params, { search: ' ada ', sortBy: 'name', sortOrder: 'asc' }).toString()).toBe(
      'user=42&status=online&search=ada&sortBy=name',
    );
  });

  it('is read back as it was written, ignoring unknown values', () => {
    const params = withList(new URLSearchParams(), { search: 'ada', type: 'vip', sortBy: 'name', sortOrder: 'desc' });
    expect(readUserList(params)).toEqual({
      ...firstUsers,
      search: 'ada',
      status: 'all',
      type: 'vip',
      sortBy: 'name',
      sortOrder: 'desc',
    });
    expect(readUserList(new URLSearchParams('status=evil&sortBy=evil'))).toEqual(firstUsers);
  });

  it('has the filters that only the server applies, but no search for an email address', () => {
    for (const search of ['ada@post.test', 'ada＠post.test']) {
      const params = withList(new URLSearchParams(), { search, country: ' Norway ', paused: 'true' });
      expect(params.toString()).toBe('country=Norway&paused=true');
      expect(asQuery(readUserList(params))).toEqual({ country: 'Norway', paused: true });
    }
  });

  it('becomes a query with only the values that differ from the defaults', () => {
    expect(asQuery(firstUsers)).toEqual({});
    expect(asQuery({ ...firstUsers, status: 'online', sortBy: 'name', sortOrder: 'asc' })).toEqual({
      status: 'online',
      sortBy: 'name',
      sortOrder: 'asc',
    });
  });
});

describe('filters that only the server applies', () => {
  it.each([
    ['joinedFrom', 'yesterday'],
    ['minAge', '12'],
    ['gender', 'planet'],
    ['paused', 'maybe'],
    ['tag', 'press'],
    ['role', 'king'],
    ['country', 'x'.repeat(1000)],
  ])('are not set by an address with the invalid value %s=%s', (name, value) => {
    const address = new URLSearchParams({ [name]: value, city: 'Oslo' });
    expect(unknownFilters(address)).toEqual([name]);
    const list = readUserList(address);
    expect(list).toEqual({ ...firstUsers, city: 'Oslo' });
    expect(withList(new URLSearchParams({ [name]: value }), { city: 'Oslo' }).toString()).toBe('city=Oslo');
  });
});

describe('the days of filters', () => {
  afterEach(() => vi.unstubAllEnvs());

  it.each(['Pacific/Auckland', 'America/Los_Angeles'])(
    'are in the reader’s zone, such as %s, unless the address says otherwise',
    (zone) => {
      vi.stubEnv('TZ', zone);
      const queryOf = (address: string) => asQuery(readUserList(new URLSearchParams(address)));
      const [day, end] = ['2025-11-25', '2025-11-26'];
      expect(queryOf(`joinedTo=${day}`)).toEqual({ joinedTo: day, zone });
      expect(queryOf(`planEndsFrom=${day}&zone=Nowhere`)).toEqual({ planEndsFrom: day, zone });
      expect(queryOf(`activeFrom=${day}&activeTo=${end}&zone=UTC`)).toEqual({
        activeFrom: day,
        activeTo: end,
        zone: 'UTC',
      });
      expect(queryOf('city=Oslo&zone=UTC')).toEqual({ city: 'Oslo' });
    },
  );

  it('remove their zone from the address when the last one is removed', () => {
    const address = new URLSearchParams('joinedFrom=2025-11-01&joinedTo=2025-11-30&zone=UTC');
    const withStart = withList(address, { joinedTo: '' });
    expect(withStart.toString()).toBe('joinedFrom=2025-11-01&zone=UTC');
    expect(withList(withStart, { joinedFrom: '' }).toString()).toBe('');
    expect(isFiltered({ ...firstUsers, zone: 'UTC' })).toBe(false);
  });
});

describe('the saved list in an address', () => {
  it('stays selected while filters change, until the last one is removed', () => {
    const from = new URLSearchParams({ from: 'a-list', status: 'active' });
    expect(withList(from, { type: 'vip' }).get('from')).toBe('a-list');
    expect(withList(from, { status: 'all' }).toString()).toBe('');
  });
});
