import { memo } from 'react';
import { Link } from 'react-router';
import type { ConversationView } from '#contract/messages.ts';
import { Avatar } from '../../../ui/data/Avatar.tsx';
import { CountBadge } from '../../../ui/data/Tag.tsx';
import { formatDate, formatExactTime } from '../../../ui/text/format.ts';
import { memberName } from '../../../ui/text/person.ts';
import { type Translate, useLocale, useText } from '../../../ui/text/text.ts';
import classes from './ConversationList.module.css';
import { shortTime } from '../conversation/message-times.ts';

const pictureSize = 52;

/** What was said last, in one line. */
function lastLine({ lastMessage, matchedAt, user }: ConversationView, t: Translate, locale: string): string {
  if (lastMessage === null) return t('You matched on {date}', { date: formatDate(matchedAt, locale) });
  if (lastMessage.text === null) return t('Message deleted');
  return lastMessage.from === user._id ? lastMessage.text : t('You: {text}', { text: lastMessage.text });
}

interface ConversationRowProps {
  conversation: ConversationView;
  isOpen: boolean;
  now: number;
}

/** One conversation in the list: who, what was said last and when, and how much is unread. */
export const ConversationRow = memo(function ConversationRow({ conversation, isOpen, now }: ConversationRowProps) {
  const t = useText();
  const locale = useLocale();
  const { _id, user, lastMessage, matchedAt, unread } = conversation;
  const name = memberName(user, t);
  const at = lastMessage?.sentAt ?? matchedAt;
  return (
    <li>
      <Link
        to={`/app/messages/${_id}`}
        className={classes.row}
        aria-current={isOpen ? 'page' : undefined}
        data-unread={unread > 0 || undefined}
      >
        <Avatar id={user._id} name={name} picture={user.profilePicture} size={pictureSize} />
        <span className={classes.top}>
          <bdi className={classes.name}>{name}</bdi>
          <time className={classes.time} dateTime={at} title={formatExactTime(at, locale)}>
            {shortTime(at, now, t, locale)}
          </time>
        </span>
        <span className={classes.foot}>
          <span
            className={classes.line}
            dir="auto"
            data-quiet={lastMessage === null || lastMessage.text === null || undefined}
          >
            {lastLine(conversation, t, locale)}
          </span>
          <CountBadge
            count={unread}
            text={t('{count, plural, one {# unread message} other {# unread messages}}', { count: unread })}
          />
        </span>
      </Link>
    </li>
  );
});
