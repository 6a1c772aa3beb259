import { QueryClient } from '@tanstack/react-query';
import { onSessionChange, readSession } from './session/stored-session.ts';

/** The cache of answers. `call` repeats by itself, so queries do not; offline is an error to show, not a pause. */
export const queryClient = new QueryClient({
  defaultOptions: {
    queries: { retry: false, networkMode: 'always', staleTime: 30_000 },
    mutations: { retry: false, networkMode: 'always' },
  },
});

let owner = readSession().user?._id;

// Nobody sees answers that were given to somebody else.
onSessionChange(({ user }) => {
  if (user?._id === owner) return;
  owner = user?._id;
  queryClient.clear();
});
