import { CountBadge } from '../../../ui/data/CountBadge.tsx';
import type { Translate } from '../../../ui/text/text.ts';
import { useText } from '../../../ui/text/text.ts';
import { useUnread } from './unread.ts';

/** How many answers wait, in words; undefined when there is none. */
export function unreadText(count: number, t: Translate): string | undefined {
  if (count === 0) return undefined;
  return t('{count, plural, one {# answer} other {# answers}} you have not read', { count });
}

/** The count of answers not read, or nothing. */
export function UnreadBadge() {
  const t = useText();
  const count = useUnread((unread) => unread.count);
  return <CountBadge count={count} text={unreadText(count, t)} />;
}
