import { notificationText } from './kinds.ts';
import { useNewestNotification } from './queries.ts';

/** Announces each notification that arrives to screen readers, once. */
export function Arrival() {
  const arrived = useNewestNotification()?.arrived ?? null;
  return (
    <span aria-live="polite" className="visually-hidden">
      {arrived !== null && <span key={`${arrived._id} ${arrived.at}`}>{notificationText(arrived)}</span>}
    </span>
  );
}
