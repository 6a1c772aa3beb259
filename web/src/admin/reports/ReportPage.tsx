import { t } from '@lingui/core/macro';
import { useQuery } from '@tanstack/react-query';
import type { MouseEvent } from 'react';
import { Link, useLocation, useNavigate, useParams } from 'react-router';
import { ApiError } from '../../api/api-error.ts';
import { useMay } from '../../api/session/permission.ts';
import { shortReportId } from '../../features/moderation/reports/report-words.ts';
import { ReportFile, ReportNotFound } from '../../features/moderation/reports/ReportFile.tsx';
import { reportFileQuery } from '../../features/moderation/reports/report-data.ts';
import { LastUpdated } from '../../ui/feedback/LastUpdated.tsx';
import { Breadcrumb, Columns, Page, Panel } from '../../ui/layout/Page.tsx';
import { QueryStates, Skeleton } from '../../ui/feedback/PageStates.tsx';

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
  const maySeeAudit = useMay('audit.view');
  const query = useQuery(reportFileQuery(id));
  const isMissing = query.data === undefined && query.error instanceof ApiError && query.error.status === 404;

  /** Links back to the list, in its previous state if the user came from it. */
  function goBack(event: MouseEvent) {
    if (from === undefined || event.metaKey || event.ctrlKey || event.shiftKey) return;
    event.preventDefault();
    void navigate(-1);
  }

  return (
    <>
      <Breadcrumb to={from ?? '/reports'} onClick={goBack}>
        {t`All reports`}
      </Breadcrumb>
      <Page
        title={isMissing ? t`Report not found` : t`Report #${{ id: shortReportId(id) }}`}
        actions={!isMissing && <LastUpdated query={query} />}
      >
        {isMissing ? (
          <ReportNotFound />
        ) : (
          <QueryStates
            query={query}
            loadingText={t`Loading report...`}
            skeleton={<LoadingSkeleton />}
            errorText={(error) => t`Error loading report: ${error}`}
          >
            {(file) => (
              <ReportFile
                key={file.report._id}
                file={file}
                onDeleted={() =>
                  void navigate(from ?? '/reports', { replace: true, state: { deleted: shortReportId(id) } })
                }
                aside={
                  maySeeAudit && (
                    <Panel title={t`History`} lead={t`What staff viewed and changed on this report`}>
                      <Link to={`/audit?targetId=${encodeURIComponent(id)}`}>{t`Open in the audit trail`}</Link>
                    </Panel>
                  )
                }
              />
            )}
          </QueryStates>
        )}
      </Page>
    </>
  );
}
