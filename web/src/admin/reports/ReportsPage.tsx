import { t } from '@lingui/core/macro';
import { useState } from 'react';
import { useLocation } from 'react-router';
import { KeysButton } from '../../ui/feedback/KeysButton.tsx';
import { reportListKeys } from '../../features/moderation/reports/report-words.ts';
import { ReportsBrowser } from '../../features/moderation/reports/ReportsBrowser.tsx';
import { ReportsFigures } from '../../features/moderation/reports/ReportsFigures.tsx';
import { FloatingNotice } from '../../ui/feedback/Notice.tsx';
import { Page } from '../../ui/layout/Page.tsx';

/** The list of reports by members. */
export function ReportsPage() {
  const state = useLocation().state as { deleted?: string } | null;
  const [deleted, setDeleted] = useState(state?.deleted);
  return (
    <Page title={t`Reports Management`} actions={<KeysButton keys={reportListKeys} />}>
      <ReportsFigures label={t`Key figures`} isStrip />
      <ReportsBrowser />
      {deleted !== undefined && (
        <FloatingNotice kind="success" onClose={() => setDeleted(undefined)}>
          {t`Report #${{ id: deleted }} deleted.`}
        </FloatingNotice>
      )}
    </Page>
  );
}
