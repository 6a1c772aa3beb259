import { t } from '@lingui/core/macro';
import { CountBadge } from '../../../ui/data/Tag.tsx';
import { useWaiting } from './queue-data.ts';

/** The total number of waiting items, next to the link to the queue. */
export function QueueBadge() {
  const { count, shown } = useWaiting();
  return <CountBadge count={count} text={t`${{ count: shown }} waiting`} />;
}
