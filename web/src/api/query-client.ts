import { QueryClient } from '@tanstack/react-query';

/** The cache of answers. `call` repeats by itself, so queries do not; offline is an error to show, not a pause. */
export function createQueryClient(): QueryClient {
  return new QueryClient({
    defaultOptions: {
      queries: { retry: false, networkMode: 'always', staleTime: 30_000, refetchOnWindowFocus: true },
      mutations: { retry: false, networkMode: 'always' },
    },
  });
}
