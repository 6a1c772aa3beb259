import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query';
import { useDeferredValue, useEffect, useEffectEvent, useMemo, useState } from 'react';
import { NavigationType, useLocation, useNavigate, useNavigationType, useSearchParams } from 'react-router';
import type { ListedUser } from '#contract/profiles/user.ts';
import { type PendingChanges, usePendingChanges } from './queries.ts';
import {
  asQuery,
  filterUsers,
  indexUsers,
  newestFirst,
  noFilters,
  readFilters,
  readOrder,
  sortUsers,
  type UserFilters,
  type UserOrder,
  usersQuery,
  withList,
} from './user-filters.ts';

const typingPauseMs = 300;

/** Marks an address that the filters wrote themselves, so that it does not overwrite what is typed meanwhile. */
const ownState = { isOwn: true };

function isOwn(state: unknown): boolean {
  return typeof state === 'object' && state !== null && 'isOwn' in state;
}

/** Filters and order as the address holds them (`applied`, `order`), and filters as they are typed and chosen (`filters`). */
export function useListAddress() {
  const [params, setParams] = useSearchParams();
  const { state } = useLocation() as { state: unknown };
  const navigation = useNavigationType();

  const address = withList(params, {}).toString();
  const list = useMemo(() => {
    const current = new URLSearchParams(address);
    return { applied: readFilters(current), order: readOrder(current) };
  }, [address]);

  const [filters, setFilters] = useState(list.applied);
  const [seen, setSeen] = useState(list);
  if (list !== seen) {
    setSeen(list);
    if (navigation === NavigationType.Pop || !isOwn(state)) setFilters(list.applied);
  }

  /** Writes filters or order to the address, as a history entry unless it replaces. */
  function write(next: Partial<UserFilters & UserOrder>, replace = false) {
    const written = withList(params, next);
    if (written.toString() !== params.toString()) setParams(written, { replace, state: ownState });
  }

  function clear() {
    setFilters(noFilters);
    write(noFilters);
  }

  return { ...list, filters, setFilters, write, clear };
}

/** While filters act at once the address follows what is typed, after a pause. */
export function useTypingInAddress(
  isInstant: boolean,
  { filters, applied, write }: ReturnType<typeof useListAddress>,
): void {
  const typed = filters.search.trim();
  const follow = useEffectEvent(() => write({ search: typed }, true));
  useEffect(() => {
    if (!isInstant || typed === applied.search) return;
    const timer = setTimeout(() => follow(), typingPauseMs);
    return () => clearTimeout(timer);
  }, [isInstant, typed, applied.search]);
}

/** The user whose details are open, kept in the address so that reload, Back and a copied link work. */
export function useOpenUser() {
  const [params, setParams] = useSearchParams();
  const { state } = useLocation() as { state: { isOpenedHere?: boolean } | null };
  const navigate = useNavigate();
  const id = params.get('user');

  function change(edit: (next: URLSearchParams) => void, replace: boolean, isOpenedHere: boolean) {
    const next = new URLSearchParams(params);
    edit(next);
    setParams(next, { replace, state: { isOwn: true, isOpenedHere } });
  }

  return {
    id,
    isEditing: params.get('edit') === 'true',
    open: (userId: string) => change((next) => next.set('user', userId), false, true),
    edit: (isEditing: boolean) =>
      change(
        (next) => (isEditing ? next.set('edit', 'true') : next.delete('edit')),
        true,
        state?.isOpenedHere === true,
      ),
    close: () => {
      if (state?.isOpenedHere === true) void navigate(-1);
      else
        change(
          (next) => {
            next.delete('user');
            next.delete('edit');
          },
          true,
          false,
        );
    },
  };
}

function withPending(users: readonly ListedUser[], pending: PendingChanges): readonly ListedUser[] {
  if (pending.size === 0) return users;
  return users.map((user) => {
    const change = pending.get(user._id);
    return change === undefined ? user : { ...user, ...change };
  });
}

interface ListState {
  /** As typed and chosen. */
  filters: UserFilters;
  /** As last asked for with Enter or Search. */
  applied: UserFilters;
  order: UserOrder;
  limit: number;
}

/**
 * The users to show. While all are loaded, filters and order act at once on them; beyond that, and whenever Enter or
 * Search asked for exactly these filters, the server's answer counts.
 */
export function useUserList({ filters, applied, order, limit }: ListState) {
  const all = useInfiniteQuery(usersQuery(noFilters, newestFirst, limit));
  const isComplete = all.data !== undefined && !all.hasNextPage;
  const [asked, setAsked] = useState<string | null>(null);

  const wanted = isComplete ? filters : applied;
  const query = JSON.stringify(asQuery(wanted, order));
  const isAsked = asked === query || (all.data !== undefined && !isComplete);
  const answered = useInfiniteQuery({
    ...usersQuery(wanted, order, limit),
    enabled: isAsked,
    placeholderData: keepPreviousData,
  });
  const isLocal = isComplete && (!isAsked || answered.data === undefined || answered.isPlaceholderData);

  const pending = usePendingChanges();
  const allUsers = useMemo(() => all.data?.pages.flatMap((page) => page.users) ?? [], [all.data]);
  const answeredUsers = useMemo(() => answered.data?.pages.flatMap((page) => page.users) ?? [], [answered.data]);

  const deferred = useDeferredValue(filters);
  const index = useMemo(
    () => (isLocal ? indexUsers(withPending(allUsers, pending)) : []),
    [isLocal, allUsers, pending],
  );
  const inOrder = useMemo(() => sortUsers(index, order), [index, order]);
  const found = useMemo(() => filterUsers(inOrder, deferred).map(({ user }) => user), [inOrder, deferred]);
  const users = useMemo(
    () => (isLocal ? found : withPending(answeredUsers, pending)),
    [isLocal, found, answeredUsers, pending],
  );

  const source = isLocal || all.data === undefined ? all : answered;
  const pagination = answered.data?.pages[0]?.pagination;

  /** Enter or Search: asks the server for these filters, again if the answer is cached. */
  function ask(next: UserFilters) {
    const nextQuery = JSON.stringify(asQuery(next, order));
    if (nextQuery === query && isAsked) void answered.refetch();
    setAsked(nextQuery);
  }

  return {
    /** The query behind what is shown, for its states. */
    source,
    /** All users are loaded, so filters act at once. */
    isComplete,
    users,
    /** How many fit the filters. */
    shown: isLocal ? users.length : (pagination?.total ?? 0),
    isShownExact: isLocal || pagination?.totalIsExact !== false,
    total: all.data?.pages[0]?.pagination.total ?? 0,
    /** The rows are still those of the filters before. */
    isCatchingUp: !isLocal && answered.isPlaceholderData,
    hasMore: !isLocal && source.hasNextPage,
    isLoadingMore: source.isFetchingNextPage,
    moreError: source.isFetchNextPageError ? source.error : null,
    loadMore: () => {
      if (source.hasNextPage && !source.isFetchingNextPage) void source.fetchNextPage();
    },
    ask,
  };
}
