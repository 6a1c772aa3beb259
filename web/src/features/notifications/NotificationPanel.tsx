import { Button } from '@mantine/core';
import { useEffect, useRef, useState } from 'react';
import { Link } from 'react-router';
import type { NotificationView } from '#contract/notifications.ts';
import { useCommand } from '../../api/use-command.ts';
import { Dialog } from '../../ui/feedback/Dialog.tsx';
import { Notice } from '../../ui/feedback/Notice.tsx';
import { Bone, EmptyState, QueryStates } from '../../ui/feedback/PageStates.tsx';
import { useText } from '../../ui/text/text.ts';
import { useNow } from '../../ui/data/use-now.ts';
import { Arrival } from './Arrival.tsx';
import { useNews } from './news.ts';
import classes from './NotificationPanel.module.css';
import { NotificationRow } from './NotificationRow.tsx';
import { useNotifications } from './use-notifications.ts';

const minuteMs = 60_000;

function Skeleton() {
  return (
    <div className={classes.skeleton}>
      <Bone height="3.75rem" />
      <Bone height="3.75rem" />
      <Bone height="3.75rem" />
    </div>
  );
}

interface NotificationListProps {
  notifications: readonly NotificationView[];
  hasMore: boolean;
  isBusy: boolean;
  onMore: () => void;
  onFollow: () => void;
}

function NotificationList({ notifications, hasMore, isBusy, onMore, onFollow }: NotificationListProps) {
  const t = useText();
  const now = useNow(minuteMs);
  const list = useRef<HTMLUListElement>(null);
  const [shownBefore, setShownBefore] = useState<number | null>(null);

  // The button that was pressed may be gone: on with the first of what it brought.
  useEffect(() => {
    if (shownBefore === null || notifications.length <= shownBefore) return;
    list.current?.children[shownBefore]?.querySelector('a')?.focus();
    setShownBefore(null);
  }, [shownBefore, notifications.length]);

  if (notifications.length === 0)
    return (
      <EmptyState text={t('Nothing new')} hint={t('New matches, likes and answers to your reports show up here.')} />
    );
  return (
    <>
      <ul ref={list} className={classes.list}>
        {notifications.map((notification) => (
          <NotificationRow key={notification._id} notification={notification} now={now} onFollow={onFollow} />
        ))}
      </ul>
      {hasMore && (
        <Button
          className={classes.more ?? ''}
          variant="default"
          aria-disabled={isBusy || undefined}
          onClick={() => {
            setShownBefore(notifications.length);
            onMore();
          }}
        >
          {t('Show more')}
        </Button>
      )}
    </>
  );
}

/** What the member was told of, newest first, over the page. */
export function NotificationPanel({ onClose }: { onClose: () => void }) {
  const t = useText();
  const { query, more, isBusy, see, seeAll } = useNotifications();
  const readAll = useCommand();
  const unread = useNews((news) => news.unread ?? 0);
  const isAnyNew = unread > 0 || query.data?.notifications.some(({ isRead }) => !isRead) === true;

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
          <Button component={Link} to="/app/settings#notifications" variant="subtle" onClick={onClose}>
            {t('Settings')}
          </Button>
          {isAnyNew && (
            <Button
              variant="default"
              aria-disabled={readAll.isPending || undefined}
              onClick={() => void readAll.run(seeAll)}
            >
              {t('Mark all as read')}
            </Button>
          )}
        </>
      }
    >
      {/* What is behind an open dialog is not heard. */}
      <Arrival />
      {readAll.error !== null && (
        <div className={classes.problem}>
          <Notice kind="error">{t('They could not be marked as read: {error}', { error: t(readAll.error) })}</Notice>
        </div>
      )}
      <QueryStates
        query={query}
        loadingText={t('Loading your notifications...')}
        skeleton={<Skeleton />}
        errorText={(error) => t('Your notifications could not be loaded: {error}', { error })}
      >
        {({ notifications, nextCursor }) => (
          <NotificationList
            notifications={notifications}
            hasMore={nextCursor !== null}
            isBusy={isBusy}
            onMore={more}
            onFollow={follow}
          />
        )}
      </QueryStates>
    </Dialog>
  );
}
