import { Button } from '@mantine/core';
import { Link, useSearchParams } from 'react-router';
import { ReloadNotice, ReportList, ReportsSkeleton } from '../../features/support/ReportList.tsx';
import { useMyReports } from '../../features/support/queries.ts';
import { EmptyState, QueryStates } from '../../ui/feedback/PageStates.tsx';
import { useText } from '../../ui/text/text.ts';
import { NarrowPage } from '../layout/NarrowPage.tsx';

const mostPages = 50;

/** The number of pages an address asks for; nonsense is the first page. */
function pagesOf(param: string | null): number {
  const pages = Number(param ?? '1');
  return Number.isInteger(pages) && pages >= 1 ? Math.min(pages, mostPages) : 1;
}

/** The member's own reports, and the way to a new one. */
export function SupportPage() {
  const t = useText();
  const [params, setParams] = useSearchParams();
  const pages = pagesOf(params.get('pages'));
  const query = useMyReports(pages);
  const onMore = () => setParams({ pages: String(pages + 1) }, { replace: true });

  return (
    <NarrowPage
      title={t('Support')}
      lead={t('What you reported, and what we answered. A person reads every report.')}
      actions={
        <Button component={Link} to="/app/support/new">
          {t('Report a problem')}
        </Button>
      }
    >
      <QueryStates
        query={query}
        loadingText={t('Loading your reports...')}
        skeleton={<ReportsSkeleton />}
        errorText={(error) => t('Your reports could not be loaded: {error}', { error })}
      >
        {({ reports, total, pages: shownPages }) => (
          <>
            {reports.length === 0 ? (
              <EmptyState
                isFramed
                text={t('You have not reported anything.')}
                hint={t('When something is wrong, with the app or with somebody, tell us. We answer here.')}
              />
            ) : (
              <ReportList
                reports={reports}
                total={total}
                isBusy={query.isFetching && shownPages < pages}
                onMore={onMore}
              />
            )}
            <ReloadNotice error={query.error} onRetry={query.refetch} />
          </>
        )}
      </QueryStates>
    </NarrowPage>
  );
}
