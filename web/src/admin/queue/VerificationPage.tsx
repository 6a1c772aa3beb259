import { t } from '@lingui/core/macro';
import { QueueTabs } from '../../features/moderation/queue/QueueTabs.tsx';
import { SelfieQueue, selfieQueueKeys } from '../../features/moderation/selfies/SelfieQueue.tsx';
import { KeysButton } from '../../ui/feedback/KeysButton.tsx';
import { Page } from '../../ui/layout/Page.tsx';

/** The queue of selfies that wait for a comparison with the pictures of the profile. */
export function VerificationPage() {
  return (
    <Page title={t`Verification`} actions={<KeysButton keys={selfieQueueKeys} />}>
      <QueueTabs current="verification" />
      <SelfieQueue />
    </Page>
  );
}
