import { hashKey, type InfiniteData, type Query, type QueryKey } from '@tanstack/react-query';
import type { AnswerOf } from '#contract/endpoint.ts';
import type { ConversationView, listConversations, MessageView } from '#contract/messages.ts';
import type { RealtimeEvent } from '#contract/realtime.ts';
import { keys } from '../keys.ts';
import { queryClient } from '../query-client.ts';
import { changeHistory } from './loaded-history.ts';
import { isDoubtful, withEvent, withRead } from './message-history.ts';
import { holdRealtime, onMissed, onRealtime } from './realtime.ts';

type ConversationPages = InfiniteData<AnswerOf<typeof listConversations>['data']>;

interface Invalidations {
  add: (...changed: QueryKey[]) => void;
  /** Marks what is waiting as stale without fetching it; the next page that shows it does. */
  stop: () => void;
}

interface Pace {
  /** How long what has changed is collected. */
  delayMs?: number;
  /** The least time between two invalidations. */
  restMs?: number;
  /** A random time more, so that not all screens ask at once. */
  jitterMs?: number;
  /** A hidden page fetches nothing until it is looked at. */
  isForEyes?: boolean;
}

const isEmpty = ({ state }: Query) => state.data === undefined;

/**
 * Collects query keys and invalidates them together. A query's first load is neither restarted by that nor stale once it has ended, so
 * it is invalidated again then.
 */
function batchInvalidations({ delayMs = 0, restMs = 0, jitterMs = 0, isForEyes = false }: Pace): Invalidations {
  const waiting = new Map<string, QueryKey>();
  let timer: ReturnType<typeof setTimeout> | undefined;
  let flushedAt = -Infinity;

  function flush(refetchType: 'active' | 'none'): void {
    timer = undefined;
    flushedAt = performance.now();
    const queryKeys = [...waiting.values()];
    waiting.clear();
    const isUnseen = isForEyes && document.visibilityState === 'hidden';
    const type = isUnseen ? 'none' : refetchType;
    for (const queryKey of queryKeys) {
      const firstLoads = queryClient.getQueryCache().findAll({ queryKey, fetchStatus: 'fetching', predicate: isEmpty });
      void queryClient.invalidateQueries({ queryKey, refetchType: type });
      for (const query of firstLoads) {
        const again = () => add(query.queryKey);
        query.fetch().then(again, again);
      }
    }
  }

  function add(...changed: QueryKey[]): void {
    for (const queryKey of changed) waiting.set(hashKey(queryKey), queryKey);
    timer ??= setTimeout(
      () => flush('active'),
      Math.max(delayMs + Math.random() * jitterMs, flushedAt + restMs - performance.now()),
    );
  }

  function stop(): void {
    clearTimeout(timer);
    flush('none');
    flushedAt = -Infinity;
  }

  return { add, stop };
}

/** Events often come in pairs, such as a new match with its notification. */
const invalidations = batchInvalidations({ delayMs: 200 });
/** The figures of the whole service change all the time. */
const staffInvalidations = batchInvalidations({ restMs: 2000 });
/** The sizes of saved lists are counted by the server for each viewer, so a busy team's screens ask for them less often. */
const countInvalidations = batchInvalidations({ delayMs: 10_000, jitterMs: 5000, isForEyes: true });

/** Replaces one conversation of the list, in its place or at the top, or removes it with `null`. */
function replaceListed(matchId: string, next: ConversationView | null, isMoved: boolean): void {
  queryClient.setQueryData<ConversationPages>(keys.conversations, (list) => {
    if (list === undefined) return list;
    const pages = list.pages.map((page, index) => {
      const kept = page.conversations.flatMap((listed) => {
        if (listed._id !== matchId) return [listed];
        return next === null || isMoved ? [] : [next];
      });
      return { ...page, conversations: index === 0 && next !== null && isMoved ? [next, ...kept] : kept };
    });
    return { ...list, pages };
  });
}

function findListed(matchId: string): ConversationView | undefined {
  const list = queryClient.getQueryData<ConversationPages>(keys.conversations);
  return list?.pages.flatMap(({ conversations }) => conversations).find(({ _id }) => _id === matchId);
}

function showLastMessage(listed: ConversationView, message: MessageView): void {
  const lastSeq = listed.lastMessage?.seq ?? 0;
  if (message.seq < lastSeq) return;
  const isNew = message.seq > lastSeq;
  const unread = isNew && message.from === listed.user._id ? listed.unread + 1 : listed.unread;
  replaceListed(listed._id, { ...listed, lastMessage: message, unread }, isNew);
}

/** Whether a list is on its way: it may be older than the event, and replaces what the event has changed. */
const isListLoading = () => queryClient.isFetching({ queryKey: keys.conversations, exact: true }) > 0;

/** Everything that shows who is a match, and the likes, which a match leaves. */
const matchLists = [keys.matches, keys.allLikes, keys.conversations, keys.unreadConversations, keys.allMembers];

/** Updates the cache with one event from the server, or with what the user has just done in this tab. */
export function applyEvent(event: RealtimeEvent): void {
  switch (event.kind) {
    case 'message': {
      const { matchId, message } = event;
      const listed = findListed(matchId);
      changeHistory(matchId, (history) => withEvent(history, message));
      if (listed !== undefined) showLastMessage(listed, message);
      // After a deletion and its reversal, only the server knows how many are unread.
      const isUncertain =
        listed === undefined ||
        isListLoading() ||
        isDoubtful(listed.lastMessage, message) ||
        (message.text === null && listed.unread > 0);
      if (isUncertain) invalidations.add(keys.conversations);
      return invalidations.add(keys.unreadConversations);
    }
    case 'read': {
      const { matchId, by, seq } = event;
      const listed = findListed(matchId);
      changeHistory(matchId, (history) => withRead(history, by, seq, new Date().toISOString()));
      const isUnread = listed !== undefined && by !== listed.user._id && listed.unread > 0;
      if (isUnread || isListLoading()) invalidations.add(keys.conversations);
      return invalidations.add(keys.unreadConversations);
    }
    case 'match':
      return invalidations.add(...matchLists);
    case 'matchEnded':
      changeHistory(event.matchId, (history) => ({ ...history, isEnded: true }));
      replaceListed(event.matchId, null, false);
      if (isListLoading()) invalidations.add(keys.conversations);
      return invalidations.add(
        keys.unreadConversations,
        keys.matches,
        keys.blocks,
        keys.allNotifications,
        keys.allMembers,
      );
    case 'news':
      return invalidations.add(keys.allNotifications);
    case 'statistics':
      return staffInvalidations.add(keys.statistics);
    case 'reports':
      countInvalidations.add(keys.savedLists);
      return staffInvalidations.add(keys.allReports, keys.allCases, keys.reportStatistics);
    case 'typing':
    case 'assigned':
    case 'caseViewer':
  }
}

/**
 * Holds the socket and updates the cache with its events; data whose events may have been missed is fetched again.
 * Returns a function that stops it.
 */
export function followRealtime(): () => void {
  const stops = [
    holdRealtime(),
    onRealtime(applyEvent),
    onMissed(() => {
      invalidations.add(...matchLists, keys.blocks, keys.allConversations, keys.allNotifications);
      staffInvalidations.add(keys.statistics, keys.allReports, keys.allCases, keys.reportStatistics);
      countInvalidations.add(keys.savedLists);
    }),
  ];
  return () => {
    for (const stop of stops) stop();
    invalidations.stop();
    staffInvalidations.stop();
    countInvalidations.stop();
  };
}
