import { t } from '@lingui/core/macro';
import { AuditBrowser } from '../../features/moderation/audit/AuditBrowser.tsx';
import { AuditCheckNotice } from '../../features/moderation/audit/AuditCheckNotice.tsx';
import { MakeReport } from '../../features/moderation/transparency/MakeReport.tsx';
import { UserPicker } from '../../features/profiles/staff/UserPicker.tsx';
import { Page } from '../../ui/layout/Page.tsx';

/** The audit trail. */
export function AuditPage() {
  return (
    <Page title={t`Audit`}>
      <AuditCheckNotice />
      <MakeReport />
      <AuditBrowser userPicker={(onPick) => <UserPicker label={t`User`} onPick={onPick} />} />
    </Page>
  );
}
