import { Rules } from '../../features/moderation/cases/Rules.tsx';
import { TemplateList } from '../../features/moderation/reports/TemplateList.tsx';
import { useMay } from '../../api/session/permission.ts';
import { Page } from '../../ui/layout/Page.tsx';
import { t } from '../../ui/text/text.ts';

/** The community rules that decisions refer to, and the templates of replies. */
export function RulesPage() {
  const mayEdit = useMay('rules.edit');
  return (
    <Page title={t('Community rules')}>
      <Rules mayEdit={mayEdit} />
      <TemplateList mayEdit={mayEdit} />
    </Page>
  );
}
