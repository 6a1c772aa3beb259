import { Rules } from '../../features/moderation/cases/Rules.tsx';
import { useMay } from '../../api/session/permission.ts';
import { Page } from '../../ui/layout/Page.tsx';
import { t } from '../../ui/text/text.ts';

/** The community rules that decisions refer to. */
export function RulesPage() {
  const mayEdit = useMay('rules.edit');
  return (
    <Page title={t('Community rules')}>
      <Rules mayEdit={mayEdit} />
    </Page>
  );
}
