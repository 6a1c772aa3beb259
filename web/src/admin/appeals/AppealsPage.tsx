import { appealListKeys } from '../../features/moderation/appeals/appeal-words.ts';
import { AppealsBrowser } from '../../features/moderation/appeals/AppealsBrowser.tsx';
import { KeysButton } from '../../ui/feedback/KeysButton.tsx';
import { Page } from '../../ui/layout/Page.tsx';
import { t } from '../../ui/text/text.ts';

/** The queue of appeals. */
export function AppealsPage() {
  return (
    <Page title={t('Appeals')} actions={<KeysButton keys={appealListKeys} hasForms={false} />}>
      <AppealsBrowser />
    </Page>
  );
}
