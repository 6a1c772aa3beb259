import { t } from '@lingui/core/macro';
import type { CsvCell } from '#contract/csv.ts';
import type { InsightPeriod } from '#contract/insights/series.ts';
import { formatChange, formatNumber } from '../../ui/text/format.ts';
import { locale } from '../../ui/text/text.ts';

export type Values = readonly (number | null)[];

/** A count, or an average of counts. */
export const countText = (value: number) => formatNumber(Math.round(value));

/** A percentage with at most one decimal in the reader's format, such as 12.5%. */
export const shareText = (percent: number): string =>
  new Intl.NumberFormat(locale, { style: 'percent', maximumFractionDigits: 1 }).format(percent / 100);

/** A rate with one decimal. */
export const rateText = (value: number) => formatNumber(Math.round(10 * value) / 10);

/** The sum of known values; null if none is known. */
export function totalOf(values: Values): number | null {
  const known = values.filter((value) => value !== null);
  return known.length === 0 ? null : known.reduce((sum, value) => sum + value, 0);
}

/** The newest known value. */
export const newestOf = (values: Values): number | null => values.findLast((value) => value !== null) ?? null;

/** One value divided by another, if both are known and the second isn't zero. */
export const ratio = (part: number | null | undefined, whole: number | null | undefined, times = 1): number | null =>
  part == null || whole == null || whole === 0 ? null : (times * part) / whole;

/** The ratio of the sums of two rows of values, in the periods in which both are known. */
function ratioOfSums(parts: Values, wholes: Values, times?: number): number | null {
  const known = parts.flatMap((part, index) => {
    const whole = wholes[index] ?? null;
    return part === null || whole === null ? [] : [{ part, whole }];
  });
  return ratio(totalOf(known.map(({ part }) => part)), totalOf(known.map(({ whole }) => whole)), times);
}

/** The ratios of two rows of values. */
export const ratios = (parts: Values, wholes: Values, times = 1): (number | null)[] =>
  parts.map((part, index) => ratio(part, wholes[index], times));

/** The change of a value, such as "+12%, before: 340"; null if it can't be compared. */
export function changeText(
  now: number | null,
  before: number | null,
  format: (value: number) => string,
): string | null {
  if (now === null || before === null) return null;
  if (before === 0) return t`before: ${{ value: format(before) }}`;
  const change = formatChange(Math.round((100 * (now - before)) / before));
  return t`${change}, before: ${{ value: format(before) }}`;
}

/** A line of a tile: a value for each period, the values of the earlier periods, and its headline. */
export interface SeriesLine {
  name: string;
  values: Values;
  before: Values | null;
  /** How the headline is computed from the values: their sum, their newest, or a separate figure. */
  headline: { now: number | null; before: number | null };
  /** Left out of the chart, because its scale differs; shown in this format. */
  apart?: (value: number) => string;
}

/** A line whose headline is the sum of its periods. */
export const summed = (name: string, values: Values, before: Values | null = null): SeriesLine => ({
  ...{ name, values, before },
  headline: { now: totalOf(values), before: before && totalOf(before) },
});

/** A line whose headline is its newest value. */
export const latest = (name: string, values: Values, before: Values | null = null): SeriesLine => ({
  ...{ name, values, before },
  headline: { now: newestOf(values), before: before && newestOf(before) },
});

/** A line of ratios, whose headline is that of the sums. */
export const rate = (
  name: string,
  of: { parts: Values; wholes: Values; times?: number },
  before: { parts: Values; wholes: Values } | null,
): SeriesLine => ({
  name,
  values: ratios(of.parts, of.wholes, of.times),
  before: before && ratios(before.parts, before.wholes, of.times),
  headline: {
    now: ratioOfSums(of.parts, of.wholes, of.times),
    before: before && ratioOfSums(before.parts, before.wholes, of.times),
  },
});

/** The unit of a file for values that the screen shows as text, and how many of the values make one. */
export interface FileUnit {
  name: string;
  per: number;
}

/**
 * The rows of a tile's file: each period with the values of its lines, and the earlier ones they are compared with. Drawn lines are in
 * `unit`.
 */
export function csvRows(lines: readonly SeriesLine[], periods: readonly InsightPeriod[], unit?: FileUnit): CsvCell[][] {
  const columns = lines.flatMap(({ name: line, values, before, apart }) => {
    const { name, per } =
      unit === undefined || apart !== undefined ? { name: line, per: 1 } : { ...unit, name: `${line} (${unit.name})` };
    const inUnit = (each: Values) => each.map((value) => value && value / per);
    return [
      { name, values: inUnit(values) },
      ...(before === null ? [] : [{ name: t`${name} before`, values: inUnit(before) }]),
    ];
  });
  return [
    [t`From`, t`To`, ...columns.map(({ name }) => name)],
    ...periods.map(({ from, to }, index) => [from, to, ...columns.map(({ values }) => values[index] ?? null)]),
  ];
}
