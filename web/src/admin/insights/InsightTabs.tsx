import type { MessageDescriptor } from '@lingui/core';
import { msg, t } from '@lingui/core/macro';
import { useLocation } from 'react-router';
import { may, type Permission } from '#contract/roles.ts';
import { useOwnRole } from '../../api/session/permission.ts';
import { Tabs } from '../../ui/layout/Tabs.tsx';

const tabs: readonly { path: string; text: MessageDescriptor; needs: Permission }[] = [
  { path: '/insights', text: msg`Growth`, needs: 'dashboard.view' },
  { path: '/insights/revenue', text: msg`Revenue`, needs: 'revenue.view' },
  { path: '/insights/safety', text: msg`Safety`, needs: 'safety.view' },
  { path: '/insights/matching', text: msg`Matching`, needs: 'matching.view' },
];

/** Links to the parts of the insights that a role may see. The chosen days and group stay, except on matching. */
export function InsightTabs() {
  const role = useOwnRole();
  const { search } = useLocation();
  return (
    <Tabs
      label={t`Insights`}
      tabs={tabs
        .filter(({ needs }) => may(role, needs))
        .map(({ path, text }) => ({ to: { pathname: path, search }, text: t(text) }))}
    />
  );
}
