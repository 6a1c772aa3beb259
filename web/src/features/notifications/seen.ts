import { readNotifications, type NotificationView } from '#contract/notifications.ts';
import { call } from '../../api/call.ts';
import { showUnread, useNews } from './news.ts';

/** These have been seen. Throws where the server could not be told. */
export async function markSeen(ids: readonly string[]): Promise<void> {
  const { data } = await call(readNotifications, { body: { ids: [...ids] }, keepalive: true });
  showUnread(data.unread);
}

/** Everything has been seen. Throws where the server could not be told. */
export async function markAllSeen(): Promise<void> {
  const { data } = await call(readNotifications, { body: {} });
  showUnread(data.unread);
}

/** What a kind is about has been seen where it stands; without an answer it stays unread, and is seen again there. */
export async function markKindSeen(kind: NotificationView['kind']): Promise<void> {
  if (useNews.getState().unread === 0) return;
  try {
    const { data } = await call(readNotifications, { body: { kind } });
    showUnread(data.unread);
  } catch {
    // The next look tries again.
  }
}
