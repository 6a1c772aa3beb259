import { t } from '@lingui/core/macro';
import { useMay } from '../../api/session/permission.ts';
import { Tabs } from '../../ui/layout/Tabs.tsx';

/** Links to the two kinds of rules and the help lines, each for those who may edit them; others see only the community rules. */
export function RuleTabs() {
  const mayEditLines = useMay('service.edit');
  if (!useMay('rules.edit')) return null;
  return (
    <Tabs
      label={t`Rules`}
      tabs={[
        { to: '/rules', text: t`Community rules` },
        { to: '/rules/automatic', text: t`Automatic rules` },
        ...(mayEditLines ? [{ to: '/rules/help-lines', text: t`Help lines` }] : []),
      ]}
    />
  );
}
