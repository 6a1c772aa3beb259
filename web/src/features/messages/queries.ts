import { queryOptions, useInfiniteQuery, useMutation, useQuery } from '@tanstack/react-query';
import { useCallback, useEffect, useRef, useState } from 'react';
import type { BodyInput } from '#contract/endpoint.ts';
import {
  answerMeeting,
  countUnread,
  deleteMessage,
  editMessage,
  getConversation,
  listConversations,
  listMessages,
  type ReactionEmoji,
  reactToMessage,
  readMessages,
  removeReaction,
} from '#contract/messages/messages.ts';
import { ApiError } from '../../api/api-error.ts';
import { call } from '../../api/call.ts';
import { keys } from '../../api/keys.ts';
import { live, queryClient } from '../../api/query-client.ts';
import { loadedHistory, loadHistory } from '../../api/realtime/loaded-history.ts';
import { emptyHistory, type History, missingPages, newest } from '../../api/realtime/message-history.ts';
import { applyEvent } from '../../api/realtime/realtime-cache.ts';

const conversationsPerPage = 20;
const messagesPerPage = 50;
/** How many messages beyond the visible ones are loaded ahead. */
const loadAhead = 40;
/** The server treats a member as offline a little more than a minute after they leave. */
const presenceEveryMs = 60_000;

/**
 * The member's conversations without the snoozed ones, or only those; the one with the newest message first. Realtime events keep the
 * former up to date.
 */
export function useConversations(isSnoozed = false) {
  return useInfiniteQuery({
    ...live,
    queryKey: isSnoozed ? keys.snoozedConversations : keys.conversations,
    queryFn: async ({ pageParam, signal }) => {
      const query = { cursor: pageParam, limit: conversationsPerPage, ...(isSnoozed && { only: 'snoozed' as const }) };
      return (await call(listConversations, { query, signal })).data;
    },
    initialPageParam: null as string | null,
    getNextPageParam: ({ nextCursor }) => nextCursor,
    select: ({ pages }) => {
      const byId = new Map(pages.flatMap(({ conversations }) => conversations).map((one) => [one._id, one]));
      return [...byId.values()];
    },
  });
}

/** How many conversations have unread messages. */
export const unreadConversationsQuery = queryOptions({
  ...live,
  queryKey: keys.unreadConversations,
  queryFn: async ({ signal }) => (await call(countUnread, { signal })).data.conversations,
});

const isGone = (error: unknown) => error instanceof ApiError && error.status === 404;

/** Something that has ended is not requested again. */
const isNotGone = ({ state }: { state: { error: Error | null } }) => !isGone(state.error);

/**
 * One conversation. It is loaded again every minute while the page is visible, because it contains whether the other
 * person is online.
 */
export function useConversation(matchId: string) {
  return useQuery({
    ...live,
    queryKey: keys.conversation(matchId),
    queryFn: async ({ signal }) => (await call(getConversation, { params: { id: matchId }, signal })).data.conversation,
    refetchInterval: presenceEveryMs,
    enabled: isNotGone,
    gcTime: 0,
  });
}

function loadMessages(
  matchId: string,
  query: { after?: number; limit: number },
  signal: AbortSignal,
): Promise<History> {
  return loadHistory(matchId, async () => (await call(listMessages, { params: { id: matchId }, query, signal })).data);
}

/**
 * The messages of one match. They are numbered without gaps, so the newest are loaded first, and others by page number
 * where the reader scrolls to. They are removed from the cache when the conversation is closed.
 */
