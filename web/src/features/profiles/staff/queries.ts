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
import { changeAdminUser, getAdminUser, type listUsers } from '#contract/profiles/profiles.ts';
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

/** One user as staff may see them. Reading it is on record, so it is not repeated without need. */
export function useUser(id: string) {
  return useQuery({
    queryKey: staffKeys.user(id),
    queryFn: async ({ signal }) => withWholeUser(await call(getAdminUser, { params: { id }, signal }), id),
    select: ({ data }) => data.user,
    staleTime: 60_000,
    refetchOnWindowFocus: false,
  });
}

/** Loads a user again who was changed by someone else. */
export function useReloadUser(id: string) {
  const client = useQueryClient();
  return () => void client.invalidateQueries({ queryKey: staffKeys.user(id) });
}

/** Everyone with a role. */
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

/** What a change under way makes of a listed user, by the user's id. */
export type PendingChanges = ReadonlyMap<string, Pick<ListedUser, 'isActive'>>;

/** The activations and deactivations that the server has not answered yet; the screens show them as done. */
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

/** The list's entry updated from the changed user. */
function refreshed(listed: ListedUser, user: AdminUser): ListedUser {
  const known = Object.keys(listed).filter((key) => key !== 'can') as (keyof ListedUser & keyof AdminUser)[];
  const { changeRole: _, ...can } = user.can;
  return {
    ...listed,
    ...(Object.fromEntries(known.map((key) => [key, user[key]])) as Partial<ListedUser>),
    can,
  };
}

/** Changes a user and puts the server's answer into every list and view that shows them. */
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
