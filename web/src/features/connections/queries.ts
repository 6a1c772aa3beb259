import { useInfiniteQuery, useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import {
  blockUser,
  type BlockView,
  likesReceived,
  likesSent,
  listBlocks,
  listMatches,
  unblockUser,
  unmatchUser,
} from '#contract/connections.ts';
import { endpointPages, useCommand } from '../../api/endpoint-query.ts';
import { ApiError, errorMessage } from '../../api/api-error.ts';
import { call } from '../../api/call.ts';
import { keys } from '../../api/keys.ts';
import { live, queryClient } from '../../api/query-client.ts';

const page = { query: { limit: 20 } };

/**
 * The likes that the member has received: with premium the people, newest first, otherwise their number and patterns.
 */
export const likesReceivedQuery = { ...live, ...endpointPages(likesReceived, page) };

/** The member's likes that have not been answered, newest first. */
export const likesSentQuery = { ...live, ...endpointPages(likesSent, page) };

/** The member's matches, newest first. */
export const matchesQuery = { ...live, ...endpointPages(listMatches, page) };

/** Ends a match by its id. It is not an error if the other person has already ended it. */
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

/** The people that the member has blocked, newest first. */
export const useBlocks = () =>
  useInfiniteQuery({
    ...live,
    ...endpointPages(listBlocks, page),
    select: ({ pages }) => [
      ...new Map(pages.flatMap(({ blocks }) => blocks).map((one) => [one.user._id, one])).values(),
    ],
  });

/** Blocking someone also ends the match with them and hides likes. */
function invalidateBlocked() {
  for (const queryKey of [keys.blocks, keys.matches, keys.likesReceived, keys.likesSent])
    void queryClient.invalidateQueries({ queryKey });
}

/** Unblocks a person. */
export const useUnblock = () =>
  useCommand(unblockUser, ({ _id: userId }: BlockView['user']) => ({ params: { userId } }), {
    onSuccess: () => void queryClient.invalidateQueries({ queryKey: keys.blocks }),
  });

type BlockStatus = { kind: 'blocked' | 'unblocked' } | { kind: 'failed'; text: string };

/** Blocks one person or undoes that: shown at once, sent in order, and shown as before if it fails. */
export function useBlock(userId: string) {
  const [isBlocked, setBlocked] = useState(false);
  const [status, setStatus] = useState<BlockStatus | null>(null);
  const { mutate } = useMutation({
    scope: { id: `block ${userId}` },
    // People often leave the page right after they block someone.
    mutationFn: (next: boolean) => call(next ? blockUser : unblockUser, { params: { userId }, keepalive: true }),
    onSuccess: invalidateBlocked,
    onError: (error, next) => {
      setBlocked(!next);
      setStatus({ kind: 'failed', text: errorMessage(error) });
    },
  });

  function set(next: boolean) {
    if (isBlocked === next) return;
    setBlocked(next);
    setStatus({ kind: next ? 'blocked' : 'unblocked' });
    mutate(next);
  }

  return { isBlocked, status, block: () => set(true), unblock: () => set(false), dismiss: () => setStatus(null) };
}
