import { type InfiniteData, useMutationState } from '@tanstack/react-query';
import { useMemo } from 'react';
import type { BodyInput } from '#contract/endpoint.ts';
import { changeAdminUser, getAdminUser, listUsers } from '#contract/profiles/staff.ts';
import type { AdminUser, ListedUser } from '#contract/profiles/user.ts';
import { queryClient } from '../../../api/query-client.ts';
import { type DataOf, endpointQuery, useCommand, useEndpoint } from '../../../api/endpoint-query.ts';
import { completeAlone } from '../complete-user.ts';

const userKey = (id: string) => endpointQuery(getAdminUser, { params: { id } }).queryKey;

/** One user as staff can see them. Opening it is recorded, so it is not loaded again without need. */
export const useUser = (id: string) =>
  useEndpoint(
    getAdminUser,
    { params: { id } },
    { select: ({ user }) => completeAlone(user, id), staleTime: 60_000, refetchOnWindowFocus: false },
  );

/** Loads a user again after a colleague has changed them. */
export const reloadUser = (id: string) => void queryClient.invalidateQueries({ queryKey: userKey(id) });

export type UserChange = BodyInput<typeof changeAdminUser>;

interface ChangeOfUser {
  id: string;
  change: UserChange;
}

type UserPages = InfiniteData<DataOf<typeof listUsers>, string | null>;

/** Changes the cached lists of users. */
function changeLists(change: (users: ListedUser[]) => ListedUser[]): void {
  queryClient.setQueriesData<Partial<UserPages>>({ queryKey: [listUsers.path] }, (list) => {
    const pages = list?.pages?.map((page) => ({ ...page, users: change(page.users) }));
    return pages && { ...list, pages };
  });
}

const changeKey = ['change-user'];

/** The fields of listed users that pending changes affect, by user id. */
export type PendingChanges = ReadonlyMap<string, Pick<ListedUser, 'isActive'>>;

/** The status changes that the server has not confirmed yet. Screens show them as done. */
export function usePendingChanges(): PendingChanges {
  const changes = useMutationState({
    filters: { mutationKey: changeKey, status: 'pending' },
    select: ({ state }) => state.variables as ChangeOfUser,
  });
  return useMemo(() => {
    const pending = new Map<string, Pick<ListedUser, 'isActive'>>();
    for (const { id, change } of changes) {
      if (change.isActive !== undefined) pending.set(id, { isActive: change.isActive });
    }
    return pending;
  }, [changes]);
}

/** The entry of the list, updated from the changed user. */
function refreshed(listed: ListedUser, user: AdminUser): ListedUser {
  const known = Object.keys(listed).filter((key) => key !== 'can') as (keyof ListedUser & keyof AdminUser)[];
  const { changeRole: _, ...can } = user.can;
  return {
    ...listed,
    ...(Object.fromEntries(known.map((key) => [key, user[key]])) as Partial<ListedUser>),
    can,
  };
}

/** Changes a user and updates all cached lists and views from the answer. */
export const useChangeUser = () =>
  useCommand(changeAdminUser, ({ id, change }: ChangeOfUser) => ({ params: { id }, body: change }), {
    mutationKey: changeKey,
    onSuccess: ({ user: given }, { id }) => {
      const user = completeAlone(given, id);
      queryClient.setQueryData(userKey(id), { user });
      changeLists((users) => users.map((listed) => (listed._id === user._id ? refreshed(listed, user) : listed)));
    },
  });

/** Puts shown addresses into the cached lists. */
export function putListedAddresses(addresses: readonly { _id: string; email: string }[]): void {
  const shown = new Map(addresses.map(({ _id, email }) => [_id, email]));
  changeLists((users) => users.map((user) => ({ ...user, email: shown.get(user._id) ?? user.email })));
}
