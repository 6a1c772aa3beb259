import { t } from '@lingui/core/macro';
import { useLocation, useParams } from 'react-router';
import { getAppeal } from '#contract/moderation/appeals.ts';
import { useEndpoint } from '../../api/endpoint-query.ts';
import { ApiError } from '../../api/api-error.ts';
import { useSession } from '../../features/auth/session/session.ts';
import { AppealFile } from '../../features/moderation/appeals/AppealFile.tsx';
import { appealKeys } from '../../features/moderation/appeals/appeal-words.ts';
import { personWord } from '../../features/moderation/reports/report-words.ts';
import { KeysButton } from '../../ui/feedback/KeysButton.tsx';
import { LastUpdated } from '../../ui/feedback/LastUpdated.tsx';
import { EmptyState, QueryStates, Skeleton } from '../../ui/feedback/PageStates.tsx';
import { Breadcrumb, Page } from '../../ui/layout/Page.tsx';

/** One appeal, with everything needed to decide it. */
export function AppealPage() {
  const { id = '' } = useParams();
  const { from } = (useLocation().state as { from?: string } | null) ?? {};
  const viewerId = useSession((session) => session.user?._id);
  // Opening it is recorded, so it is not loaded again without need.
  const query = useEndpoint(getAppeal, { params: { id } }, { staleTime: 60_000, refetchOnWindowFocus: false });
  const isMissing = query.data === undefined && query.error instanceof ApiError && query.error.status === 404;
  const name = query.data && personWord(query.data.person);
  return (
    <>
      <Breadcrumb to={from ?? '/appeals'}>{t`All appeals`}</Breadcrumb>
      <Page
        title={isMissing ? t`Appeal not found` : name === undefined ? t`Appeal` : t`Appeal in the case about ${name}`}
        actions={
          !isMissing && (
            <>
              <LastUpdated query={query} />
              <KeysButton keys={appealKeys} />
            </>
          )
        }
      >
        {isMissing ? (
          <EmptyState isFramed text={t`Appeal not found.`} />
        ) : (
          <QueryStates
            query={query}
            loadingText={t`Loading appeal...`}
            skeleton={<Skeleton height="26rem" />}
            errorText={(error) => t`Error loading appeal: ${error}`}
          >
            {(file) => <AppealFile key={file.appeal._id} file={file} viewerId={viewerId} />}
          </QueryStates>
        )}
      </Page>
    </>
  );
}
