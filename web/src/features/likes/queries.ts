import { infiniteQueryOptions, useMutation } from '@tanstack/react-query';
import { likesReceived, likesSent, listMatches, unmatchUser } from '#contract/connections.ts';
import { ApiError } from '../../api/api-error.ts';
import { call } from '../../api/call.ts';
import { keys } from '../../api/keys.ts';
import { live, pageQuery, queryClient } from '../../api/query-client.ts';

/** Who likes the member: with premium the people, newest first, else their number and patterns. */
export const likesReceivedQuery = infiniteQueryOptions({
  ...live,
  ...pageQuery,
  queryKey: keys.likesReceived,
  queryFn: async ({ pageParam, signal }) => (await call(likesReceived, { query: pageParam, signal })).data,
});

/** The people the member likes and who have not answered, newest first. */
export const likesSentQuery = infiniteQueryOptions({
  ...live,
  ...pageQuery,
  queryKey: keys.likesSent,
  queryFn: async ({ pageParam, signal }) => (await call(likesSent, { query: pageParam, signal })).data,
});

/** The member's matches, newest first. */
export const matchesQuery = infiniteQueryOptions({
  ...live,
  ...pageQuery,
  queryKey: keys.matches,
  queryFn: async ({ pageParam, signal }) => (await call(listMatches, { query: pageParam, signal })).data,
});

/** Ends a match by its id. One that the other person has ended already isn't an error. */
export function useUnmatch() {
  return useMutation({
    mutationFn: async (id: string) => {
      await call(unmatchUser, { params: { id } }).catch((error: unknown) => {
        if (!(error instanceof ApiError && error.status === 404)) throw error;
      });
    },
    onSuccess: () => {
      for (const queryKey of [keys.matches, keys.conversations]) void queryClient.invalidateQueries({ queryKey });
    },
  });
}
