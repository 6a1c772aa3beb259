import { t } from '@lingui/core/macro';
import { useQuery } from '@tanstack/react-query';
import { Link, useLocation, useNavigate, useParams } from 'react-router';
import { type CameFrom, useWayBack } from '../../features/moderation/queue/way-back.tsx';
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
  const { from } = (useLocation().state as CameFrom | null) ?? {};
  const list = from?.startsWith('/reports') ? from : '/reports';
  const back = useWayBack({ to: '/reports', children: t`All reports` });
  const query = useQuery(reportFileQuery(id));

  return (
    <DetailScreen
      back={back}
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
          onDeleted={() => void navigate(list, { replace: true, state: { deleted: shortReportId(id) } })}
          aside={<HistoryPanel id={id} lead={t`What staff viewed and changed on this report`} />}
        />
      )}
    </DetailScreen>
  );
}
