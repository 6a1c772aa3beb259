import { infiniteQueryOptions } from '@tanstack/react-query';
import { staffLimitMax } from '#contract/constants.ts';
import type { QueryInput } from '#contract/endpoint.ts';
import { acceptedFilters } from '#contract/filters.ts';
import { folded } from '#contract/folding.ts';
import { sortOrders } from '#contract/paging.ts';
import { listUsers, userFilters, userSorts, userStatuses, userTypes } from '#contract/profiles/staff.ts';
import {
  dayFilterNames,
  type MoreUserFilter,
  moreUserFilterNames,
  moreUserFilters,
} from '#contract/profiles/user-filters.ts';
import type { ListedUser } from '#contract/profiles/user.ts';
import { partsOf } from '#contract/search-term.ts';
import { addressMask, hasAtSign } from '#contract/text.ts';
import { call } from '../../../api/call.ts';
import { completedPagination } from '../../../api/completed.ts';
import { addressFilters } from '../../../ui/data/table/use-list-address.ts';
import { ownZone } from '../../../ui/text/own-zone.ts';
import { completeListed } from '../complete-user.ts';

export type UserSort = (typeof userSorts)[number];
export type SortOrder = (typeof sortOrders)[number];

const filters = addressFilters({
  ...moreUserFilters,
  /** The time zone of the days; empty for the reader's own. */
  zone: userFilters.zone,
  search: userFilters.search,
  status: userStatuses,
  type: userTypes,
});

/** Those that only the server applies; an empty one is not set. */
export type MoreFilters = Record<MoreUserFilter | 'zone', string>;
/** The filters of the users list. */
export type UserFilters = MoreFilters & Pick<ReturnType<typeof filters.read>, 'search' | 'status' | 'type'>;

export interface UserOrder {
  sortBy: UserSort;
  sortOrder: SortOrder;
}

export type UserList = UserFilters & UserOrder;

/** The set filters that only the server applies. */
export const setFilters = (list: MoreFilters): MoreUserFilter[] =>
  moreUserFilterNames.filter((name) => list[name] !== '');

const hasDays = (list: MoreFilters) => dayFilterNames.some((name) => list[name] !== '');

/** `noFilters` are the filters of the unfiltered list; `unknownFilters` says which of an address have an unknown value. */
export const { none: noFilters, unknown: unknownFilters } = filters;
/** Whether any filter is set; a zone alone filters nothing. */
export const isFiltered = (list: UserFilters): boolean => filters.isFiltered({ ...list, zone: '' });
/** The default order. */
export const newestFirst: UserOrder = { sortBy: 'createdAt', sortOrder: 'desc' };
/** The default list. */
export const firstUsers: UserList = { ...noFilters, ...newestFirst };

/** The sort order after the first press on each column: names from A, times from the latest. */
export const firstOrders: Record<UserSort, SortOrder> = { createdAt: 'desc', lastActive: 'desc', name: 'asc' };

function oneOf<T extends string>(allowed: readonly T[], value: string | null, otherwise: T): T {
  return allowed.find((word) => word === value) ?? otherwise;
}

/** Reads the list from an address; unknown values are replaced by the defaults. */
export function readUserList(params: URLSearchParams): UserList {
  const sortBy = oneOf(userSorts, params.get('sortBy'), newestFirst.sortBy);
  return {
    ...filters.read(params),
    sortBy,
    sortOrder: oneOf(sortOrders, params.get('sortOrder'), firstOrders[sortBy]),
  };
}

/**
 * The page's address with these filters or this order; default values are left out. So is a search for an email address, because page
 * addresses end up in histories and logs.
 */
