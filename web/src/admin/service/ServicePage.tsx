import { t } from '@lingui/core/macro';
import { ServiceEditor } from '../../features/service/staff/ServiceEditor.tsx';
import { Page } from '../../ui/layout/Page.tsx';
import { ServiceTabs } from './ServiceTabs.tsx';

/** The service as its owner makes it theirs. */
export function ServicePage() {
  return (
    <Page title={t`Service`}>
      <ServiceTabs />
      <ServiceEditor />
    </Page>
  );
}
