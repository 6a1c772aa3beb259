import { t } from '@lingui/core/macro';
import { PictureQueue, pictureQueueKeys } from '../../features/moderation/pictures/PictureQueue.tsx';
import { QueueTabs } from '../../features/moderation/queue/QueueTabs.tsx';
import { KeysButton } from '../../ui/feedback/KeysButton.tsx';
import { Page } from '../../ui/layout/Page.tsx';

/** The queue of pictures that wait for review. */
export function PicturesPage() {
  return (
    <Page title={t`Pictures`} actions={<KeysButton keys={pictureQueueKeys} />}>
      <QueueTabs current="pictures" />
      <PictureQueue />
    </Page>
  );
}
