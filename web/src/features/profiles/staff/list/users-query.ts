import { infiniteQueryOptions } from '@tanstack/react-query';
import { administratorLimitMax, moderatorLimitMax } from '#contract/constants.ts';
import { listUsers } from '#contract/profiles/profiles.ts';
import { call } from '../../../../api/call.ts';
import { keys } from '../../../../api/keys.ts';
import { asQuery, type UserFilters, type UserOrder } from './user-filters.ts';

/** How many users one answer brings: as many as the caller's role may ask for. */
export function usersLimit(isModerator: boolean): number {
  return isModerator ? moderatorLimitMax : administratorLimitMax;
}

/** The users that fit, page by page: page 1 first, then on by cursor. */
export function usersQuery(filters: UserFilters, order: UserOrder, limit: number) {
  const query = asQuery(filters, order);
  return infiniteQueryOptions({
    queryKey: keys.users({ ...query, limit }),
    queryFn: async ({ pageParam: cursor, signal }) => {
      const place = cursor === null ? { page: 1 } : { cursor };
      return (await call(listUsers, { query: { ...query, ...place, limit }, signal })).data;
    },
    initialPageParam: null as string | null,
    getNextPageParam: ({ pagination }) => pagination.nextCursor ?? null,
    // Coming back to the window asks anew for what fits into one answer; a long list waits for the Refresh button.
    refetchOnWindowFocus: ({ state }) => (state.data?.pages.length ?? 0) <= 1,
  });
}
