import {
  getNotificationSettings,
  listNotifications,
  type NotificationSettings,
  type NotificationView,
  putNotificationSettings,
  readNotifications,
  usualNotifications,
} from '#contract/notifications.ts';
import { somebody } from './deck.ts';
import { serve } from './fake-server.ts';
import { serveMyReports } from './own-reports.ts';

const first = Date.parse('2025-10-20T10:00:00.000Z');
const at = (minute: number) => new Date(first + minute * 60_000).toISOString();

/** Somebody likes the member; a higher number came later. */
export function likeNews(number: number, changes: Partial<NotificationView> = {}): NotificationView {
  return {
    _id: `news-${number}`,
    kind: 'like',
    at: at(number),
    isRead: false,
    subjectId: null,
    user: null,
    ...changes,
  };
}

/** A match with somebody. */
export function matchNews(number: number, name: string, changes: Partial<NotificationView> = {}): NotificationView {
  const subjectId = `match-${name.toLowerCase()}`;
  return { ...likeNews(number), kind: 'match', subjectId, user: somebody(name), ...changes };
}

/** A report of the member's has news. */
export function reportNews(number: number, changes: Partial<NotificationView> = {}): NotificationView {
  return { ...likeNews(number), kind: 'report', subjectId: 'report-1', ...changes };
}

/** What the server knows of what a member was told; a test may change it as it goes on. */
interface KnownNews {
  /** Newest first. */
  notifications: NotificationView[];
}

/** Answers the list of notifications, and what is read of them. */
export function serveNotifications(notifications: NotificationView[]): KnownNews {
  const known: KnownNews = { notifications };
  const unread = () => known.notifications.filter(({ isRead }) => !isRead).length;
  serveMyReports([]);
  serve(listNotifications, ({ query: { cursor, limit = 20 } }) => {
    const from = Number(cursor ?? 0);
    const isMore = from + limit < known.notifications.length;
    return {
      data: {
        notifications: known.notifications.slice(from, from + limit),
        unread: Math.min(100, unread()),
        nextCursor: isMore ? String(from + limit) : null,
      },
    };
  });
  serve(readNotifications, ({ body: { ids, kind } }) => {
    known.notifications = known.notifications.map((one) =>
      (ids === undefined || ids.includes(one._id)) && (kind === undefined || kind === one.kind)
        ? { ...one, isRead: true }
        : one,
    );
    return { data: { unread: unread() } };
  });
  return known;
}

/** Answers what a member wants to be told of, and keeps what they change. */
export function serveNotificationSettings(changes: Partial<NotificationSettings> = {}): void {
  let settings: NotificationSettings = { ...usualNotifications, ...changes };
  serve(getNotificationSettings, () => ({ data: { settings } }));
  serve(putNotificationSettings, ({ body }) => {
    settings = { ...settings, ...body.settings } as NotificationSettings;
    return { data: { settings } };
  });
}
