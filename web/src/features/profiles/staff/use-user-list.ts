import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query';
import { useDeferredValue, useMemo, useState } from 'react';
import type { ListedUser } from '#contract/profiles/user.ts';
import { type PendingChanges, usePendingChanges } from './queries.ts';
import { asQuery, filterUsers, indexUsers, firstUsers, sortUsers, type UserList, usersQuery } from './user-filters.ts';

function withPending(users: readonly ListedUser[], pending: PendingChanges): readonly ListedUser[] {
  if (pending.size === 0) return users;
  return users.map((user) => {
    const change = pending.get(user._id);
    return change === undefined ? user : { ...user, ...change };
  });
}

/**
 * The users to show. While all are loaded, filters and order act at once on them; beyond that, and whenever Enter or
 * Search asked for exactly these filters, the server's answer counts.
 */
export function useUserList(applied: UserList, draft: UserList, limit: number) {
  const all = useInfiniteQuery(usersQuery(firstUsers, limit));
  const isComplete = all.data !== undefined && !all.hasNextPage;
  const [asked, setAsked] = useState<string | null>(null);

  const wanted = isComplete ? draft : applied;
  const query = JSON.stringify(asQuery(wanted));
  const isAsked = asked === query || (all.data !== undefined && !isComplete);
  const answered = useInfiniteQuery({
    ...usersQuery(wanted, limit),
    enabled: isAsked,
    placeholderData: keepPreviousData,
  });
  const isLocal = isComplete && (!isAsked || answered.data === undefined || answered.isPlaceholderData);

  const pending = usePendingChanges();
  const allUsers = useMemo(() => all.data?.pages.flatMap((page) => page.users) ?? [], [all.data]);
  const answeredUsers = useMemo(() => answered.data?.pages.flatMap((page) => page.users) ?? [], [answered.data]);

  const deferred = useDeferredValue(draft);
  const index = useMemo(
    () => (isLocal ? indexUsers(withPending(allUsers, pending)) : []),
    [isLocal, allUsers, pending],
  );
  const { sortBy, sortOrder } = applied;
  const sorted = useMemo(() => sortUsers(index, { sortBy, sortOrder }), [index, sortBy, sortOrder]);
  const found = useMemo(() => filterUsers(sorted, deferred).map(({ user }) => user), [sorted, deferred]);
  const users = useMemo(
    () => (isLocal ? found : withPending(answeredUsers, pending)),
    [isLocal, found, answeredUsers, pending],
  );

  const source = isLocal || all.data === undefined ? all : answered;
  const pagination = answered.data?.pages[0]?.pagination;

  /** Enter or Search: asks the server for these filters, again if the answer is cached. */
  function ask() {
    const asking = JSON.stringify(asQuery(draft));
    if (asking === query && isAsked) void answered.refetch();
    setAsked(asking);
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
    /** What the rows follow. */
    wanted,
    hasMore: !isLocal && source.hasNextPage,
    loadMore: () => {
      if (source.hasNextPage && !source.isFetchingNextPage) void source.fetchNextPage();
    },
    ask,
  };
}