export function withList(params: URLSearchParams, given: Partial<UserList>): URLSearchParams {
  const list = hasAtSign(given.search ?? '') ? { ...given, search: '' } : given;
  const after = { ...readUserList(params), ...list };
  const { sortBy, sortOrder } = after;
  const next = filters.change(params, list);
  if (!hasDays(after)) next.delete('zone');
  // The remaining filters no longer come from a saved list.
  if (!isFiltered(after)) next.delete('from');
  if (sortBy === newestFirst.sortBy) next.delete('sortBy');
  else next.set('sortBy', sortBy);
  if (sortOrder === firstOrders[sortBy]) next.delete('sortOrder');
  else next.set('sortOrder', sortOrder);
  return next;
}

/** The query parameters for the server; default values are left out. */
export function asQuery({ search, status, type, sortBy, sortOrder, ...more }: UserList) {
  const isDefaultOrder = sortBy === newestFirst.sortBy && sortOrder === newestFirst.sortOrder;
  return {
    ...(search.trim() === '' ? {} : { search: search.trim() }),
    ...(status === 'all' ? {} : { status }),
    ...(type === 'all' ? {} : { type }),
    ...acceptedFilters(moreUserFilters, (name) => more[name]),
    ...(hasDays(more) && { zone: more.zone || ownZone() }),
    ...(isDefaultOrder ? {} : { sortBy, sortOrder }),
  };
}

/** The same values as text, for calls that name a list in their body. */
export function asFilters(list: UserList): Omit<QueryInput<typeof listUsers>, 'page' | 'limit' | 'cursor'> {
  return Object.fromEntries(Object.entries(asQuery(list)).map(([name, value]) => [name, String(value)]));
}

/** Whether a list shows this user's address masked. */
export const isMasked = ({ email }: ListedUser) => email.includes(addressMask);

/** A user with the values that searching and sorting compare, prepared once for each loaded list. */
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

/** A time in ms to sort by; missing times come before all others. */
const momentOf = (time: string | null) => {
  const moment = Date.parse(time ?? '');
  return Number.isNaN(moment) ? Number.NEGATIVE_INFINITY : moment;
};

/** Prepares loaded users for `filterUsers` and `sortUsers`. */
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

const hasStatus: Record<UserFilters['status'], (user: ListedUser) => boolean> = {
  all: () => true,
  active: (user) => user.isActive,
  inactive: (user) => !user.isActive,
  online: (user) => user.isOnline,
  verified: (user) => user.isEmailVerified,
};

/**
 * The users that match the filters: status, type, and all words of the search in the name or email address, in any
 * order and case.
 */
export function filterUsers(
  users: readonly IndexedUser[],
  { search, status, type }: Pick<UserFilters, 'search' | 'status' | 'type'>,
): IndexedUser[] {
  const wanted = partsOf(search, true).map(({ toFold, ascii }) => [...toFold.map(folded), ...ascii]);
  const isFound = (text: string) => wanted.every((spellings) => spellings.some((one) => text.includes(one)));
  return users.filter(
    ({ user, text }) => isFound(text) && hasStatus[status](user) && (type === 'all' || user.isVIP === (type === 'vip')),
  );
}

const collator = new Intl.Collator('und');

/** Sorts users. Equal users keep their order, and users who were never active come last. */
export function sortUsers(users: readonly IndexedUser[], { sortBy, sortOrder }: UserOrder): IndexedUser[] {
  const sign = sortOrder === 'asc' ? 1 : -1;
  const compare =
    sortBy === 'name'
      ? (a: IndexedUser, b: IndexedUser) => collator.compare(a.name, b.name)
      : (a: IndexedUser, b: IndexedUser) => (a[sortBy] === b[sortBy] ? 0 : a[sortBy] - b[sortBy]);
  return [...users].sort((a, b) => sign * compare(a, b));
}

/** The users that match, page by page: first page 1, then continued by cursor. */
export function usersQuery(list: UserList) {
  const query = asQuery(list);
  return infiniteQueryOptions({
    queryKey: [listUsers.path, query, 'pages'],
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
    // Focusing the window reloads a list of one page; a longer list waits for the Refresh button.
    refetchOnWindowFocus: ({ state }) => (state.data?.pages.length ?? 0) <= 1,
  });
}
