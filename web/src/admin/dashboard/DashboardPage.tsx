import { t } from '@lingui/core/macro';
import { Button, Stack, Title } from '@mantine/core';
import { Link } from 'react-router';
import { useServiceConfig } from '../../api/service-config.ts';
import { useMay } from '../../api/session/permission.ts';
import { DashboardFigures } from '../../features/statistics/Figures.tsx';
import { useStatistics } from '../../features/statistics/queries.ts';
import { RecentUsers } from '../../features/statistics/RecentUsers.tsx';
import { AgeChart, GenderChart, GrowthChart, StatusOverview } from '../../features/statistics/StatisticsCharts.tsx';
import { RevenueFigures } from '../../features/subscriptions/staff/RevenueFigures.tsx';
import { LastUpdated } from '../../ui/feedback/LastUpdated.tsx';
import { StatCardsSkeleton } from '../../ui/data/StatCard.tsx';
import { Columns, Page } from '../../ui/layout/Page.tsx';
import { QueryStates, Skeleton } from '../../ui/feedback/PageStates.tsx';
import { useWaiting } from '../../features/moderation/queue/queue-data.ts';
import { CaseWarnings, useCaseWarnings } from '../../features/moderation/cases/CaseWarnings.tsx';
import { ReportsFigures } from '../../features/moderation/reports/ReportsFigures.tsx';

/** The figures above the list of reports, with their links to it. */
function ReportsSection() {
  return (
    <Stack component="section" gap="1rem" mt="1.75rem" aria-labelledby="report-figures">
      <Title order={2} id="report-figures" fz="1.35rem">
        {t`Reports`}
      </Title>
      <ReportsFigures label={t`Report figures`} />
    </Stack>
  );
}

function LoadingSkeleton() {
  return (
    <>
      <StatCardsSkeleton count={4} />
      <Columns isStretched>
        <Skeleton height="27rem" count={2} />
      </Columns>
      <Columns isStretched>
        <Skeleton height="26rem" count={2} />
      </Columns>
      <Skeleton height="22rem" />
    </>
  );
}

/** An overview of the service. */
export function DashboardPage() {
  const query = useStatistics();
  const config = useServiceConfig();
  const maySeeRevenue = useMay('revenue.view');
  const maySeeUsers = useMay('users.list');
  const maySeeCases = useMay('cases.list');
  const maySeeReports = useMay('reports.list');
  const hasWork = useMay('reports.handle');
  const waiting = useWaiting();
  const warnings = useCaseWarnings(maySeeCases);
  return (
    <Page
      title={t`Dashboard Overview`}
      actions={
        <>
          {hasWork && (
            <Button component={Link} to="/start">
              {waiting.count > 0 ? t`What is waiting (${{ count: waiting.shown }})` : t`What is waiting`}
            </Button>
          )}
          <LastUpdated query={query} />
        </>
      }
    >
      <QueryStates
        query={query}
        isHeld={warnings.isLoading && warnings.failureCount === 0}
        loadingText={t`Loading dashboard data...`}
        skeleton={<LoadingSkeleton />}
        errorText={(error) => t`Error loading dashboard data: ${error}`}
      >
        {(statistics) => (
          <>
            <CaseWarnings query={warnings} />
            <DashboardFigures statistics={statistics} />
            <Columns isStretched>
              <GrowthChart growth={statistics.growth} />
              <GenderChart genders={statistics.genders} />
            </Columns>
            <Columns isStretched>
              <AgeChart ages={statistics.ages} />
              <StatusOverview totals={statistics.totals} asOf={statistics.asOf} />
            </Columns>
            {maySeeUsers && <RecentUsers recentUsers={statistics.recentUsers} />}
          </>
        )}
      </QueryStates>
      {query.data === undefined && query.error !== null && <CaseWarnings query={warnings} />}
      {maySeeReports && <ReportsSection />}
      {maySeeRevenue && <RevenueFigures payments={config?.providers.payments} />}
    </Page>
  );
}
