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
 * The periods that these are compared with; null for none. A period that isn't over is compared with as many days of the
 * earlier one.
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

/** The last counted day of a period. */
export const lastCountedDay = ({ from, days }: InsightPeriod) => daysAfter(from, days - 1);

/** One figure of a period from those of its days. */
export function figureOf(period: InsightPeriod, aggregation: Aggregation, of: (day: string) => number): number {
  if (aggregation === 'last') return of(lastCountedDay(period));
  if (aggregation === 'before') return of(daysAfter(period.from, -1));
  let sum = 0;
  for (let index = 0; index < period.days; index += 1) sum += of(daysAfter(period.from, index));
  return sum;
}
