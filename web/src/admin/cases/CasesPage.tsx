import { t } from '@lingui/core/macro';
import { caseListKeys } from '../../features/moderation/cases/case-words.ts';
import { CasesBrowser } from '../../features/moderation/cases/CasesBrowser.tsx';
import { QueueTabs } from '../../features/moderation/queue/QueueTabs.tsx';
import { KeysButton } from '../../ui/feedback/KeysButton.tsx';
import { Page } from '../../ui/layout/Page.tsx';
import { lazyPart } from '../../ui/loading/LazyBoundary.tsx';

// Only lists of closed cases are searched by a person.
const [UserPicker] = lazyPart(async () => (await import('../../features/profiles/staff/UserPicker.tsx')).UserPicker);

/** The queue of cases. */
export function CasesPage() {
  return (
    <Page title={t`Cases`} actions={<KeysButton keys={caseListKeys} hasForms={false} />}>
      <QueueTabs current="cases" />
      <CasesBrowser userPicker={(onPick) => <UserPicker label={t`Person`} onPick={onPick} />} />
    </Page>
  );
}
