import { useParams } from 'react-router';
import { ApiError } from '../../api/api-error.ts';
import { AnswerBox } from '../../features/support/AnswerBox.tsx';
import { Conversation, ReportSummary } from '../../features/support/ReportDetail.tsx';
import { isFromSupport, shortReportId } from '../../features/support/words.ts';
import { useOwnReport, withAnswer } from '../../features/support/queries.ts';
import { Bone, EmptyState, QueryStates } from '../../ui/feedback/PageStates.tsx';
import { useText } from '../../ui/text/text.ts';
import { NarrowPage } from '../layout/NarrowPage.tsx';
import classes from '../../features/support/support.module.css';

function Skeleton() {
  return (
    <div className={classes.pageSkeleton}>
      <Bone height="11rem" />
      <Bone width="80%" height="8rem" />
      <Bone width="80%" height="8rem" />
      <Bone height="12rem" />
    </div>
  );
}

function OneReport({ id }: { id: string }) {
  const t = useText();
  const query = useOwnReport(id);
  const isUnknown = query.error instanceof ApiError && query.error.status === 404;

  return (
    <NarrowPage
      title={t('Report #{id}', { id: shortReportId(id) })}
      back={{ to: '/app/support', text: t('All your reports') }}
    >
      {isUnknown ? (
        <EmptyState isFramed text={t('There is no such report.')} />
      ) : (
        <QueryStates
          query={query}
          loadingText={t('Loading your report...')}
          skeleton={<Skeleton />}
          errorText={(error) => t('Your report could not be loaded: {error}', { error })}
        >
          {({ report, conversation }) => (
            <>
              <ReportSummary report={report} isAnswered={conversation.some(isFromSupport)} />
              <Conversation entries={conversation} />
              <AnswerBox reportId={id} onSent={(answered) => query.change((shown) => withAnswer(shown, answered))} />
            </>
          )}
        </QueryStates>
      )}
    </NarrowPage>
  );
}

/** One of the member's reports: how it stands, what was said, and a place to answer. */
export function SupportReportPage() {
  const { id = '' } = useParams();
  return <OneReport key={id} id={id} />;
}
