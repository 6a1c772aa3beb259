import { notifyManager, QueryClient, type QueryKey } from '@tanstack/react-query';
import { useSyncExternalStore } from 'react';
import type { Pagination } from '#contract/paging.ts';
import { onUserChange } from './session/stored-session.ts';

/**
 * The one cache of the server's answers, for members and staff. `call` repeats failed requests by the service's own rule, so the
 * library does not repeat them again. Without a network a request fails, so that the screen can say so, instead of pausing.
 */
export const queryClient = new QueryClient({
  defaultOptions: {
    queries: { retry: false, networkMode: 'always', staleTime: 30_000 },
    mutations: { retry: false, networkMode: 'always' },
  },
});

// A press shows its effect before the next one is handled; by default, screens are updated one task later.
notifyManager.setScheduler(queueMicrotask);

/**
 * For queries that realtime events keep up to date: fetched when opened, but not each time the window gets the focus.
 */
export const live = { staleTime: 0, refetchOnWindowFocus: false } as const;

// A new session must not see answers for the previous one. (`call` drops those still on their way.)
onUserChange((userId, before) => {
  queryClient.getMutationCache().clear();
  if (userId === undefined || before === undefined) return queryClient.clear();
  queryClient.removeQueries({ type: 'inactive' });
  void queryClient.resetQueries();
});

// Other events say nothing about data, and some come while a component is drawn, when no other may be updated.
const subscribe = (onChange: () => void) =>
  queryClient.getQueryCache().subscribe(({ type }) => {
    if (type === 'updated' || type === 'removed') onChange();
  });

/** The cached data under a key, without asking the server: for data that another part of the page reads or writes. */
export function useCached<T>(queryKey: QueryKey): T | undefined {
  return useSyncExternalStore(subscribe, () => queryClient.getQueryData<T>(queryKey));
}

const limit = 20;

/** The parameter for a page of a list: nothing for the first, else the cursor of the previous one. */
interface PageParam {
  limit: number;
  cursor?: string;
}

/** The paging of a list that continues after its last row (`pagination.nextCursor`), for `infiniteQueryOptions`. */
export const pageQuery = {
  initialPageParam: { limit } as PageParam,
  getNextPageParam: ({ pagination }: { pagination?: Pagination }): PageParam | null =>
    pagination?.nextCursor ? { limit, cursor: pagination.nextCursor } : null,
};
