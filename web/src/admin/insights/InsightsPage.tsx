import { t } from '@lingui/core/macro';
import { Box, Stack } from '@mantine/core';
import type { UseQueryResult } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { useParams } from 'react-router';
import { getGrowth, getRevenueSeries, getSafetySeries } from '#contract/insights/series.ts';
import { type DataOf, useEndpoint } from '../../api/endpoint-query.ts';
import { CountingNotice, TodaySoFar, WeeklyMailButton } from '../../features/insights/CountedState.tsx';
import { type InsightQuery, queryOf, useInsightFilters, calm } from '../../features/insights/filters.ts';
import { FunnelTile } from '../../features/insights/FunnelTile.tsx';
import { GrowthSummary } from '../../features/insights/GrowthSummary.tsx';
import { GrowthTiles } from '../../features/insights/GrowthTiles.tsx';
import { InsightFilterBar } from '../../features/insights/InsightFilterBar.tsx';
import { RetentionTile } from '../../features/insights/RetentionTile.tsx';
import { RevenueNow, RevenueTiles } from '../../features/insights/RevenueTiles.tsx';
import { SafetyTiles } from '../../features/insights/SafetyTiles.tsx';
import { EmptyState, QueryStates, Skeleton } from '../../ui/feedback/PageStates.tsx';
import { Columns, Page } from '../../ui/layout/Page.tsx';
import { InsightTabs } from './InsightTabs.tsx';

type Answer = Pick<DataOf<typeof getGrowth>, 'isHidden' | 'countedAt' | 'progress' | 'countries'>;

/** One part of the page: its filters, and its tiles once their figures have arrived. */
function Part<T extends Answer>({ query, children }: { query: UseQueryResult<T>; children: (data: T) => ReactNode }) {
  const { shown, choose } = useInsightFilters();
  return (
    <>
      <InsightFilterBar shown={shown} choose={choose} countries={query.data?.countries ?? []} />
      <QueryStates
        query={query}
        loadingText={t`Loading insights...`}
        skeleton={
          <Columns isEven>
            <Skeleton height="28rem" count={4} />
          </Columns>
        }
        errorText={(error) => t`Error loading insights: ${error}`}
      >
        {(data) => (
          <>
            <CountingNotice {...data} />
            {data.isHidden ? (
              <Box mb="1.25rem">
                <EmptyState
                  text={t`This group can’t be shown`}
                  hint={t`Groups of fewer than ten members are not shown, nor groups from which their figures could be computed. Ages and countries can’t be combined.`}
                  onClearFilters={() => choose({ gender: '', ageBand: '', country: '' })}
                  isFramed
                />
              </Box>
            ) : (
              data.countedAt !== null && children(data)
            )}
          </>
        )}
      </QueryStates>
    </>
  );
}

type PartProps = { query: InsightQuery };

function GrowthPart({ query }: PartProps) {
  const { shown, choose } = useInsightFilters();
  const answer = useEndpoint(getGrowth, { query }, calm);
  return (
    <>
      <Part query={answer}>
        {(data) => (
          <>
            <TodaySoFar />
            <Box mb="1.25rem">
              <GrowthSummary data={data} />
            </Box>
            <GrowthTiles data={data} />
          </>
        )}
      </Part>
      <Stack gap="1.25rem">
        <FunnelTile shown={shown} choose={choose} />
        <RetentionTile gender={shown.gender} />
      </Stack>
    </>
  );
}

function RevenuePart({ query }: PartProps) {
  const answer = useEndpoint(getRevenueSeries, { query }, calm);
  return (
    <>
      <RevenueNow />
      <Part query={answer}>{(data) => <RevenueTiles data={data} />}</Part>
    </>
  );
}

function SafetyPart({ query }: PartProps) {
  const answer = useEndpoint(getSafetySeries, { query }, calm);
  return <Part query={answer}>{(data) => <SafetyTiles data={data} />}</Part>;
}

const parts: Partial<Record<string, typeof GrowthPart>> = { revenue: RevenuePart, safety: SafetyPart };

/** Figures over time: growth, revenue or safety. */
export function InsightsPage() {
  const { part = '' } = useParams();
  const { shown } = useInsightFilters();
  const query = queryOf(shown, Date.now());
  const Shown = parts[part] ?? GrowthPart;
  return (
    <Page title={t`Insights`} actions={<WeeklyMailButton />}>
      <InsightTabs />
      <Shown query={query} />
    </Page>
  );
}
