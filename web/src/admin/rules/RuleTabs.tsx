import { msg, t } from '@lingui/core/macro';
import { useLocation } from 'react-router';
import { useMay } from '../../api/session/permission.ts';
import { Tabs } from '../../ui/layout/Tabs.tsx';

const rules = [
  { path: '/rules', text: msg`Community rules` },
  { path: '/rules/automatic', text: msg`Automatic rules` },
];
const tabs = [...rules, { path: '/rules/help-lines', text: msg`Help lines` }];

/** Links to the two kinds of rules and the help lines, each for those who may edit them; others see only the community rules. */
export function RuleTabs() {
  const { pathname } = useLocation();
  const mayEditLines = useMay('service.edit');
  if (!useMay('rules.edit')) return null;
  return (
    <Tabs
      label={t`Rules`}
      tabs={(mayEditLines ? tabs : rules).map(({ path, text }) => ({
        to: path,
        text: t(text),
        isCurrent: path === pathname,
      }))}
    />
  );
}
