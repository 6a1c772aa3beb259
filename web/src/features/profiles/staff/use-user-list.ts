import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query';
import { useDeferredValue, useMemo, useState } from 'react';
import type { ListedUser } from '#contract/profiles/user.ts';
import { useMay } from '../../../api/session/permission.ts';
import { type PendingChanges, usePendingChanges } from './queries.ts';
import {
  asQuery,
  filterUsers,
  firstUsers,
  indexUsers,
  isMasked,
  setFilters,
  sortUsers,
  type UserList,
  usersQuery,
} from './user-filters.ts';

function withPending(users: readonly ListedUser[], pending: PendingChanges): readonly ListedUser[] {
  if (pending.size === 0) return users;
  return users.map((user) => {
    const change = pending.get(user._id);
    return change === undefined ? user : { ...user, ...change };
  });
}

/**
 * The users to show. If all users are loaded, filters and order are applied to them at once. Otherwise, and whenever
 * Enter or Search requested exactly these filters, the server's answer is shown.
 */
export function useUserList(applied: UserList, draft: UserList) {
  const all = useInfiniteQuery(usersQuery(firstUsers));
  const isOnServer = setFilters(draft).length > 0 || setFilters(applied).length > 0;
  const allUsers = useMemo(() => all.data?.pages.flatMap((page) => page.users) ?? [], [all.data]);
  // If the viewer may search for addresses, masked ones can't be found in the loaded rows.
  const maySearchAddresses = useMay('users.seePrivate');
  const hasMasked = useMemo(() => maySearchAddresses && allUsers.some(isMasked), [maySearchAddresses, allUsers]);
  const isComplete = all.data !== undefined && !all.hasNextPage && !isOnServer && !hasMasked;
  const [asked, setAsked] = useState<string | null>(null);

  const wanted = isComplete ? draft : applied;
  const query = JSON.stringify(asQuery(wanted));
  const isAsked = asked === query || (all.data !== undefined && !isComplete);
  const answered = useInfiniteQuery({
    ...usersQuery(wanted),
    enabled: isAsked,
    placeholderData: keepPreviousData,
  });
  const isLocal = isComplete && (!isAsked || answered.data === undefined || answered.isPlaceholderData);

  const pending = usePendingChanges();
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

  /** Requests the list for these filters from the server, even if the answer is cached. Called by Enter or Search. */
  function ask() {
    const asking = JSON.stringify(asQuery(draft));
    if (asking === query && isAsked) void answered.refetch();
    setAsked(asking);
  }

  return {
    /** The query that the shown rows come from, for its states. */
    source,
    /** All users are loaded, so filters are applied at once. */
    isComplete,
    users,
    /** The number of users that match the filters. */
    shown: isLocal ? users.length : (pagination?.total ?? 0),
    isShownExact: isLocal || pagination?.totalIsExact !== false,
    total: all.data?.pages[0]?.pagination.total ?? 0,
    /** The rows still belong to the previous filters. */
    isCatchingUp: !isLocal && answered.isPlaceholderData,
    /** The filters that the rows belong to. */
    wanted,
    hasMore: !isLocal && source.hasNextPage,
    loadMore: () => {
      if (source.hasNextPage && !source.isFetchingNextPage) void source.fetchNextPage();
    },
    ask,
  };
}
