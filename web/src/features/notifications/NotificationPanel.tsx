import { Button } from '@mantine/core';
import { Link } from 'react-router';
import type { NotificationView } from '#contract/notifications.ts';
import { Avatar } from '../../ui/data/Avatar.tsx';
import { InfiniteList } from '../../ui/data/InfiniteList.tsx';
import { Tag } from '../../ui/data/Tag.tsx';
import { Dialog } from '../../ui/feedback/Dialog.tsx';
import { ErrorNotice } from '../../ui/feedback/Notice.tsx';
import { EmptyState, QueryStates, Skeleton } from '../../ui/feedback/PageStates.tsx';
import { formatDate, formatExactTime } from '../../ui/text/format.ts';
import { locale, t } from '../../ui/text/text.ts';
import { useNow } from '../../ui/data/Time.tsx';
import classes from './notifications.module.css';
import { Arrival } from './Arrival.tsx';
import { kindOf, notificationText } from './kinds.ts';
import { useNewestNotification, useNotifications } from './queries.ts';

const minuteMs = 60_000;
const hourMs = 60 * minuteMs;
const dayMs = 24 * hourMs;
const weekMs = 7 * dayMs;
const pictureSize = 44;

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

function Sign({ notification: { kind, user } }: { notification: NotificationView }) {
  if (user !== null)
    return <Avatar id={user._id} name={user.firstName ?? user.name} picture={user.profilePicture} size={pictureSize} />;
  const { icon: Icon, isQuiet } = kindOf(kind);
  return (
    <span className={classes.sign} data-quiet={isQuiet || undefined}>
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
function NotificationRow({ notification, now, onFollow }: NotificationRowProps) {
  const { kind, subjectId, at, isRead } = notification;
  return (
    <li>
      <Link
        to={kindOf(kind).path(subjectId ?? '')}
        className={classes.row}
        data-new={!isRead || undefined}
        onClick={onFollow}
      >
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

function LoadingSkeleton() {
  return (
    <div className={classes.skeleton}>
      <Skeleton height="3.75rem" />
      <Skeleton height="3.75rem" />
      <Skeleton height="3.75rem" />
    </div>
  );
}

/** The member's notifications, newest first, over the page. */
export function NotificationPanel({ onClose }: { onClose: () => void }) {
  const { query, notifications, see, readAll } = useNotifications();
  const now = useNow(60_000);
  const unread = useNewestNotification()?.unread ?? 0;
  const isAnyNew = unread > 0 || notifications?.some(({ isRead }) => !isRead) === true;

  function follow() {
    see();
    onClose();
  }

  return (
    <Dialog
      title={t('Notifications')}
      size="popover"
      onClose={onClose}
      actions={
        <>
          <Button component={Link} to="/app/settings/notifications" variant="subtle" onClick={onClose}>
            {t('Settings')}
          </Button>
          {isAnyNew && (
            <Button
              variant="default"
              aria-disabled={readAll.isPending || undefined}
              onClick={() => readAll.isPending || readAll.mutate()}
            >
              {t('Mark all as read')}
            </Button>
          )}
        </>
      }
    >
      {/* Screen readers do not announce what is behind an open dialog. */}
      <Arrival />
      {readAll.error !== null && (
        <div className={classes.problem}>
          <ErrorNotice error={readAll.error} text="Couldn't mark them as read: {error}" />
        </div>
      )}
      <QueryStates
        query={{ ...query, data: notifications }}
        loadingText={t('Loading your notifications...')}
        skeleton={<LoadingSkeleton />}
        errorText="Couldn't load your notifications: {error}"
      >
        {(shown) =>
          shown.length === 0 ? (
            <EmptyState
              text={t('Nothing new')}
              hint={t('New matches, likes and answers to your reports show up here.')}
            />
          ) : (
            <InfiniteList query={query} margin="0.75rem 0 0">
              <ul className={classes.list}>
                {shown.map((notification) => (
                  <NotificationRow key={notification._id} notification={notification} now={now} onFollow={follow} />
                ))}
              </ul>
            </InfiniteList>
          )
        }
      </QueryStates>
    </Dialog>
  );
}
