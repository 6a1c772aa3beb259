import { Button } from '@mantine/core';
import { Link } from 'react-router';
import { InfiniteList } from '../../ui/data/InfiniteList.tsx';
import { Dialog } from '../../ui/feedback/Dialog.tsx';
import { ErrorNotice } from '../../ui/feedback/Notice.tsx';
import { EmptyState, QueryStates, Skeleton } from '../../ui/feedback/PageStates.tsx';
import { t } from '../../ui/text/text.ts';
import { useNow } from '../../ui/data/use-now.ts';
import classes from './notifications.module.css';
import { Arrival, NotificationRow } from './NotificationRow.tsx';
import { useNewestNotification, useNotifications } from './queries.ts';

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
