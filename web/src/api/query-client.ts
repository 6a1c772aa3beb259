import { notifyManager, QueryClient } from '@tanstack/react-query';
import { onSessionChange, readSession } from './session/stored-session.ts';

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

// A button is busy before it can be pressed again: the library's default tells components one timer later.
notifyManager.setScheduler(queueMicrotask);

let owner = readSession().user?._id;

// A new session must not see answers that were given to the one before. (`call` drops those still on their way.)
onSessionChange(({ user }) => {
  if (user?._id === owner) return;
  owner = user?._id;
  queryClient.clear();
});
