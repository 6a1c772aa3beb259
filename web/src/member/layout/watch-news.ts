import { createElement } from 'react';
import { renewPush } from '../../api/push/push.ts';
import { RemovalBanner } from '../../features/auth/factors/RemovalNotice.tsx';
import { watchUnreadMessages } from '../../features/messages/list/watch-unread-messages.ts';
import { watchNotifications } from '../../features/notifications/watch-notifications.ts';
import { refreshUnread, watchUnread } from '../../features/support/unread.tsx';

/** Keeps the marks for answers, for messages and for all other news up to date; returns how to stop. */
export function watchNews(): () => void {
  const stops = [
    watchUnread(),
    watchUnreadMessages(),
    watchNotifications(({ kind }) => {
      if (kind === 'report') void refreshUnread();
    }),
  ];
  void renewPush();
  return () => {
    for (const stop of stops) stop();
  };
}

/** What stands above every page when it has to be known. */
export const banner = createElement(RemovalBanner);
