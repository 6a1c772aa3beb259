import { t } from '@lingui/core/macro';
import { ServiceEditor } from '../../features/service/staff/ServiceEditor.tsx';
import { Page } from '../../ui/layout/Page.tsx';
import { ServiceTabs } from './ServiceTabs.tsx';

/** The settings that an owner can change about the service. */
export function ServicePage() {
  return (
    <Page title={t`Service`}>
      <ServiceTabs />
      <ServiceEditor />
    </Page>
  );
}
