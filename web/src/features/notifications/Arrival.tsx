import type { NotificationView } from '#contract/notifications.ts';
import { t } from '../../ui/text/text.ts';
import { useNewestNotification } from './queries.ts';

/** The text of a notification. */
export function notificationText({ kind, user }: NotificationView): string {
  if (kind === 'like') return t('Someone likes you');
  if (kind === 'report') return t('Update on your report');
  if (kind === 'export') return t('Your data is ready to download');
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
