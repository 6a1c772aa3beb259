import { t } from '@lingui/core/macro';
import { Tabs } from '../../ui/layout/Tabs.tsx';

/** Links to the settings of the service and to its texts. */
export const ServiceTabs = () => (
  <Tabs
    label={t`Service`}
    tabs={[
      { to: '/service', text: t`Settings` },
      { to: '/service/texts', text: t`Texts` },
    ]}
  />
);
