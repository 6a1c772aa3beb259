import type { MessageDescriptor } from '@lingui/core';
import { msg, t } from '@lingui/core/macro';
import type { FunnelStep, FunnelWindow } from '#contract/insights/cohorts.ts';
import type { InsightComparison, InsightGender, InsightGrain, InsightPeriod } from '#contract/insights/series.ts';
import type { LinePoint } from '../../ui/chart/LineChart.tsx';
import { formatDay, formatMonth, formatMonthAndYear } from '../../ui/text/format.ts';
import type { Range } from './filters.ts';

export const genderWords: Record<InsightGender, MessageDescriptor> = {
  woman: msg`Women`,
  man: msg`Men`,
  'non-binary': msg`Non-binary`,
  'not-specified': msg`Not specified`,
};
export const rangeWords: Record<Range, MessageDescriptor> = {
  '28d': msg`Last 28 days`,
  '7d': msg`Last 7 days`,
  '12w': msg`Last 12 weeks`,
  '12m': msg`Last 12 months`,
  custom: msg`Other days`,
};
export const compareWords: Record<InsightComparison, MessageDescriptor> = {
  previous: msg`Period before`,
  lastYear: msg`Same period last year`,
  none: msg`Nothing`,
};
export const grainWords: Record<InsightGrain, MessageDescriptor> = {
  day: msg`Day`,
  week: msg`Week`,
  month: msg`Month`,
};
export const windowWords: Record<FunnelWindow, MessageDescriptor> = {
  week: msg`A week`,
  month: msg`30 days`,
  ever: msg`Any time`,
};
export const stepWords: Record<FunnelStep, MessageDescriptor> = {
  joined: msg`Joined`,
  confirmed: msg`Confirmed`,
  completed: msg`Complete`,
  liked: msg`First like`,
  matched: msg`Match`,
  messaged: msg`Message`,
  conversation: msg`Talk of six`,
  premium: msg`Premium`,
};

const withoutYear = (day: string) => formatDay(day).replace(/,? \d{4}$/, '');

/** The short name of a period for the axis, and the long one for the table, which marks an incomplete one. */
export function periodWords({ from, isOver }: InsightPeriod, by: InsightGrain): LinePoint {
  const month = from.slice(0, 7);
  const longLabel = by === 'month' ? formatMonthAndYear(month) : formatDay(from);
  return {
    label: by === 'month' ? formatMonth(month) : withoutYear(from),
    isOpen: !isOver,
    longLabel: isOver ? longLabel : t`${{ period: longLabel }} (so far)`,
  };
}
