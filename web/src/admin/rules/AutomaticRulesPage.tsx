import { t } from '@lingui/core/macro';
import { AutomaticRules } from '../../features/moderation/automatic/AutomaticRules.tsx';
import { Page } from '../../ui/layout/Page.tsx';
import { RuleTabs } from './RuleTabs.tsx';

/** The rules that open cases by themselves. */
export function AutomaticRulesPage() {
  return (
    <Page title={t`Automatic rules`}>
      <RuleTabs />
      <AutomaticRules />
    </Page>
  );
}
