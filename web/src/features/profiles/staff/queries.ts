import {
  type InfiniteData,
  queryOptions,
  useMutation,
  useMutationState,
  useQuery,
  useQueryClient,
} from '@tanstack/react-query';
import { useMemo } from 'react';
import type { AnswerOf, BodyInput } from '#contract/endpoint.ts';
import { listTeam } from '#contract/moderation/team.ts';
import {
  changeUserView,
  deleteUserView,
  listUserViews,
  type SavedUserView,
  saveUserView,
} from '#contract/moderation/user-views.ts';
import { changeAdminUser, getAdminUser, type listUsers } from '#contract/profiles/staff.ts';
import type { AdminUser, ListedUser } from '#contract/profiles/user.ts';
import { call } from '../../../api/call.ts';
import { keys } from '../../../api/keys.ts';
import { staffKeys } from '../../../api/staff-keys.ts';
import { completeAlone } from '../complete-user.ts';

type UserAnswer = AnswerOf<typeof getAdminUser>;

const withWholeUser = (answer: UserAnswer, id: string): UserAnswer => ({
  ...answer,
  data: { ...answer.data, user: completeAlone(answer.data.user, id) },
});

/** One user as staff can see them. Opening it is recorded, so it is not loaded again without need. */
export function useUser(id: string) {
  return useQuery({
    queryKey: staffKeys.user(id),
    queryFn: async ({ signal }) => withWholeUser(await call(getAdminUser, { params: { id }, signal }), id),
    select: ({ data }) => data.user,
    staleTime: 60_000,
    refetchOnWindowFocus: false,
  });
}

/** Loads a user again after a colleague has changed them. */
export function useReloadUser(id: string) {
  const client = useQueryClient();
  return () => void client.invalidateQueries({ queryKey: staffKeys.user(id) });
}

/** All users with a staff role. */
export const teamQuery = queryOptions({
  queryKey: staffKeys.team,
  queryFn: async ({ signal }) => (await call(listTeam, { signal })).data.members,
});

export type UserChange = BodyInput<typeof changeAdminUser>;

interface ChangeOfUser {
  id: string;
  change: UserChange;
}

type UserPages = InfiniteData<AnswerOf<typeof listUsers>['data'], string | null>;

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
export function useChangeUser() {
  const client = useQueryClient();
  return useMutation({
    mutationKey: changeKey,
    mutationFn: ({ id, change }: ChangeOfUser) => call(changeAdminUser, { params: { id }, body: change }),
    onSuccess: (given, { id }) => {
      const answer = withWholeUser(given, id);
      const { user } = answer.data;
      client.setQueryData<UserAnswer>(staffKeys.user(id), answer);
      client.setQueriesData<UserPages>({ queryKey: staffKeys.allUsers }, (list) => {
        if (!list?.pages.some((page) => page.users.some(({ _id }) => _id === user._id))) return list;
        const pages = list.pages.map((page) => ({
          ...page,
          users: page.users.map((listed) => (listed._id === user._id ? refreshed(listed, user) : listed)),
        }));
        return { ...list, pages };
      });
      void client.invalidateQueries({ queryKey: keys.statistics });
      void client.invalidateQueries({ queryKey: ['audit'] });
      void client.invalidateQueries({ queryKey: staffKeys.team });
    },
  });
}

/** Puts shown addresses into the cached lists. */
export function useListedAddresses() {
  const client = useQueryClient();
  return (addresses: readonly { _id: string; email: string }[]) => {
    const shown = new Map(addresses.map(({ _id, email }) => [_id, email]));
    client.setQueriesData<UserPages>(
      { queryKey: staffKeys.allUsers },
      (list) =>
        list && {
          ...list,
          pages: list.pages.map((page) => ({
            ...page,
            users: page.users.map((user) => ({ ...user, email: shown.get(user._id) ?? user.email })),
          })),
        },
    );
  };
}

/** The saved lists of users: the viewer's and those of the team. */
export const userListsQuery = queryOptions({
  queryKey: staffKeys.userLists,
  queryFn: async ({ signal }) => (await call(listUserViews, { signal })).data.views,
});

/** Saves a new list of users, or changes a saved one; returns its id. */
export function useSaveUserList() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: async ({ body, of }: { body: BodyInput<typeof saveUserView>; of: SavedUserView | null }) => {
      const { data } = await (of === null
        ? call(saveUserView, { body })
        : call(changeUserView, { params: { id: of._id }, body: { ...body, version: of.version } }));
      return data.view._id;
    },
    onSettled: () => void client.invalidateQueries(userListsQuery),
  });
}

/** Deletes a saved list of users. */
export function useDeleteUserList() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (id: string) => call(deleteUserView, { params: { id } }),
    onSettled: () => void client.invalidateQueries(userListsQuery),
  });
}
