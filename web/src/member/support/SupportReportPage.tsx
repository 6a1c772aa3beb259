import { t } from '@lingui/core/macro';
import { Stack } from '@mantine/core';
import { useParams } from 'react-router';
import { getReportAppeal } from '#contract/moderation/appeals.ts';
import { useEndpoint } from '../../api/endpoint-query.ts';
import { ApiError } from '../../api/api-error.ts';
import { AppealBox } from '../../features/moderation/statements/AppealBox.tsx';
import { useAppeal, useWithdraw } from '../../features/moderation/statements/queries.ts';
import { AnswerBox, Conversation, ReportSummary } from '../../features/moderation/own-reports/ReportDetail.tsx';
import { useOwnReport } from '../../features/moderation/own-reports/queries.ts';
import { isFromSupport, shortReportId } from '../../features/moderation/own-reports/words.ts';
import { EmptyState, QueryStates, Skeleton } from '../../ui/feedback/PageStates.tsx';
import { NarrowPage } from '../layout/NarrowPage.tsx';

function ReportSkeleton() {
  return (
    <Stack gap="1.25rem">
      <Skeleton height="11rem" />
      <Skeleton width="80%" height="8rem" />
      <Skeleton width="80%" height="8rem" />
      <Skeleton height="12rem" />
    </Stack>
  );
}

/** Offers reporters an appeal if we decided not to act on their report. */
function ReportAppeal({ reportId }: { reportId: string }) {
  const right = useEndpoint(getReportAppeal, { params: { id: reportId } }, { staleTime: 0 }).data?.right;
  const appeal = useAppeal();
  const withdraw = useWithdraw();
  if (right == null || (!right.mayAppeal && right.appeal === null)) return null;
  return (
    <AppealBox
      right={right}
      lead={t`We decided not to act on this report. Do you disagree?`}
      send={(text) => appeal.mutateAsync({ decisionId: right.decisionId, text })}
      withdraw={(id) => withdraw.mutateAsync(id)}
    />
  );
}

function OneReport({ id }: { id: string }) {
  const query = useOwnReport(id);
  const isFromTeam = query.data !== undefined && 'isFromTeam' in query.data.report && query.data.report.isFromTeam;
  const isUnknown = query.error instanceof ApiError && query.error.status === 404;

  return (
    <NarrowPage
      title={isFromTeam ? t`Conversation #${{ id: shortReportId(id) }}` : t`Report #${{ id: shortReportId(id) }}`}
      back={{ to: '/app/support', text: t`All your reports` }}
    >
      {isUnknown ? (
        <EmptyState isFramed text={t`Report not found.`} />
      ) : (
        <QueryStates
          query={query}
          loadingText={t`Loading your report...`}
          skeleton={<ReportSkeleton />}
          errorText={(error) => t`Couldn't load your report: ${error}`}
        >
          {({ report, conversation }) => (
            <>
              <ReportSummary report={report} isAnswered={conversation.slice(1).some(isFromSupport)} />
              <Conversation entries={conversation} />
              <ReportAppeal reportId={id} />
              <AnswerBox reportId={id} />
            </>
          )}
        </QueryStates>
      )}
    </NarrowPage>
  );
}

/** One of the member's reports: its status, the conversation, and a box to reply. */
export function SupportReportPage() {
  const { id = '' } = useParams();
  return <OneReport key={id} id={id} />;
}
