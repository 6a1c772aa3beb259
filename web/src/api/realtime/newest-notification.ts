import type { getReportAppeal } from '#contract/moderation/appeals.ts';
import type { NotificationView } from '#contract/notifications.ts';
import { keyAt } from '../endpoint-query.ts';
import { accountKeys, keys } from '../keys.ts';

/** The newest known notification, and how many are unread. */
export interface NewestNotification {
  /** The server counts to 100. */
  unread: number;
  /** The time of the newest one; empty if there are none. */
  at: string;
  /** The latest notification that has arrived since the app was opened. */
  arrived: NotificationView | null;
}

/** The queries that a notification of each kind may affect. Never those of notifications, whose answers renew all of these. */
export const newsSubjects = {
  like: [keys.likesReceived],
  match: [keys.matches],
  report: [keys.allOwnReports, keyAt<typeof getReportAppeal>('/appeals/report/{id}')],
  date: [keys.allDates],
  export: accountKeys,
  verification: accountKeys,
  warning: accountKeys,
  fit: [],
} as const;

/** The new state after an answer with the unread count and, if there is one, the newest notification. */
export function withNewest(
  before: NewestNotification | undefined,
  newest: NotificationView | undefined,
  unread: number,
): NewestNotification {
  const known = { at: before?.at ?? '', arrived: before?.arrived ?? null };
  if (newest === undefined || newest.at <= known.at) return { unread, ...known };
  const hasArrived = before !== undefined && !newest.isRead;
  return { unread, at: newest.at, arrived: hasArrived ? newest : known.arrived };
}
