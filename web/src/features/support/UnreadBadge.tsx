import type { Translate } from '../../ui/text.ts';
import { useText } from '../../ui/text.ts';
import { useUnread } from './unread.ts';
import classes from './UnreadBadge.module.css';

/** How many answers wait, in words; undefined when there is none. */
export function unreadText(count: number, t: Translate): string | undefined {
  if (count === 0) return undefined;
  return t('{count, plural, one {# answer} other {# answers}} you have not read', { count });
}

/** The count of answers not read, or nothing. */
export function UnreadBadge() {
  const t = useText();
  const count = useUnread((unread) => unread.count);
  if (count === 0) return null;
  return (
    <span className={classes.badge}>
      <span aria-hidden="true">{count > 99 ? '99+' : count}</span>
      <span className="visually-hidden">{unreadText(count, t)}</span>
    </span>
  );
}
