import { t } from '@lingui/core/macro';
import { queueCountMost, type QueueKind } from '#contract/moderation/queue.ts';
import { ViewLink, ViewStrip } from '../../../ui/data/table/ViewLinks.tsx';
import { countText } from '../cases/CaseMarks.tsx';
import { queuePlaces, useQueue } from './queue-data.ts';

/** The kinds of work that wait for staff, with their counts. */
export function QueueTabs({ current }: { current: QueueKind }) {
  const { kinds, counts } = useQueue();
  return (
    <ViewStrip label={t`Queue`}>
      {kinds.map((kind) => {
        const count = counts?.[kind];
        return (
          <ViewLink
            key={kind}
            to={queuePlaces[kind].path}
            isCurrent={kind === current}
            count={count === undefined ? undefined : countText(count, count >= queueCountMost)}
          >
            {t(queuePlaces[kind].text)}
          </ViewLink>
        );
      })}
    </ViewStrip>
  );
}
