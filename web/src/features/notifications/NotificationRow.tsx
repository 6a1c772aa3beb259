import { IconHeart, IconMessageReport } from '@tabler/icons-react';
import { Link } from 'react-router';
import type { NotificationView } from '#contract/notifications.ts';
import { Avatar } from '../../ui/data/Avatar.tsx';
import { Tag } from '../../ui/data/Tag.tsx';
import { formatDate, formatExactTime } from '../../ui/text/format.ts';
import { locale, t } from '../../ui/text/text.ts';
import classes from './notifications.module.css';
import { useNewestNotification } from './queries.ts';

const minuteMs = 60_000;
const hourMs = 60 * minuteMs;
const dayMs = 24 * hourMs;
const weekMs = 7 * dayMs;
const pictureSize = 44;

/** The text of a notification. */
function notificationText({ kind, user }: NotificationView): string {
  if (kind === 'like') return t('Someone likes you');
  if (kind === 'report') return t('Update on your report');
  const name = user === null ? null : (user.firstName ?? user.name);
  return name === null ? t('You have a new match') : t('You and {name} are a match', { name });
}

/** Announces each notification that arrives to screen readers, once. */
export function Arrival() {
  const arrived = useNewestNotification()?.arrived ?? null;
  return (
    <span aria-live="polite" className="visually-hidden">
      {arrived !== null && <span key={`${arrived._id} ${arrived.at}`}>{notificationText(arrived)}</span>}
    </span>
  );
}

/** How long ago something was, as text; the date after a week. */
function agoText(time: string, now: number): string {
  const passedMs = Math.max(0, now - Date.parse(time));
  if (passedMs < minuteMs) return t('Just now');
  if (passedMs >= weekMs) return formatDate(time);
  const [unit, unitMs] =
    passedMs < hourMs
      ? (['minute', minuteMs] as const)
      : passedMs < dayMs
        ? (['hour', hourMs] as const)
        : (['day', dayMs] as const);
  return new Intl.RelativeTimeFormat(locale, { numeric: 'auto' }).format(-Math.floor(passedMs / unitMs), unit);
}

/** The page that a notification leads to. */
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

/** What happened and when, whether it is new, and a link to it. */
export function NotificationRow({ notification, now, onFollow }: NotificationRowProps) {
  const { at, isRead } = notification;
  return (
    <li>
      <Link to={pathOf(notification)} className={classes.row} data-new={!isRead || undefined} onClick={onFollow}>
        <Sign notification={notification} />
        <span className={classes.text}>
          <span className={classes.words}>{notificationText(notification)}</span>
          <span className={classes.foot}>
            <time className={classes.time} dateTime={at} title={formatExactTime(at)}>
              {agoText(at, now)}
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
