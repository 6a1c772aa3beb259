import { t } from '@lingui/core/macro';
import { Box } from '@mantine/core';
import { queueCountMost, type QueueKind } from '#contract/moderation/queue.ts';
import { ViewLink, ViewStrip } from '../../../ui/data/table/ViewLinks.tsx';
import { countText } from '../cases/CaseMarks.tsx';
import { queuePlaces, useQueue } from './queue-data.ts';

/** The count of a kind; of second looks it is only known whether any waits. */
function shown(kind: QueueKind, count: number | undefined): string | undefined {
  if (count === undefined || (kind === 'secondLooks' && count === 0)) return undefined;
  return kind === 'secondLooks' ? '•' : countText(count, count >= queueCountMost);
}

/** The kinds of work that wait for staff, with their counts. */
export function QueueTabs({ current }: { current: QueueKind }) {
  const { kinds, counts } = useQueue();
  return (
    <Box mb="0.75rem" style={{ borderBottom: '1px solid var(--hw-line)' }}>
      <ViewStrip label={t`Queue`}>
        {kinds.map((kind) => (
          <ViewLink
            key={kind}
            to={queuePlaces[kind].path}
            isCurrent={kind === current}
            count={shown(kind, counts?.[kind])}
          >
            {t(queuePlaces[kind].text)}
          </ViewLink>
        ))}
      </ViewStrip>
    </Box>
  );
}
