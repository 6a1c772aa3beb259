import { t } from '@lingui/core/macro';
import { useQuery } from '@tanstack/react-query';
import type { MouseEvent } from 'react';
import { Link, useLocation, useNavigate, useParams } from 'react-router';
import { shortReportId } from '../../features/moderation/reports/report-words.ts';
import { ReportFile } from '../../features/moderation/reports/ReportFile.tsx';
import { reportFileQuery } from '../../features/moderation/reports/report-data.ts';
import { Columns } from '../../ui/layout/Page.tsx';
import { Skeleton } from '../../ui/feedback/PageStates.tsx';
import { DetailScreen, HistoryPanel } from '../DetailScreen.tsx';

function LoadingSkeleton() {
  return (
    <Columns>
      <Skeleton height="19rem" />
      <Skeleton height="16rem" />
      <Skeleton height="12rem" />
      <Skeleton height="24rem" />
    </Columns>
  );
}

/** One report, with everything staff may see and do. */
export function ReportPage() {
  const navigate = useNavigate();
  const { id = '' } = useParams();
  const { from } = (useLocation().state as { from?: string } | null) ?? {};
  const query = useQuery(reportFileQuery(id));

  /** Links back to the list, in its previous state if the user came from it. */
  function goBack(event: MouseEvent) {
    if (from === undefined || event.metaKey || event.ctrlKey || event.shiftKey) return;
    event.preventDefault();
    void navigate(-1);
  }

  return (
    <DetailScreen
      back={{ to: from ?? '/reports', onClick: goBack, children: t`All reports` }}
      title={t`Report #${{ id: shortReportId(id) }}`}
      missingTitle={t`Report not found`}
      missing={{
        text: t`There is no such report. It may have been deleted.`,
        action: <Link to="/reports">{t`See all reports`}</Link>,
      }}
      query={query}
      loadingText={t`Loading report...`}
      skeleton={<LoadingSkeleton />}
      errorText={(error) => t`Error loading report: ${error}`}
    >
      {(file) => (
        <ReportFile
          key={file.report._id}
          file={file}
          onDeleted={() => void navigate(from ?? '/reports', { replace: true, state: { deleted: shortReportId(id) } })}
          aside={<HistoryPanel id={id} lead={t`What staff viewed and changed on this report`} />}
        />
      )}
    </DetailScreen>
  );
}
