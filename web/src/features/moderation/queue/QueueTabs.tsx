import { t } from '@lingui/core/macro';
import { queueCountMost, type QueueKind, queueKinds } from '#contract/moderation/queue.ts';
import { Tabs } from '../../../ui/layout/Tabs.tsx';
import { countText } from '../cases/CaseMarks.tsx';
import { useQueue } from './queue-data.ts';

/** The count of a kind; for second looks it is only known whether any wait. */
function shown(kind: QueueKind, count: number | undefined): string | undefined {
  if (count === undefined || (kind === 'secondLooks' && count === 0)) return undefined;
  return kind === 'secondLooks' ? '•' : countText(count, count >= queueCountMost);
}

/** The kinds of work that wait for staff, with their counts. */
export function QueueTabs({ current }: { current: QueueKind }) {
  const { kinds, counts } = useQueue();
  return (
    <Tabs
      label={t`Queue`}
      tabs={kinds.map((kind) => ({
        to: queueKinds[kind].path,
        text: t(queueKinds[kind].text),
        isCurrent: kind === current,
        count: shown(kind, counts?.[kind]),
      }))}
    />
  );
}
