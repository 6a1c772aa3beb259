import { t } from '@lingui/core/macro';
import { Button } from '@mantine/core';
import { Link, useSearchParams } from 'react-router';
import { StatementList } from '../../features/moderation/statements/StatementList.tsx';
import { useMyReports } from '../../features/moderation/own-reports/queries.ts';
import { ReloadNotice, ReportList, ReportsSkeleton } from '../../features/moderation/own-reports/ReportList.tsx';
import { EmptyPlace } from '../../ui/feedback/EmptyPlace.tsx';
import { QueryStates } from '../../ui/feedback/PageStates.tsx';
import { NarrowPage } from '../layout/NarrowPage.tsx';

const mostPages = 50;

/** The number of pages to show, from the address; an invalid value counts as one. */
function pagesOf(param: string | null): number {
  const pages = Number(param ?? '1');
  return Number.isInteger(pages) && pages >= 1 ? Math.min(pages, mostPages) : 1;
}

/** The member's own reports, and the link to write a new one. */
export function SupportPage() {
  const [params, setParams] = useSearchParams();
  const pages = pagesOf(params.get('pages'));
  const query = useMyReports(pages);
  const onMore = () => setParams({ pages: String(pages + 1) }, { replace: true, preventScrollReset: true });

  return (
    <NarrowPage
      title={t`Support`}
      lead={t`What you reported, and what our team wrote to you. A person reads every report.`}
      actions={
        <Button component={Link} to="/app/support/new">
          {t`Report a problem`}
        </Button>
      }
    >
      <StatementList />
      <QueryStates
        query={query}
        loadingText={t`Loading your reports...`}
        skeleton={<ReportsSkeleton />}
        errorText={(error) => t`Couldn't load your reports: ${error}`}
      >
        {({ reports, total, pages: shownPages }) => (
          <>
            {reports.length === 0 ? (
              <EmptyPlace
                text={t`You haven't reported anything.`}
                hint={t`If something is wrong with the app or with someone on it, tell us. We answer here.`}
              />
            ) : (
              <ReportList
                reports={reports}
                total={total}
                isBusy={query.isFetching && shownPages < pages}
                onMore={onMore}
              />
            )}
            <ReloadNotice error={query.error} onRetry={() => void query.refetch()} />
          </>
        )}
      </QueryStates>
    </NarrowPage>
  );
}
