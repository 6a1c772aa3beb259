import { listNotifications, type NotificationView } from '#contract/notifications.ts';
import { call } from '../../api/call.ts';
import { holdRealtime, onMissed, onRealtime } from '../../api/realtime/realtime.ts';
import { forgetNews, showArrival, showUnread } from './news.ts';

/** What comes close together is asked about once. */
const togetherMs = 200;

/**
 * Shows how much is unread, now and whenever that may have changed, and what has just come, which `onArrival` hears of, too;
 * returns how to stop.
 */
export function watchNotifications(onArrival: (arrived: NotificationView) => void): () => void {
  const leaving = new AbortController();
  let asking = new AbortController();
  let timer: ReturnType<typeof setTimeout> | undefined;
  /** When the newest came that is known; null until the first answer. */
  let knownAt: string | null = null;

  function arrive(newest: NotificationView | undefined): void {
    const before = knownAt;
    knownAt = newest?.at ?? before ?? '';
    if (newest === undefined || newest.isRead || before === null || newest.at <= before) return;
    showArrival(newest);
    onArrival(newest);
  }

  async function ask(): Promise<void> {
    timer = undefined;
    asking.abort();
    asking = new AbortController();
    const signal = AbortSignal.any([leaving.signal, asking.signal]);
    try {
      const { data } = await call(listNotifications, { query: { limit: 1 }, signal });
      if (signal.aborted) return;
      showUnread(data.unread);
      arrive(data.notifications[0]);
    } catch {
      // Without an answer the mark stays as it is.
    }
  }

  const askSoon = () => {
    timer ??= setTimeout(() => void ask(), togetherMs);
  };
  const stops = [
    holdRealtime(),
    onMissed(askSoon),
    onRealtime(({ kind }) => {
      if (kind === 'news' || kind === 'matchEnded') askSoon();
    }),
  ];
  void ask();
  return () => {
    leaving.abort();
    clearTimeout(timer);
    for (const stop of stops) stop();
    forgetNews();
  };
}
