import { t } from '@lingui/core/macro';
import { Rules } from '../../features/moderation/cases/Rules.tsx';
import { TagList } from '../../features/moderation/user-file/TagList.tsx';
import { TemplateList } from '../../features/moderation/reports/TemplateList.tsx';
import { useMay } from '../../api/session/permission.ts';
import { Page } from '../../ui/layout/Page.tsx';
import { RuleTabs } from './RuleTabs.tsx';

/** The community rules that decisions refer to, the templates of replies, and the tags. */
export function RulesPage() {
  const mayEdit = useMay('rules.edit');
  const mayEditTags = useMay('tags.manage');
  return (
    <Page title={t`Community rules`}>
      <RuleTabs />
      <Rules mayEdit={mayEdit} />
      <TemplateList mayEdit={mayEdit} />
      <TagList mayEdit={mayEditTags} />
    </Page>
  );
}
