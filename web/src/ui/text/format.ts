import { t } from '@lingui/core/macro';
import { isShort, locale as readersLocale } from './text.ts';

const dayMs = 86_400_000;

/**
 * The number of a calendar day in the reader's time zone. Days with 23 or 25 hours, when clocks change, count as one
 * day.
 */
function dayNumber(time: string | number): number {
  const date = new Date(time);
  return Date.UTC(date.getFullYear(), date.getMonth(), date.getDate()) / dayMs;
}

/**
 * How many calendar days ago a time was in the reader's time zone: 0 is today, 1 yesterday, negative numbers are in the
 * future.
 */
export const daysAgo = (time: string | number, now: number): number => dayNumber(now) - dayNumber(time);

/** Whether two times are on one calendar day in the reader's time zone. */
export const isSameDay = (one: string | number, other: string | number): boolean => dayNumber(one) === dayNumber(other);

const hourMs = 3_600_000;
const dayHours = 24;
const weekHours = 168;

type Formatter = Intl.NumberFormat | Intl.DateTimeFormat | Intl.DisplayNames | Intl.Collator;
const formatters = new Map<string, Formatter>();

/** Creating a formatter takes fifty times as long as using it, so each one is created only once. */
export function kept<T extends Formatter>(key: string, make: () => T): T {
  const known = formatters.get(key) as T | undefined;
  if (known) return known;
  const made = make();
  formatters.set(key, made);
  return made;
}

function dateFormat(kind: string, locale: string, options: Intl.DateTimeFormatOptions): Intl.DateTimeFormat {
  return kept(`${kind} ${locale}`, () => new Intl.DateTimeFormat(locale, options));
}

/** Compares names and words in the order of the reader's language. */
export const compareTexts = (one: string, other: string, locale = readersLocale): number =>
  kept(`order ${locale}`, () => new Intl.Collator(locale)).compare(one, other);

/** An integer with the reader's digits and grouping; an em dash for NaN, a missing figure. */
export function formatNumber(value: number, locale = readersLocale): string {
  if (Number.isNaN(value)) return '—';
  if (locale.startsWith('en') && isShort(value)) return String(value);
  return kept(`number ${locale}`, () => new Intl.NumberFormat(locale)).format(value);
}

/** A whole percentage in the reader's format, such as 12%; an em dash for NaN. */
export function formatPercent(percent: number, locale = readersLocale): string {
  if (Number.isNaN(percent)) return '—';
  return kept(`percent ${locale}`, () => new Intl.NumberFormat(locale, { style: 'percent' })).format(percent / 100);
}

/** A change in whole percent with its sign, such as +12%; zero has no sign. */
export function formatChange(percent: number, locale = readersLocale): string {
  const options: Intl.NumberFormatOptions = { style: 'percent', signDisplay: 'exceptZero' };
  return kept(`change ${locale}`, () => new Intl.NumberFormat(locale, options)).format(percent / 100);
}

/** A date in the reader's format; an em dash if it is missing or invalid. */
export function formatDate(time: string | null | undefined, locale = readersLocale): string {
  const date = new Date(time ?? Number.NaN);
  if (Number.isNaN(date.getTime())) return '—';
  return dateFormat('date', locale, { dateStyle: 'medium' }).format(date);
}

/** A calendar day without a time (`YYYY-MM-DD`), such as a birth date. */
export function formatDay(day: string | null | undefined, locale = readersLocale): string {
  const date = new Date(`${day ?? ''}T00:00:00Z`);
  if (Number.isNaN(date.getTime())) return '—';
  return dateFormat('day', locale, { dateStyle: 'medium', timeZone: 'UTC' }).format(date);
}

/** Date and time to the minute. */
export function formatTime(time: string | null | undefined, locale = readersLocale): string {
  const date = new Date(time ?? Number.NaN);
  if (Number.isNaN(date.getTime())) return '—';
  return dateFormat('time', locale, { dateStyle: 'medium', timeStyle: 'short' }).format(date);
}

/** The time of day alone. */
export function clockTime(time: string, locale = readersLocale): string {
  return dateFormat('clock', locale, { timeStyle: 'short' }).format(new Date(time));
}

/** Date and time to the second, for the tooltip of a shorter form. */
export function formatExactTime(time: string | null | undefined, locale = readersLocale): string {
  const date = new Date(time ?? Number.NaN);
  if (Number.isNaN(date.getTime())) return '—';
  return dateFormat('exact', locale, { dateStyle: 'full', timeStyle: 'long' }).format(date);
}

/**
 * Creates the formatters for numbers and times in advance. Otherwise they would delay the first row on a slow device.
 */
export function prepareFormats(): void {
  const time = '2000-01-01T00:00:00Z';
  formatNumber(0);
  formatDate(time);
  formatExactTime(time);
}

/** The short name of a month (`YYYY-MM`). */
export function formatMonth(month: string, locale = readersLocale): string {
  const date = new Date(`${month}-01T00:00:00Z`);
  if (Number.isNaN(date.getTime())) return month;
  return dateFormat('month', locale, { month: 'short', timeZone: 'UTC' }).format(date);
}

/** The name and year of a month (`YYYY-MM`). */
export function formatMonthAndYear(month: string, locale = readersLocale): string {
  const date = new Date(`${month}-01T00:00:00Z`);
  if (Number.isNaN(date.getTime())) return month;
  return dateFormat('monthAndYear', locale, { month: 'long', year: 'numeric', timeZone: 'UTC' }).format(date);
}

/** The last activity in the specified wording, or a date after a week. */
export function lastActiveText(time: string | null | undefined, now: number, locale = readersLocale): string {
  const at = Date.parse(time ?? '');
  if (Number.isNaN(at)) return t`Never`;
  const hours = Math.floor((now - at) / hourMs);
  if (hours < 1) return t`Just now`;
  if (hours < dayHours) return t`${{ count: hours }}h ago`;
  if (hours < weekHours) return t`${{ count: Math.floor(hours / dayHours) }}d ago`;
  return formatDate(time, locale);
}
