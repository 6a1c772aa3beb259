import { t } from '@lingui/core/macro';
import { ActionIcon } from '@mantine/core';
import { IconBell } from '@tabler/icons-react';
import { useState } from 'react';
import { CountBadge } from '../../ui/data/Tag.tsx';
import { lazyPart } from '../../ui/loading/LazyBoundary.tsx';
import classes from './notifications.module.css';
import { Arrival } from './kinds.tsx';
import { useNewestNotification } from './queries.ts';

const [NotificationPanel, preloadNotificationPanel] = lazyPart(
  async () => (await import('./NotificationPanel.tsx')).NotificationPanel,
);

/** The server stops counting at this number. */
const countedMost = 100;

function bellText(unread: number): string {
  if (unread === 0) return t`Notifications`;
  if (unread >= countedMost) return t`Notifications, more than ${{ count: countedMost - 1 }} unread`;
  return t`Notifications, ${{ count: unread }} unread`;
}

/** A button with the number of unread notifications that opens the list. A new notification is announced once. */
export function Bell() {
  const unread = useNewestNotification()?.unread ?? 0;
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <ActionIcon
        className={classes.bell ?? ''}
        variant="subtle"
        color="gray"
        size="lg"
        aria-label={bellText(unread)}
        aria-haspopup="dialog"
        onPointerEnter={preloadNotificationPanel}
        onFocus={preloadNotificationPanel}
        onClick={() => setOpen(true)}
      >
        <IconBell size={22} stroke={1.75} />
        <span className={classes.count}>
          <CountBadge count={unread} text={undefined} />
        </span>
      </ActionIcon>
      <Arrival />
      {isOpen && <NotificationPanel onClose={() => setOpen(false)} />}
    </>
  );
}
