import { t } from '@lingui/core/macro';
import { lazy } from 'react';
import { Link } from 'react-router';
import { caseListKeys } from '../../features/moderation/cases/case-words.ts';
import { CasesBrowser } from '../../features/moderation/cases/CasesBrowser.tsx';
import { OwnCases } from '../../features/moderation/cases/OwnCases.tsx';
import { KeysButton } from '../../ui/feedback/KeysButton.tsx';
import { Page } from '../../ui/layout/Page.tsx';

// Only lists of closed cases are searched by a person.
const UserPicker = lazy(async () => ({
  default: (await import('../../features/profiles/staff/UserPicker.tsx')).UserPicker,
}));

/** The queue of cases. */
export function CasesPage() {
  return (
    <Page
      title={t`Cases`}
      actions={
        <>
          <Link to="/cases/notices">{t`Notices from outside`}</Link>
          <Link to="/rules">{t`Community rules`}</Link>
          <KeysButton keys={caseListKeys} hasForms={false} />
        </>
      }
    >
      <CasesBrowser userPicker={(onPick) => <UserPicker label={t`Person`} onPick={onPick} />} />
      <OwnCases />
    </Page>
  );
}
