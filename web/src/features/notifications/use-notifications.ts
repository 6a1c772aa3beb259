import { useCallback, useEffect, useState } from 'react';
import { listNotifications, type NotificationView } from '#contract/notifications.ts';
import { call } from '../../api/call.ts';
import { onMissed, onRealtime } from '../../api/realtime/realtime.ts';
import { useVisible } from '../../ui/loading/use-visible.ts';
import { showUnread } from './news.ts';
import { markAllSeen, markSeen } from './seen.ts';

const pageSize = 20;
/** What stood before the eyes for so long has been seen. */
const seenAfterMs = 1000;

export interface Listed {
  notifications: readonly NotificationView[];
  nextCursor: string | null;
}

const isBefore = (one: NotificationView, other: NotificationView) =>
  one.at === other.at ? one._id > other._id : one.at > other.at;

/** The list with its first page as it is now; what was new when it was first shown here stays so. */
function withFirstPage(known: Listed, page: Listed): Listed {
  const last = page.notifications.at(-1);
  const isWhole = page.nextCursor === null || last === undefined;
  const further = isWhole ? [] : known.notifications.filter((one) => isBefore(last, one));
  const shownNew = new Set(known.notifications.filter(({ isRead }) => !isRead).map(({ _id }) => _id));
  const first = page.notifications.map((one) => (shownNew.has(one._id) ? { ...one, isRead: false } : one));
  return {
    notifications: [...first, ...further],
    nextCursor: further.length > 0 ? known.nextCursor : page.nextCursor,
  };
}

const withFurther = (known: Listed, { notifications, nextCursor }: Listed): Listed => {
  const ids = new Set(known.notifications.map(({ _id }) => _id));
  return {
    notifications: [...known.notifications, ...notifications.filter(({ _id }) => !ids.has(_id))],
    nextCursor,
  };
};

/**
 * What the member was told of, page by page, kept up to date; what has been shown for a moment is read on the server, and stays
 * marked as new here.
 */
export function useNotifications() {
  const [listed, setListed] = useState<Listed | undefined>(undefined);
  const [error, setError] = useState<Error | null>(null);
  const [isFetching, setFetching] = useState(true);
  const [seen, setSeen] = useState<ReadonlySet<string>>(new Set());
  const isVisible = useVisible();

  const load = useCallback(async (cursor: string | null, signal?: AbortSignal) => {
    setFetching(true);
    try {
      const query = cursor === null ? { limit: pageSize } : { cursor, limit: pageSize };
      const { data } = await call(listNotifications, { query, ...(signal ? { signal } : {}) });
      showUnread(data.unread);
      const add = cursor === null ? withFirstPage : withFurther;
      setListed((before) => (before === undefined ? data : add(before, data)));
      setError(null);
    } catch (failure) {
      if (signal?.aborted === true) return;
      setError(failure instanceof Error ? failure : new Error(String(failure)));
    }
    setFetching(false);
  }, []);

  useEffect(() => {
    const leaving = new AbortController();
    const ask = () => void load(null, leaving.signal);
    ask();
    const stops = [
      onRealtime(({ kind }) => {
        if (kind === 'news' || kind === 'matchEnded') ask();
      }),
      onMissed(ask),
    ];
    return () => {
      leaving.abort();
      for (const stop of stops) stop();
    };
  }, [load]);

  const unseen = listed?.notifications.filter(({ _id, isRead }) => !isRead && !seen.has(_id)).map(({ _id }) => _id);
  const unseenIds = unseen?.slice(0, pageSize * 4).join(' ') ?? '';

  const see = useCallback(async (ids: string) => {
    if (ids === '') return;
    try {
      await markSeen(ids.split(' '));
      setSeen((before) => new Set([...before, ...ids.split(' ')]));
    } catch {
      // Unread still: the next opening tries again.
    }
  }, []);

  useEffect(() => {
    if (!isVisible) return;
    const timer = setTimeout(() => void see(unseenIds), seenAfterMs);
    return () => clearTimeout(timer);
  }, [isVisible, see, unseenIds]);

  async function seeAll(): Promise<void> {
    await markAllSeen();
    setListed(
      (before) => before && { ...before, notifications: before.notifications.map((one) => ({ ...one, isRead: true })) },
    );
  }

  return {
    query: { data: listed, error, isFetching, refetch: () => load(null) },
    more: () => {
      if (!isFetching && listed?.nextCursor) void load(listed.nextCursor);
    },
    isBusy: isFetching,
    /** One leaves for one of them: what is shown has been seen. */
    see: () => void see(unseenIds),
    seeAll,
  };
}
