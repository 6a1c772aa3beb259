import { infiniteQueryOptions, queryOptions, useInfiniteQuery, useMutation } from '@tanstack/react-query';
import { useCallback, useEffect, useState } from 'react';
import {
  getNotificationSettings,
  listNotifications,
  type NotificationChoice,
  type NotificationKind,
  type NotificationSettings,
  type NotificationView,
  putNotificationSettings,
  readNotifications,
} from '#contract/notifications.ts';
import type { AnswerOf, BodyInput } from '#contract/endpoint.ts';
import { errorMessage } from '../../api/api-error.ts';
import { call } from '../../api/call.ts';
import { endpointQuery, useEndpoint } from '../../api/endpoint-query.ts';
import { keys } from '../../api/keys.ts';
import { live, queryClient, useCached } from '../../api/query-client.ts';
import { invalidations } from '../../api/realtime/invalidations.ts';
import { type NewestNotification, newsSubjects, withNewest } from '../../api/realtime/newest-notification.ts';
import { useVisible } from '../../ui/loading/online.ts';

const pageSize = 20;
/** A notification that has been visible for this long counts as seen. */
const seenAfterMs = 1000;

/**
 * The newest notification and the unread count. If notifications have arrived without an event, all lists that they may
 * affect are fetched again: only the newest notification is known, and it may have been read on another device.
 */
export const newestNotificationQuery = queryOptions({
  ...live,
  queryKey: keys.newestNotification,
  queryFn: async ({ signal }): Promise<NewestNotification> => {
    const { data } = await call(listNotifications, { query: { limit: 1 }, signal });
    const before = queryClient.getQueryData<NewestNotification>(keys.newestNotification);
    const after = withNewest(before, data.notifications[0], data.unread);
    if (before !== undefined && (after.at > before.at || after.unread > before.unread))
      for (const queryKey of Object.values(newsSubjects).flat()) void queryClient.invalidateQueries({ queryKey });
    return after;
  },
});

/** The newest known notification, as last loaded by the live updates, whose code is fetched after the page. */
export function useNewestNotification(): NewestNotification | undefined {
  return useCached<NewestNotification>(keys.newestNotification);
}

function showUnread(unread: number): void {
  queryClient.setQueryData<NewestNotification>(keys.newestNotification, (newest) => newest && { ...newest, unread });
}

async function markRead(body: BodyInput<typeof readNotifications>, keepalive = false): Promise<void> {
  const { unread } = (await call(readNotifications, { body, keepalive })).data;
  invalidations.addIfLoading(keys.newestNotification);
  showUnread(unread);
}

/** Marks a kind as read because its list is on the screen. Failures are ignored, because the next visit tries again. */
export async function markKindRead(kind: NotificationView['kind']): Promise<void> {
  if (queryClient.getQueryData<NewestNotification>(keys.newestNotification)?.unread === 0) return;
  await markRead({ kind }).catch(() => undefined);
}

const notificationsQuery = infiniteQueryOptions({
  ...live,
  queryKey: keys.notifications,
  queryFn: async ({ pageParam, signal }) => {
    const { data } = await call(listNotifications, { query: { cursor: pageParam, limit: pageSize }, signal });
    showUnread(data.unread);
    return data;
  },
  initialPageParam: null as string | null,
  getNextPageParam: ({ nextCursor }) => nextCursor,
});

/** Marks cached notifications as read: all of them, or those whose id is in `ids`. */
function setRead(ids?: ReadonlySet<string>): void {
  queryClient.setQueryData(notificationsQuery.queryKey, (list) => {
    if (list === undefined) return list;
    const read = (one: NotificationView) => (ids === undefined || ids.has(one._id) ? { ...one, isRead: true } : one);
    type Page = AnswerOf<typeof listNotifications>['data'];
    const withRead = (page: Page) => ({ ...page, notifications: page.notifications.map(read) });
    return { ...list, pages: list.pages.map(withRead) };
  });
}

/**
 * The notifications, page by page. Those that were visible for a moment are marked as read on the server, but are shown
 * as new here until the list is closed.
 */
export function useNotifications() {
  const query = useInfiniteQuery(notificationsQuery);
  const [seen, setSeen] = useState<ReadonlySet<string>>(new Set());
  const isVisible = useVisible();
  const notifications = query.data?.pages.flatMap((page) => page.notifications);
  const unseenIds = notifications?.filter(({ _id, isRead }) => !isRead && !seen.has(_id)).map(({ _id }) => _id) ?? [];
  const unseen = unseenIds.slice(0, pageSize * 4).join(' ');

  const see = useCallback(async (joinedIds: string) => {
    if (joinedIds === '') return;
    const ids = joinedIds.split(' ');
    // Done here at once; the server confirms over the socket later that they were read.
    setSeen((before) => new Set([...before, ...ids]));
    try {
      await markRead({ ids }, true);
      setRead(new Set(ids));
    } catch {
      // They stay unread; opening the list again will retry.
    }
  }, []);

  useEffect(() => {
    if (!isVisible) return;
    const timer = setTimeout(() => void see(unseen), seenAfterMs);
    return () => clearTimeout(timer);
  }, [isVisible, see, unseen]);

  const readAll = useMutation({
    mutationFn: () => markRead({}),
    onSuccess: () => {
      setSeen(new Set());
      setRead();
    },
  });

  return {
    query,
    notifications: notifications?.map((one) => (seen.has(one._id) ? { ...one, isRead: false } : one)),
    /** Called when the member follows a notification: all displayed ones have been seen by then. */
    see: () => void see(unseen),
    readAll,
  };
}

const settingsKey = endpointQuery(getNotificationSettings).queryKey;

/** The member's notification settings. */
export function useNotificationSettings() {
  return useEndpoint(getNotificationSettings, {}, { staleTime: 0, select: ({ settings }) => settings });
}

/**
 * Settings that are saved with each change, one request after the other. A change that can't be saved is undone on the
 * screen. @param initial the settings as they are on the server
 */
export function useChangeSettings(initial: NotificationSettings) {
  const [shown, setShown] = useState(initial);
  const { mutate, isSuccess, error } = useMutation({
    scope: { id: 'notification-settings' },
    mutationFn: async ([kind, choice]: [NotificationKind, NotificationChoice]) =>
      (await call(putNotificationSettings, { body: { settings: { [kind]: choice } } })).data,
    onSuccess: (saved) => queryClient.setQueryData(settingsKey, saved),
    onError: (_error, [kind]) => {
      const saved = queryClient.getQueryData(settingsKey)?.settings ?? initial;
      setShown((before) => ({ ...before, [kind]: saved[kind] }));
    },
  });

  function choose(kind: NotificationKind, choice: NotificationChoice): void {
    setShown((before) => ({ ...before, [kind]: choice }));
    mutate([kind, choice]);
  }

  return { shown, choose, error: error && errorMessage(error), isSaved: isSuccess };
}
