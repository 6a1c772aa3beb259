import { AppealsBrowser } from '../../features/moderation/appeals/AppealsBrowser.tsx';
import { Page } from '../../ui/layout/Page.tsx';
import { t } from '../../ui/text/text.ts';

/** The queue of appeals. */
export function AppealsPage() {
  return (
    <Page title={t('Appeals')}>
      <AppealsBrowser />
    </Page>
  );
}
