import { plural, t } from '@lingui/core/macro';
import { keys } from '../../../api/keys.ts';
import { useCached } from '../../../api/query-client.ts';
import { CountBadge } from '../../../ui/data/Tag.tsx';

/**
 * The number of conversations with unread messages, as last loaded by the live updates, whose code is fetched after the
 * page.
 */
function useUnreadMessages(): number {
  return useCached<number>(keys.unreadConversations) ?? 0;
}

/** The number of conversations with unread messages as text; undefined if there are none. */
function unreadMessagesText(count: number): string | undefined {
  if (count === 0) return undefined;
  return t`${plural(count, { one: '# conversation', other: '# conversations' })} with new messages`;
}

/** A badge with the number of conversations with unread messages; nothing if there are none. */
export function UnreadMessagesBadge() {
  const count = useUnreadMessages();
  return <CountBadge count={count} text={unreadMessagesText(count)} />;
}