export function useMessages(matchId: string) {
  const queryKey = keys.messages(matchId);
  const query = useQuery({
    ...live,
    queryKey,
    queryFn: ({ signal }) => loadMessages(matchId, { limit: messagesPerPage }, signal),
    structuralSharing: false,
    enabled: isNotGone,
    gcTime: 0,
  });
  const [hasFailedPage, setFailedPage] = useState(false);

  const loadPage = useCallback(
    (page: number) =>
      queryClient.fetchQuery({
        queryKey: keys.messagePage(matchId, page),
        queryFn: async ({ signal }) => {
          const range = { after: page * messagesPerPage, limit: messagesPerPage };
          const history = await loadMessages(matchId, range, signal);
          queryClient.setQueryData(keys.messages(matchId), history);
          return null;
        },
        staleTime: 0,
        gcTime: 0,
      }),
    [matchId],
  );

  /** Loads missing messages around the visible sequence numbers. */
  const show = useCallback(
    (from: number, to: number) => {
      for (const page of missingPages(loadedHistory(matchId), from - loadAhead, to + loadAhead, messagesPerPage)) {
        loadPage(page).catch(() => setFailedPage(true));
      }
    },
    [matchId, loadPage],
  );

  return {
    query,
    history: query.data ?? emptyHistory,
    isEnded: query.data?.isEnded === true || isGone(query.error),
    show,
    /** Some older messages could not be loaded. */
    hasFailedPage,
    retryPages: () => setFailedPage(false),
  };
}

/** One message of the other person, which is about to be reported; null if there is none with this number. */
export function useQuotedMessage(matchId: string, seq: number, ownId: string) {
  return useQuery({
    queryKey: keys.quotedMessage(matchId, seq),
    queryFn: async ({ signal }) => {
      const query = { after: seq - 1, limit: 1 };
      const { data } = await call(listMessages, { params: { id: matchId }, query, signal });
      return data.messages.find((one) => one.seq === seq && one.from !== ownId) ?? null;
    },
  });
}

/** Edits one of the member's messages: shown at once, and undone if the server refuses. */
export function useEditMessage(matchId: string) {
  return useMutation({
    mutationFn: ({ seq, text }: { seq: number; text: string }) =>
      call(editMessage, { params: { id: matchId, seq: `${seq}` }, body: { text } }),
    onSuccess: ({ data }) => applyEvent({ kind: 'message', matchId, message: data.message }),
  });
}

/** Deletes one of the member's own messages. It is not an error if it was already deleted on another device. */
export function useDeleteMessage(matchId: string) {
  return useMutation({
    mutationFn: async (seq: number) => {
      try {
        return (await call(deleteMessage, { params: { id: matchId, seq: `${seq}` } })).data.message;
      } catch (error) {
        if (isGone(error)) return null;
        throw error;
      }
    },
    onSuccess: (message) => {
      if (message !== null) applyEvent({ kind: 'message', matchId, message });
    },
  });
}

/** Puts the member's reaction on a received message, or removes it with null. */
export function useReact(matchId: string) {
  return useMutation({
    // One after the other, so that the last choice remains.
    scope: { id: `reaction ${matchId}` },
    mutationFn: ({ seq, emoji }: { seq: number; emoji: ReactionEmoji | null }) => {
      const params = { id: matchId, seq: `${seq}` };
      return emoji === null ? call(removeReaction, { params }) : call(reactToMessage, { params, body: { emoji } });
    },
    onSuccess: ({ data }) => applyEvent({ kind: 'message', matchId, message: data.message }),
  });
}

/** Saves the member's answer to whether they have met a match. */
export function useAnswerMeeting(matchId: string) {
  return useMutation({
    mutationFn: (body: BodyInput<typeof answerMeeting>) => call(answerMeeting, { params: { id: matchId }, body }),
  });
}

/** Marks everything as read once the newest message is visible (`isSeen`). */
export function useMarkRead(matchId: string, ownId: string, history: History, isSeen: boolean): void {
  const markedUpTo = useRef(0);
  const { mutate } = useMutation({
    mutationFn: (seq: number) => call(readMessages, { params: { id: matchId }, body: { seq } }),
    onSuccess: ({ data }) => applyEvent({ kind: 'read', matchId, by: ownId, seq: data.seq }),
    // The next message, or opening the conversation again, will try again.
    onError: (_error, seq) => {
      if (markedUpTo.current === seq) markedUpTo.current = 0;
    },
  });
  const received = newest(history, ({ from }) => from !== ownId);
  const seq = received?.readAt === null ? received.seq : 0;

  useEffect(() => {
    if (!isSeen || seq <= markedUpTo.current) return;
    markedUpTo.current = seq;
    mutate(seq);
  }, [mutate, seq, isSeen]);
}
