import { Button } from '@mantine/core';
import { useEffect, useRef, useState } from 'react';
import { Link } from 'react-router';
import type { NotificationView } from '#contract/notifications.ts';
import { errorMessage } from '../../api/api-error.ts';
import { Dialog } from '../../ui/feedback/Dialog.tsx';
import { Notice } from '../../ui/feedback/Notice.tsx';
import { EmptyState, QueryStates, Skeleton } from '../../ui/feedback/PageStates.tsx';
import { t } from '../../ui/text/text.ts';
import { useNow } from '../../ui/data/use-now.ts';
import classes from './notifications.module.css';
import { Arrival, NotificationRow } from './NotificationRow.tsx';
import { useNewestNotification, useNotifications } from './queries.ts';

const minuteMs = 60_000;

function LoadingSkeleton() {
  return (
    <div className={classes.skeleton}>
      <Skeleton height="3.75rem" />
      <Skeleton height="3.75rem" />
      <Skeleton height="3.75rem" />
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
  const now = useNow(minuteMs);
  const list = useRef<HTMLUListElement>(null);
  const [shownBefore, setShownBefore] = useState<number | null>(null);

  // The pressed button may be gone: the focus moves to the first row it added.
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

/** The member's notifications, newest first, over the page. */
export function NotificationPanel({ onClose }: { onClose: () => void }) {
  const { query, notifications, see, readAll } = useNotifications();
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
          <Button component={Link} to="/app/settings#notifications" variant="subtle" onClick={onClose}>
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
          <Notice kind="error">
            {t("Couldn't mark them as read: {error}", { error: t(errorMessage(readAll.error)) })}
          </Notice>
        </div>
      )}
      <QueryStates
        query={{ ...query, data: notifications }}
        loadingText={t('Loading your notifications...')}
        skeleton={<LoadingSkeleton />}
        errorText={(error) => t("Couldn't load your notifications: {error}", { error })}
      >
        {(shown) => (
          <NotificationList
            notifications={shown}
            hasMore={query.hasNextPage}
            isBusy={query.isFetching}
            onMore={() => query.isFetching || void query.fetchNextPage()}
            onFollow={follow}
          />
        )}
      </QueryStates>
    </Dialog>
  );
}
