import type { FunnelStep, FunnelWindow } from '#contract/insights/cohorts.ts';
import type { InsightComparison, InsightGender, InsightGrain, InsightPeriod } from '#contract/insights/series.ts';
import type { LinePoint } from '../../ui/chart/LineChart.tsx';
import { formatDay, formatMonth, formatMonthAndYear } from '../../ui/text/format.ts';
import { t } from '../../ui/text/text.ts';
import type { Range } from './filters.ts';

export const genderWords: Record<InsightGender, string> = {
  woman: 'Women',
  man: 'Men',
  'non-binary': 'Non-binary',
  'not-specified': 'Not specified',
};
export const rangeWords: Record<Range, string> = {
  '28d': 'Last 28 days',
  '7d': 'Last 7 days',
  '12w': 'Last 12 weeks',
  '12m': 'Last 12 months',
  custom: 'Other days',
};
export const compareWords: Record<InsightComparison, string> = {
  previous: 'Period before',
  lastYear: 'Same period last year',
  none: 'Nothing',
};
export const grainWords: Record<InsightGrain, string> = { day: 'Day', week: 'Week', month: 'Month' };
export const windowWords: Record<FunnelWindow, string> = { week: 'A week', month: '30 days', ever: 'Any time' };
export const stepWords: Record<FunnelStep, string> = {
  joined: 'Joined',
  confirmed: 'Confirmed',
  completed: 'Complete',
  liked: 'First like',
  matched: 'Match',
  messaged: 'Message',
  conversation: 'Talk of six',
  premium: 'Premium',
};

const withoutYear = (day: string) => formatDay(day).replace(/,? \d{4}$/, '');

/** The short name of a period for the axis, and the long one for the table; an unfinished one says so. */
export function periodWords({ from, isOver }: InsightPeriod, by: InsightGrain): LinePoint {
  const month = from.slice(0, 7);
  const longLabel = by === 'month' ? formatMonthAndYear(month) : formatDay(from);
  return {
    label: by === 'month' ? formatMonth(month) : withoutYear(from),
    isOpen: !isOver,
    longLabel: isOver ? longLabel : t('{period} (so far)', { period: longLabel }),
  };
}
