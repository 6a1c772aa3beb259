import { t } from '@lingui/core/macro';
import { AppealsBrowser } from '../../features/moderation/appeals/AppealsBrowser.tsx';
import { appealListKeys } from '../../features/moderation/appeals/appeal-words.ts';
import { QueueTabs } from '../../features/moderation/queue/QueueTabs.tsx';
import { KeysButton } from '../../ui/feedback/KeysButton.tsx';
import { Page } from '../../ui/layout/Page.tsx';

/** The queue of appeals. */
export function AppealsPage() {
  return (
    <Page title={t`Appeals`} actions={<KeysButton keys={appealListKeys} hasForms={false} />}>
      <QueueTabs current="appeals" />
      <AppealsBrowser />
    </Page>
  );
}
