import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query';
import { useDeferredValue, useMemo, useState } from 'react';
import type { ListedUser } from '#contract/profiles/user.ts';
import { type PendingChanges, usePendingChanges } from '../user/use-change-user.ts';
import {
  asQuery,
  filterUsers,
  indexUsers,
  newestFirst,
  noFilters,
  sortUsers,
  type UserFilters,
  type UserOrder,
} from './user-filters.ts';
import { usersQuery } from './users-query.ts';

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

  /** Enter or Search: the server's answer to these filters, anew if it is known. */
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
