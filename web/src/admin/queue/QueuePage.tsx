import { t } from '@lingui/core/macro';
import { Navigate, useParams } from 'react-router';
import { may } from '#contract/roles.ts';
import { queueKinds } from '#contract/moderation/queue.ts';
import { useOwnRole } from '../../api/session/permission.ts';
import { PictureQueue, pictureQueueKeys } from '../../features/moderation/pictures/PictureQueue.tsx';
import { queuePlaces, useQueue } from '../../features/moderation/queue/queue-data.ts';
import { QueueTabs } from '../../features/moderation/queue/QueueTabs.tsx';
import { SelfieQueue, selfieQueueKeys } from '../../features/moderation/selfies/SelfieQueue.tsx';
import { KeysButton } from '../../ui/feedback/KeysButton.tsx';
import { Skeleton } from '../../ui/feedback/PageStates.tsx';
import { Page } from '../../ui/layout/Page.tsx';

/** Redirects to the first kind of work that has waiting items. */
function FirstQueue() {
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

/** The pictures that wait for review, the selfies that wait for a comparison with them, or the first queue with work. */
export function QueuePage() {
  const { kind } = useParams();
  const role = useOwnRole();
  if (kind === 'pictures' && may(role, queueKinds.pictures))
    return (
      <Page title={t`Pictures`} actions={<KeysButton keys={pictureQueueKeys} />}>
        <QueueTabs current="pictures" />
        <PictureQueue />
      </Page>
    );
  if (kind === 'verification' && may(role, queueKinds.verification))
    return (
      <Page title={t`Verification`} actions={<KeysButton keys={selfieQueueKeys} />}>
        <QueueTabs current="verification" />
        <SelfieQueue />
      </Page>
    );
  return <FirstQueue />;
}
