import type { Aggregation, InsightPeriod, SeriesQuery } from '#contract/insights/series.ts';
import { daysAfter, daysBetween, periodsAfter, startOf } from './days.ts';

/** The whole periods that contain a range of days. `counted` is the newest counted day; later days have no figures. */
export function periodsOf({ from, to, by }: Pick<SeriesQuery, 'from' | 'to' | 'by'>, counted: string): InsightPeriod[] {
  const periods: InsightPeriod[] = [];
  for (let start = startOf(by, from); start <= to; start = periodsAfter(by, start, 1)) {
    const end = daysAfter(periodsAfter(by, start, 1), -1);
    const days = Math.max(0, daysBetween(start, end < counted ? end : counted) + 1);
    periods.push({ from: start, to: end, days, isOver: end < counted });
  }
  return periods;
}

/** A year ago in periods: whole weeks, so that weekdays match. */
const yearIn = { day: 364, week: 52, month: 12 } as const;

/**
 * The periods that these are compared with; null for none. An incomplete period is compared with the same number of days of the earlier
 * one.
 */
export function comparedPeriods(
  periods: readonly InsightPeriod[],
  { by, compare }: Pick<SeriesQuery, 'by' | 'compare'>,
): InsightPeriod[] | null {
  if (compare === 'none') return null;
  const shift = compare === 'previous' ? periods.length : yearIn[by];
  return periods.map((period) => {
    const from = periodsAfter(by, period.from, -shift);
    const to = daysAfter(periodsAfter(by, from, 1), -1);
    const all = daysBetween(from, to) + 1;
    return { from, to, days: period.isOver ? all : Math.min(period.days, all), isOver: true };
  });
}

/** The counted days that a period's figure adds up: all, the last one, or the day before the period. None without counted days. */
export function daysIn({ from, days }: InsightPeriod, aggregation: Aggregation): string[] {
  if (days === 0) return [];
  if (aggregation === 'last') return [daysAfter(from, days - 1)];
  if (aggregation === 'before') return [daysAfter(from, -1)];
  return Array.from({ length: days }, (_, index) => daysAfter(from, index));
}
