import { t } from '@lingui/core/macro';
import { CountBadge } from '../../../ui/data/Tag.tsx';
import { useQueue } from './queue-data.ts';

/** How much waits altogether, beside the link to the queue. */
export function QueueBadge() {
  const { counts = {} } = useQueue();
  const count = Object.values(counts).reduce((sum, one) => sum + one, 0);
  return <CountBadge count={count} text={t`${{ count }} waiting`} />;
}
