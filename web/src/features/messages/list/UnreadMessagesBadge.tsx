import { CountBadge } from '../../../ui/data/Tag.tsx';
import { useText } from '../../../ui/text/text.ts';
import { unreadMessagesText, useUnreadMessages } from './unread-messages.ts';

/** The count of conversations with something new, or nothing. */
export function UnreadMessagesBadge() {
  const t = useText();
  const count = useUnreadMessages((unread) => unread.count);
  return <CountBadge count={count} text={unreadMessagesText(count, t)} />;
}
