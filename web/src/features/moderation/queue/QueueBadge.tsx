import { t } from '@lingui/core/macro';
import { queueCountMost } from '#contract/moderation/queue.ts';
import { CountBadge } from '../../../ui/data/Tag.tsx';
import { formatNumber } from '../../../ui/text/format.ts';
import { useQueue } from './queue-data.ts';

/** How much waits altogether, beside the link to the queue. */
export function QueueBadge() {
  const { counts = {} } = useQueue();
  const count = Object.values(counts).reduce((sum, one) => sum + one, 0);
  const isAtLeast = Object.values(counts).some((one) => one >= queueCountMost);
  const shown = `${formatNumber(count)}${isAtLeast ? '+' : ''}`;
  return <CountBadge count={count} text={t`${{ count: shown }} waiting`} />;
}
