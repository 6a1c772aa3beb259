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

export const growthQuery = (query: SeriesInput) =>
  queryOptions({
    queryKey: staffKeys.insights('growth', query),
    queryFn: async ({ signal }) => (await call(getGrowth, { query, signal })).data,
    ...calm,
  });

export const revenueQuery = (query: SeriesInput) =>
  queryOptions({
    queryKey: staffKeys.insights('revenue', query),
    queryFn: async ({ signal }) => (await call(getRevenueSeries, { query, signal })).data,
    ...calm,
  });

export const safetyQuery = (query: SeriesInput) =>
  queryOptions({
    queryKey: staffKeys.insights('safety', query),
    queryFn: async ({ signal }) => (await call(getSafetySeries, { query, signal })).data,
    ...calm,
  });

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
