import { infiniteQueryOptions } from '@tanstack/react-query';
import { staffLimitMax } from '#contract/constants.ts';
import { listUsers, sortOrders, userSorts, userStatuses, userTypes } from '#contract/profiles/profiles.ts';
import type { ListedUser } from '#contract/profiles/user.ts';
import { partsOf } from '#contract/search-term.ts';
import { call } from '../../../api/call.ts';
import { completedPagination } from '../../../api/completed.ts';
import { staffKeys } from '../../../api/staff-keys.ts';
import { addressFilters } from '../../../ui/data/table/filters.ts';
import { completeListed } from '../complete-user.ts';

export type UserStatus = (typeof userStatuses)[number];
export type UserType = (typeof userTypes)[number];
export type UserSort = (typeof userSorts)[number];
export type SortOrder = (typeof sortOrders)[number];

/** What narrows the list. */
export interface UserFilters {
  search: string;
  status: UserStatus;
  type: UserType;
}

export interface UserOrder {
  sortBy: UserSort;
  sortOrder: SortOrder;
}

export type UserList = UserFilters & UserOrder;

const filters = addressFilters<UserFilters>({ search: 'text', status: userStatuses, type: userTypes });

/** The list without filters, and whether any is set. */
export const { none: noFilters, isFiltered } = filters;
/** The default order. */
export const newestFirst: UserOrder = { sortBy: 'createdAt', sortOrder: 'desc' };
/** The default list. */
export const firstUsers: UserList = { ...noFilters, ...newestFirst };

/** The first sort order of a column: names from A, times from the latest. */
export const firstOrders: Record<UserSort, SortOrder> = { createdAt: 'desc', lastActive: 'desc', name: 'asc' };

function oneOf<T extends string>(allowed: readonly T[], value: string | null, otherwise: T): T {
  return allowed.find((word) => word === value) ?? otherwise;
}

/** The list an address asks for; whatever is not one of ours counts as the default. */
export function readUserList(params: URLSearchParams): UserList {
  const sortBy = oneOf(userSorts, params.get('sortBy'), newestFirst.sortBy);
  return {
    ...filters.read(params),
    sortBy,
    sortOrder: oneOf(sortOrders, params.get('sortOrder'), firstOrders[sortBy]),
  };
}

/** The same address with these filters or this order in it; what is as by default is left out. */
export function withList(params: URLSearchParams, list: Partial<UserList>): URLSearchParams {
  const { sortBy, sortOrder } = { ...readUserList(params), ...list };
  const next = filters.change(params, list);
  if (sortBy === newestFirst.sortBy) next.delete('sortBy');
  else next.set('sortBy', sortBy);
  if (sortOrder === firstOrders[sortBy]) next.delete('sortOrder');
  else next.set('sortOrder', sortOrder);
  return next;
}

/** What the server is asked with; defaults are left out. */
export function asQuery({ search, status, type, sortBy, sortOrder }: UserList) {
  const isDefaultOrder = sortBy === newestFirst.sortBy && sortOrder === newestFirst.sortOrder;
  return {
    ...(search.trim() === '' ? {} : { search: search.trim() }),
    ...(status === 'all' ? {} : { status }),
    ...(type === 'all' ? {} : { type }),
    ...(isDefaultOrder ? {} : { sortBy, sortOrder }),
  };
}

/** A user with what searching and sorting compare, made once for each loaded list. */
export interface IndexedUser {
  user: ListedUser;
  text: string;
  name: string;
  createdAt: number;
  lastActive: number;
}

function fullName({ firstName, lastName, name }: ListedUser): string {
  return ([firstName, lastName].filter(Boolean).join(' ') || name || '').toLowerCase();
}

/** A moment to sort by; what has none comes before all others. */
const momentOf = (time: string | null) => {
  const moment = Date.parse(time ?? '');
  return Number.isNaN(moment) ? Number.NEGATIVE_INFINITY : moment;
};

/** Letters of Arabic and Hebrew that names are spelled with either way, and the one that counts for each. */
const sameLetters: Record<string, string> = { ٱ: 'ا', ى: 'ي', ی: 'ي', ک: 'ك', ة: 'ه', ہ: 'ه', '\u05be': '-' };

/** Nearly what the database's function of the same name does, for the first look at loaded users; Enter asks the server. */
const folded = (text: string) =>
  text
    .normalize('NFKD')
    .replaceAll(/[\p{M}\p{Cf}ـ]/gu, '')
    .toLowerCase()
    .replaceAll(/[ٱىیکةہ\u05be]/gu, (letter) => sameLetters[letter] ?? letter);

/** Makes loaded users ready for `filterUsers` and `sortUsers`. */
export function indexUsers(users: readonly ListedUser[]): IndexedUser[] {
  return users.map((user) => {
    const name = fullName(user);
    return {
      user,
      name,
      text: folded(`${name}\n${user.email}`),
      createdAt: momentOf(user.createdAt),
      lastActive: momentOf(user.lastActive),
    };
  });
}

const hasStatus: Record<UserStatus, (user: ListedUser) => boolean> = {
  all: () => true,
  active: (user) => user.isActive,
  inactive: (user) => !user.isActive,
  online: (user) => user.isOnline,
  verified: (user) => user.isEmailVerified,
};

/** Those who fit the filters: name and e-mail address contain the words of the text in any order and case, status, type. */
export function filterUsers(users: readonly IndexedUser[], { search, status, type }: UserFilters): IndexedUser[] {
  const wanted = partsOf(search, true).map(({ toFold, ascii }) => [...toFold.map(folded), ...ascii]);
  const isFound = (text: string) => wanted.every((spellings) => spellings.some((one) => text.includes(one)));
  return users.filter(
    ({ user, text }) => isFound(text) && hasStatus[status](user) && (type === 'all' || user.isVIP === (type === 'vip')),
  );
}

const collator = new Intl.Collator('und');

/** In the given order; equal users keep their places, and those who were never active come last. */
export function sortUsers(users: readonly IndexedUser[], { sortBy, sortOrder }: UserOrder): IndexedUser[] {
  const sign = sortOrder === 'asc' ? 1 : -1;
  const compare =
    sortBy === 'name'
      ? (a: IndexedUser, b: IndexedUser) => collator.compare(a.name, b.name)
      : (a: IndexedUser, b: IndexedUser) => (a[sortBy] === b[sortBy] ? 0 : a[sortBy] - b[sortBy]);
  return [...users].sort((a, b) => sign * compare(a, b));
}

/** The users that fit, page by page: page 1 first, then on by cursor. */
export function usersQuery(list: UserList) {
  const query = asQuery(list);
  return infiniteQueryOptions({
    queryKey: staffKeys.users(query),
    queryFn: async ({ pageParam: cursor, signal }) => {
      const place = cursor === null ? { page: 1 } : { cursor };
      const { users, ...page } = (
        await call(listUsers, { query: { ...query, ...place, limit: staffLimitMax }, signal })
      ).data;
      const pagination = completedPagination(page.pagination, users.length);
      return { ...page, pagination, users: users.map(completeListed) };
    },
    initialPageParam: null as string | null,
    getNextPageParam: ({ pagination }) => pagination.nextCursor ?? null,
    // Refocusing the window reloads a list of one page; a longer list waits for the Refresh button.
    refetchOnWindowFocus: ({ state }) => (state.data?.pages.length ?? 0) <= 1,
  });
}
