import { t } from '@lingui/core/macro';
import { Link } from 'react-router';
import { Box, Button, Group, Stack, Text, ThemeIcon } from '@mantine/core';
import type { NotificationView } from '#contract/notifications.ts';
import { Avatar } from '../../ui/data/Avatar.tsx';
import { InfiniteList } from '../../ui/data/InfiniteList.tsx';
import { Tag } from '../../ui/data/Tag.tsx';
import { Dialog } from '../../ui/feedback/Dialog.tsx';
import { ErrorNotice } from '../../ui/feedback/Notice.tsx';
import { EmptyState, QueryStates, Skeleton } from '../../ui/feedback/PageStates.tsx';
import { RowLink } from '../../ui/layout/Rows.tsx';
import { formatDate, formatExactTime } from '../../ui/text/format.ts';
import { locale } from '../../ui/text/text.ts';
import { useNow } from '../../ui/data/Time.tsx';
import { Arrival, kindOf, notificationText } from './kinds.tsx';
import { useNewestNotification, useNotifications } from './queries.ts';

const minuteMs = 60_000;
const hourMs = 60 * minuteMs;
const dayMs = 24 * hourMs;
const weekMs = 7 * dayMs;
const pictureSize = 44;

/** The age of a notification as text; after a week, its date. */
function agoText(time: string, now: number): string {
  const passedMs = Math.max(0, now - Date.parse(time));
  if (passedMs < minuteMs) return t`Just now`;
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
    <ThemeIcon
      size={44}
      bg={isQuiet ? 'var(--hw-sunken)' : 'var(--hw-accent-soft)'}
      c={isQuiet ? 'dimmed' : 'var(--hw-accent)'}
    >
      <Icon size={22} stroke={1.75} aria-hidden="true" />
    </ThemeIcon>
  );
}

interface NotificationRowProps {
  notification: NotificationView;
  now: number;
  onFollow: () => void;
}

/** What happened and when, whether it is new, and a link to the related page. */
function NotificationRow({ notification, now, onFollow }: NotificationRowProps) {
  const { kind, subjectId, at, isRead } = notification;
  return (
    <li>
      <RowLink to={kindOf(kind).path(subjectId ?? '')} onClick={onFollow}>
        <Sign notification={notification} />
        <Stack component="span" gap="0.1rem" flex={1} miw={0}>
          <Text component="span" lh={1.35} fw={isRead ? 400 : 600}>
            {notificationText(notification)}
          </Text>
          <Group component="span" gap="0.2rem 0.6rem">
            <Text component="time" c="dimmed" fz="small" dateTime={at} title={formatExactTime(at)}>
              {agoText(at, now)}
            </Text>
            {!isRead && (
              <Tag tone="accent" hasDot>
                {t`New`}
              </Tag>
            )}
          </Group>
        </Stack>
      </RowLink>
    </li>
  );
}

function LoadingSkeleton() {
  return (
    <Stack gap="0.6rem">
      <Skeleton height="3.75rem" />
      <Skeleton height="3.75rem" />
      <Skeleton height="3.75rem" />
    </Stack>
  );
}

/** The member's notifications, newest first, in a panel over the page. */
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
      title={t`Notifications`}
      size="popover"
      onClose={onClose}
      actions={
        <>
          <Button component={Link} to="/app/settings/notifications" variant="subtle" onClick={onClose}>
            {t`Settings`}
          </Button>
          {isAnyNew && (
            <Button
              variant="default"
              aria-disabled={readAll.isPending || undefined}
              onClick={() => readAll.isPending || readAll.mutate()}
            >
              {t`Mark all as read`}
            </Button>
          )}
        </>
      }
    >
      {/* Screen readers do not announce changes behind an open dialog. */}
      <Arrival />
      {readAll.error !== null && (
        <Box mb="0.75rem">
          <ErrorNotice error={readAll.error} text={(error) => t`Couldn't mark them as read: ${error}`} />
        </Box>
      )}
      <QueryStates
        query={{ ...query, data: notifications }}
        loadingText={t`Loading your notifications...`}
        skeleton={<LoadingSkeleton />}
        errorText={(error) => t`Couldn't load your notifications: ${error}`}
      >
        {(shown) =>
          shown.length === 0 ? (
            <EmptyState text={t`Nothing new`} hint={t`New matches, likes and answers to your reports show up here.`} />
          ) : (
            <InfiniteList query={query} margin="0.75rem 0 0">
              <Stack component="ul" gap="0.15rem" mx="-0.6rem">
                {shown.map((notification) => (
                  <NotificationRow key={notification._id} notification={notification} now={now} onFollow={follow} />
                ))}
              </Stack>
            </InfiniteList>
          )
        }
      </QueryStates>
    </Dialog>
  );
}
