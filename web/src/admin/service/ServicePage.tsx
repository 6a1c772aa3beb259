import { t } from '@lingui/core/macro';
import { ServiceEditor } from '../../features/service/staff/ServiceEditor.tsx';
import { Page } from '../../ui/layout/Page.tsx';

/** The service as its owner makes it theirs. */
export function ServicePage() {
  return (
    <Page title={t`Service`}>
      <ServiceEditor />
    </Page>
  );
}
