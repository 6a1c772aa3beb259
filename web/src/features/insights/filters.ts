import { keepPreviousData } from '@tanstack/react-query';
import { useSearchParams } from 'react-router';
import { ageBuckets } from '#contract/statistics.ts';
import {
  type getGrowth,
  insightComparisons,
  insightDaySchema,
  insightGenders,
  type InsightGrain,
  insightGrains,
  periodsMax,
  shortestDays,
} from '#contract/insights/series.ts';
import type { QueryInput } from '#contract/endpoint.ts';
import { funnelWindowNames } from '#contract/insights/cohorts.ts';
import { addressFilters } from '../../ui/data/table/use-list-address.ts';

/** The old figures stay until the ones for a changed filter arrive. */
export const calm = { placeholderData: keepPreviousData, refetchInterval: 600_000 } as const;

/** The first is shown until another one is chosen. */
export const ranges = ['12w', '28d', '7d', '12m', 'custom'] as const;
export type Range = (typeof ranges)[number];

/** The filters in the address. */
export const filters = addressFilters({
  range: ranges,
  from: 'text',
  to: 'text',
  compare: insightComparisons,
  /** An empty step means the usual one for the range. */
  by: ['', ...insightGrains],
  gender: ['', ...insightGenders],
  ageBand: ['', ...ageBuckets.map(({ bucket }) => bucket)],
  country: 'text',
  /** The month of the funnel; empty for the newest. */
  month: 'text',
  within: funnelWindowNames,
});
export type InsightFilters = ReturnType<typeof filters.read>;

/** The filters of the page in its address. */
export function useInsightFilters() {
  const [params, setParams] = useSearchParams();
  return {
    shown: filters.read(params),
    choose: (changed: Partial<InsightFilters>) =>
      setParams((current) => filters.change(current, changed), { preventScrollReset: true }),
  };
}

const dayMs = 86_400_000;
const dayOf = (ms: number) => new Date(ms).toISOString().slice(0, 10);
const isDay = (text: string) => insightDaySchema.safeParse(text).success;

const presets = {
  '7d': { days: 7, by: 'day' },
  '28d': { days: 28, by: 'day' },
  '12w': { days: 77, by: 'week' },
  '12m': { days: 335, by: 'month' },
} as const;

/** The steps in which a range has at most a hundred periods. */
export const stepsFor = (days: number) => insightGrains.filter((by) => days <= periodsMax * shortestDays[by]);

/** The days and the step of the filters. Ranges end yesterday, because the current day is not over; a custom range may include it. */
export function rangeOf(
  shown: InsightFilters,
  nowMs: number,
): { from: string; to: string; by: InsightGrain; days: number } {
  const yesterday = dayOf(nowMs - dayMs);
  const preset = presets[shown.range === 'custom' ? '28d' : shown.range];
  const isCustom = shown.range === 'custom' && isDay(shown.from) && isDay(shown.to) && shown.from <= shown.to;
  const to = isCustom ? shown.to : yesterday;
  const from = isCustom ? shown.from : dayOf(Date.parse(yesterday) - (preset.days - 1) * dayMs);
  const days = Math.round((Date.parse(to) - Date.parse(from)) / dayMs) + 1;
  const steps = stepsFor(days);
  const wanted = shown.by === '' ? preset.by : shown.by;
  return { from, to, days, by: steps.includes(wanted) ? wanted : (steps[0] ?? 'month') };
}

export type InsightQuery = QueryInput<typeof getGrowth>;

/** The query of the filters. */
export function queryOf(shown: InsightFilters, nowMs: number): InsightQuery {
  const { from, to, by } = rangeOf(shown, nowMs);
  const { compare, gender, ageBand, country } = shown;
  return { from, to, by, compare, ...(gender && { gender }), ...(ageBand && { ageBand }), ...(country && { country }) };
}
