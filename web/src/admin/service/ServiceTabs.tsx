import { t } from '@lingui/core/macro';
import { useLocation } from 'react-router';
import { Tabs } from '../../ui/layout/Tabs.tsx';

/** Links to the settings of the service and to its texts. */
export function ServiceTabs() {
  const { pathname } = useLocation();
  const tabs = [
    { to: '/service', text: t`Settings` },
    { to: '/service/texts', text: t`Texts` },
  ];
  return <Tabs label={t`Service`} tabs={tabs.map((tab) => ({ ...tab, isCurrent: tab.to === pathname }))} />;
}
