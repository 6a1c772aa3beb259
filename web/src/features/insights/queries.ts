import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import type { AnswerOf, QueryInput } from '#contract/endpoint.ts';
import { getFunnel, getRetention } from '#contract/insights/cohorts.ts';
import { getGrowth, getRevenueSeries, getSafetySeries, type InsightGender } from '#contract/insights/series.ts';
import { getWeeklyMail } from '#contract/insights/weekly-mail.ts';
import { call } from '../../api/call.ts';
import { staffKeys } from '../../api/staff-keys.ts';

export type Growth = AnswerOf<typeof getGrowth>['data'];
export type RevenueSeries = AnswerOf<typeof getRevenueSeries>['data'];
export type SafetySeries = AnswerOf<typeof getSafetySeries>['data'];
type SeriesInput = QueryInput<typeof getGrowth>;

/** The old figures stay until those of a changed filter arrive. */
const calm = { placeholderData: keepPreviousData, refetchInterval: 600_000 } as const;

const series =
  <T>(name: string, ask: (options: { query: SeriesInput; signal: AbortSignal }) => Promise<{ data: T }>) =>
  (query: SeriesInput) =>
    queryOptions({
      queryKey: staffKeys.insights(name, query),
      queryFn: async ({ signal }) => (await ask({ query, signal })).data,
      ...calm,
    });

export const growthQuery = series('growth', (options) => call(getGrowth, options));
export const revenueQuery = series('revenue', (options) => call(getRevenueSeries, options));
export const safetyQuery = series('safety', (options) => call(getSafetySeries, options));

export const funnelQuery = (month: string) =>
  queryOptions({
    queryKey: staffKeys.insights('funnel', { month }),
    queryFn: async ({ signal }) => (await call(getFunnel, { query: month === '' ? {} : { month }, signal })).data,
    ...calm,
  });

export const retentionQuery = (gender: InsightGender | '') =>
  queryOptions({
    queryKey: staffKeys.insights('retention', { gender }),
    queryFn: async ({ signal }) => (await call(getRetention, { query: gender === '' ? {} : { gender }, signal })).data,
    ...calm,
  });

export const weeklyMailQuery = queryOptions({
  queryKey: staffKeys.insights('mail', {}),
  queryFn: async ({ signal }) => (await call(getWeeklyMail, { signal })).data,
});
