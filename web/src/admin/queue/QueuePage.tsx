import { t } from '@lingui/core/macro';
import { Navigate } from 'react-router';
import { queuePlaces, useQueue } from '../../features/moderation/queue/queue-data.ts';
import { Skeleton } from '../../ui/feedback/PageStates.tsx';
import { Page } from '../../ui/layout/Page.tsx';

/** Leads to the first kind of work of which something waits. */
export function QueuePage() {
  const { kinds, counts, isError } = useQueue();
  const [first] = kinds;
  const next = kinds.find((kind) => (counts?.[kind] ?? 0) > 0) ?? first;
  if (next !== undefined && (counts !== undefined || isError)) return <Navigate to={queuePlaces[next].path} replace />;
  return (
    <Page title={t`Queue`}>
      <Skeleton height="40rem" />
    </Page>
  );
}
