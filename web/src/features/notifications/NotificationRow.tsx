import { IconHeart, IconMessageReport } from '@tabler/icons-react';
import { Link } from 'react-router';
import type { NotificationView } from '#contract/notifications.ts';
import { Avatar } from '../../ui/data/Avatar.tsx';
import { formatExactTime } from '../../ui/text/format.ts';
import { Tag } from '../../ui/data/Tag.tsx';
import { useLocale, useText } from '../../ui/text/text.ts';
import { agoText } from './ago.ts';
import { newsText } from './news.ts';
import classes from './NotificationPanel.module.css';

const pictureSize = 44;

/** Where the news is. */
function pathOf({ kind, subjectId }: NotificationView): string {
  if (kind === 'like') return '/app/likes';
  return `/app/${kind === 'match' ? 'messages' : 'support'}/${subjectId ?? ''}`;
}

function Sign({ notification: { kind, user } }: { notification: NotificationView }) {
  if (user !== null)
    return <Avatar id={user._id} name={user.firstName ?? user.name} picture={user.profilePicture} size={pictureSize} />;
  const Icon = kind === 'report' ? IconMessageReport : IconHeart;
  return (
    <span className={classes.sign} data-kind={kind}>
      <Icon size={22} stroke={1.75} aria-hidden="true" />
    </span>
  );
}

interface NotificationRowProps {
  notification: NotificationView;
  now: number;
  onFollow: () => void;
}

/** One thing that happened, when, and whether it is new, with the way there. */
export function NotificationRow({ notification, now, onFollow }: NotificationRowProps) {
  const t = useText();
  const locale = useLocale();
  const { at, isRead } = notification;
  return (
    <li>
      <Link to={pathOf(notification)} className={classes.row} data-new={!isRead || undefined} onClick={onFollow}>
        <Sign notification={notification} />
        <span className={classes.text}>
          <span className={classes.words}>{newsText(notification, t)}</span>
          <span className={classes.foot}>
            <time className={classes.time} dateTime={at} title={formatExactTime(at, locale)}>
              {agoText(at, now, t, locale)}
            </time>
            {!isRead && (
              <Tag tone="accent" hasDot>
                {t('New')}
              </Tag>
            )}
          </span>
        </span>
      </Link>
    </li>
  );
}
