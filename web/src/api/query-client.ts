import { notifyManager, QueryClient, type QueryKey } from '@tanstack/react-query';
import { useSyncExternalStore } from 'react';
import { onUserChange } from './session/stored-session.ts';

/**
 * The cache of all server answers, for members and staff. `call` already repeats failed requests by the service's own
 * rule, so the library does not repeat them. Without a network, requests fail instead of pausing, so that screens can
 * show it.
 */
export const queryClient = new QueryClient({
  defaultOptions: {
    queries: { retry: false, networkMode: 'always', staleTime: 30_000 },
    mutations: { retry: false, networkMode: 'always' },
  },
});

// Shows the effect of a press before the next one is handled; by default, screens are updated one task later.
notifyManager.setScheduler(queueMicrotask);

/**
 * For queries that realtime events keep up to date: fetched when opened, but not each time the window gets the focus.
 */
export const live = { staleTime: 0, refetchOnWindowFocus: false } as const;

// A new session must not see the previous user's data. (`call` drops answers that arrive later.)
onUserChange((userId, before) => {
  queryClient.getMutationCache().clear();
  if (userId === undefined || before === undefined) return queryClient.clear();
  queryClient.removeQueries({ type: 'inactive' });
  void queryClient.resetQueries();
});

// Other cache events do not change data, and some are sent while a component renders, when no other component may be
// updated.
const subscribe = (onChange: () => void) =>
  queryClient.getQueryCache().subscribe(({ type }) => {
    if (type === 'updated' || type === 'removed') onChange();
  });

/** The cached data for a key, without a request: for data that is loaded elsewhere on the page. */
export function useCached<T>(queryKey: QueryKey): T | undefined {
  return useSyncExternalStore(subscribe, () => queryClient.getQueryData<T>(queryKey));
}
