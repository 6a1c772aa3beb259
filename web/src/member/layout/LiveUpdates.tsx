// Imported on every member's page, so that messages left unsent by a reload are sent from any of them.
import '../../features/messages/outbox.ts';
import { useQuery } from '@tanstack/react-query';
import { useEffect } from 'react';
import { renewPush } from '../../api/push/push.ts';
import { followRealtime } from '../../api/realtime/realtime-cache.ts';
import { RemovalBanner } from '../../features/auth/factors/RemovalNotice.tsx';
import { unreadConversationsQuery } from '../../features/messages/queries.ts';
import { newestNotificationQuery } from '../../features/notifications/queries.ts';
import { watchUnread } from '../../features/support/unread.tsx';

/** Shows the count on the installed app's icon, where the platform can. */
function useAppBadge(count: number): void {
  useEffect(() => {
    if (!('setAppBadge' in navigator)) return undefined;
    const ignore = () => undefined;
    void navigator.setAppBadge(count).catch(ignore);
    return () => void navigator.clearAppBadge().catch(ignore);
  }, [count]);
}

/** Keeps counts, lists and conversations up to date while a member's page is open; shows the banner above every page. */
export function LiveUpdates() {
  useEffect(followRealtime, []);
  useEffect(watchUnread, []);
  useEffect(() => void renewPush(), []);
  const { data: unread = 0 } = useQuery(unreadConversationsQuery);
  useQuery(newestNotificationQuery);
  useAppBadge(unread);
  return <RemovalBanner />;
}
