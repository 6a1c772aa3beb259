import { watchUnreadMessages } from '../features/messages/watch-unread-messages.ts';
import { watchUnread } from '../features/support/watch-unread.ts';

/** Keeps the marks for answers and for messages up to date; returns how to stop. */
export function watchNews(): () => void {
  const stops = [watchUnread(), watchUnreadMessages()];
  return () => {
    for (const stop of stops) stop();
  };
}
