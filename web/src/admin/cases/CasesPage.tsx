import { Link } from 'react-router';
import { caseListKeys } from '../../features/moderation/cases/case-words.ts';
import { CasesBrowser } from '../../features/moderation/cases/CasesBrowser.tsx';
import { OwnCases } from '../../features/moderation/cases/OwnCases.tsx';
import { KeysButton } from '../../ui/feedback/KeysButton.tsx';
import { Page } from '../../ui/layout/Page.tsx';
import { t } from '../../ui/text/text.ts';

/** The queue of cases. */
export function CasesPage() {
  return (
    <Page
      title={t('Cases')}
      actions={
        <>
          <Link to="/rules">{t('Community rules')}</Link>
          <KeysButton keys={caseListKeys} hasForms={false} />
        </>
      }
    >
      <CasesBrowser />
      <OwnCases />
    </Page>
  );
}
