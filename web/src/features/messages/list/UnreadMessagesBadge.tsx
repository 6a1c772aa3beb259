import { keys } from '../../../api/keys.ts';
import { useCached } from '../../../api/query-client.ts';
import { CountBadge } from '../../../ui/data/Tag.tsx';
import { t } from '../../../ui/text/text.ts';

/** How many conversations have unread messages, as far as known. It is read by the live updates, which load after the page. */
export function useUnreadMessages(): number {
  return useCached<number>(keys.unreadConversations) ?? 0;
}

/** How many conversations have unread messages, in words; undefined when there are none. */
export function unreadMessagesText(count: number): string | undefined {
  if (count === 0) return undefined;
  return t('{count, plural, one {# conversation} other {# conversations}} with something new', { count });
}

/** The count of conversations with unread messages, or nothing. */
export function UnreadMessagesBadge() {
  const count = useUnreadMessages();
  return <CountBadge count={count} text={unreadMessagesText(count)} />;
}
