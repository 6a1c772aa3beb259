import { useCallback, useEffect, useEffectEvent, useState } from 'react';
import { type ConversationView, getConversation, listConversations, type MessageView } from '#contract/messages.ts';
import type { RealtimeEvent } from '#contract/realtime.ts';
import { call } from '../../../api/call.ts';
import { onMissed, onRealtime } from '../../../api/realtime/realtime.ts';

const pageSize = 20;

interface Listed {
  conversations: readonly ConversationView[];
  nextCursor: string | null;
}

const lastAt = ({ lastMessage, matchedAt }: ConversationView) => lastMessage?.sentAt ?? matchedAt;

/** These before those that are known already, by when something was written last. */
function inOrder(first: readonly ConversationView[], known: readonly ConversationView[]): ConversationView[] {
  const ids = new Set(first.map(({ _id }) => _id));
  const all = [...first, ...known.filter(({ _id }) => !ids.has(_id))];
  return all.sort((one, other) => lastAt(other).localeCompare(lastAt(one)));
}

/** A conversation after one of its messages is new or was changed. */
function withMessage(conversation: ConversationView, message: MessageView): ConversationView {
  const { lastMessage, unread, user } = conversation;
  const lastSeq = lastMessage?.seq ?? 0;
  if (message.seq < lastSeq) return conversation;
  const isNew = message.seq > lastSeq && message.from === user._id;
  return { ...conversation, lastMessage: message, unread: isNew ? unread + 1 : unread };
}

/** The member's conversations, page by page, kept up to date by what the server tells. */
export function useConversations() {
  const [listed, setListed] = useState<Listed | undefined>(undefined);
  const [error, setError] = useState<Error | null>(null);
  const [isFetching, setFetching] = useState(true);

  const load = useCallback(async (cursor: string | null, signal?: AbortSignal) => {
    setFetching(true);
    try {
      const query = cursor === null ? { limit: pageSize } : { cursor, limit: pageSize };
      const { data } = await call(listConversations, { query, ...(signal ? { signal } : {}) });
      setListed((before) => {
        const isWhole = cursor === null && (data.nextCursor === null || before === undefined);
        if (isWhole || before === undefined) return data;
        const nextCursor =
          cursor === null && before.conversations.length > pageSize ? before.nextCursor : data.nextCursor;
        return { conversations: inOrder(data.conversations, before.conversations), nextCursor };
      });
      setError(null);
    } catch (failure) {
      if (signal?.aborted === true) return;
      setError(failure instanceof Error ? failure : new Error(String(failure)));
    }
    setFetching(false);
  }, []);

  function change(id: string, next: (conversation: ConversationView) => ConversationView): void {
    setListed((before) => {
      if (before === undefined) return before;
      const changed = before.conversations.map((one) => (one._id === id ? next(one) : one));
      return { ...before, conversations: inOrder(changed, []) };
    });
  }

  async function add(id: string): Promise<void> {
    try {
      const { conversation } = (await call(getConversation, { params: { id } })).data;
      setListed((before) => before && { ...before, conversations: inOrder([conversation], before.conversations) });
    } catch {
      // It is over already, or is told with the next list.
    }
  }

  const hear = useEffectEvent((event: RealtimeEvent) => {
    if (!('matchId' in event)) return;
    const { matchId } = event;
    const known = listed?.conversations.find(({ _id }) => _id === matchId);
    if (event.kind === 'matchEnded')
      setListed(
        (before) =>
          before && { ...before, conversations: before.conversations.filter(({ _id }) => _id !== event.matchId) },
      );
    if (event.kind === 'match' || (event.kind === 'message' && known === undefined)) void add(matchId);
    if (event.kind === 'message') change(matchId, (one) => withMessage(one, event.message));
    // How many are unread then only the server knows.
    const isDeleted = event.kind === 'message' && event.message.text === null;
    const isReadHere = event.kind === 'read' && event.by !== known?.user._id;
    if ((isDeleted || isReadHere) && known !== undefined && known.unread > 0) void add(matchId);
  });

  useEffect(() => {
    const leaving = new AbortController();
    const ask = () => void load(null, leaving.signal);
    ask();
    const stops = [onRealtime((event) => hear(event)), onMissed(ask)];
    return () => {
      leaving.abort();
      for (const stop of stops) stop();
    };
  }, [load]);

  return {
    query: { data: listed, error, isFetching, refetch: () => load(null) },
    more: () => {
      if (!isFetching && listed?.nextCursor) void load(listed.nextCursor);
    },
    isBusy: isFetching,
  };
}
