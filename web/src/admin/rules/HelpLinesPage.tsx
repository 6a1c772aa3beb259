import { t } from '@lingui/core/macro';
import { HelpLineList } from '../../features/moderation/help-lines/HelpLineList.tsx';
import { Page } from '../../ui/layout/Page.tsx';
import { RuleTabs } from './RuleTabs.tsx';

/** The help lines of the safety center. */
export function HelpLinesPage() {
  return (
    <Page title={t`Help lines`}>
      <RuleTabs />
      <HelpLineList />
    </Page>
  );
}
