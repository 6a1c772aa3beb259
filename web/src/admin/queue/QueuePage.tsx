import { t } from '@lingui/core/macro';
import type { ComponentType } from 'react';
import { Navigate, useParams } from 'react-router';
import { may } from '#contract/roles.ts';
import { type QueueKind, queueKindNames, queueKinds } from '#contract/moderation/queue.ts';
import { useOwnRole } from '../../api/session/permission.ts';
import { PictureQueue, pictureQueueKeys } from '../../features/moderation/pictures/PictureQueue.tsx';
import { useQueue } from '../../features/moderation/queue/queue-data.ts';
import { QueueTabs } from '../../features/moderation/queue/QueueTabs.tsx';
import { SelfieQueue, selfieQueueKeys } from '../../features/moderation/selfies/SelfieQueue.tsx';
import { KeysButton } from '../../ui/feedback/KeysButton.tsx';
import type { KeyList } from '../../ui/feedback/KeysDialog.tsx';
import { Skeleton } from '../../ui/feedback/PageStates.tsx';
import { Page } from '../../ui/layout/Page.tsx';

/** The kinds whose desk is the whole page, with its keyboard shortcuts. */
const desks: Partial<Record<QueueKind, [Queue: ComponentType, keys: KeyList]>> = {
  pictures: [PictureQueue, pictureQueueKeys],
  verification: [SelfieQueue, selfieQueueKeys],
};

/** Redirects to the first kind of work that has waiting items. */
function FirstQueue() {
  const { kinds, counts, isError } = useQueue();
  const [first] = kinds;
  const next = kinds.find((kind) => (counts?.[kind] ?? 0) > 0) ?? first;
  if (next !== undefined && (counts !== undefined || isError)) return <Navigate to={queueKinds[next].path} replace />;
  return (
    <Page title={t`Queue`}>
      <Skeleton height="40rem" />
    </Page>
  );
}

/** The desk of a kind of work, or the first queue with work. */
export function QueuePage() {
  const { kind: given } = useParams();
  const role = useOwnRole();
  const kind = queueKindNames.find((one) => one === given && may(role, queueKinds[one].list));
  const desk = kind && desks[kind];
  if (kind === undefined || desk === undefined) return <FirstQueue />;
  const [Queue, keys] = desk;
  return (
    <Page title={t(queueKinds[kind].text)} actions={<KeysButton keys={keys} />}>
      <QueueTabs current={kind} />
      <Queue />
    </Page>
  );
}
