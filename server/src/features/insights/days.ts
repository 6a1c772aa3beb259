import type { InsightGrain } from '#contract/insights/series.ts';
import { dayOf } from '#platform/process/clock.ts';

const dayMs = 86_400_000;

/** The day `days` after a day. */
export const daysAfter = (day: string, days: number): string => dayOf(new Date(Date.parse(day) + days * dayMs));

/** How many days a day is after another one. */
export const daysBetween = (from: string, to: string): number =>
  Math.round((Date.parse(to) - Date.parse(from)) / dayMs);

/** The first day of a day's month. */
export const monthOf = (day: string): string => `${day.slice(0, 7)}-01`;

/** The first day of the month `months` after a day's month. */
export function monthsAfterMonth(day: string, months: number): string {
  const [year = 0, month = 1] = day.split('-').map(Number);
  return dayOf(new Date(Date.UTC(year, month - 1 + months, 1)));
}

/** How many months the month of a day is after that of another one. */
export function monthsBetween(from: string, to: string): number {
  const [fromYear = 0, fromMonth = 0] = from.split('-').map(Number);
  const [toYear = 0, toMonth = 0] = to.split('-').map(Number);
  return 12 * (toYear - fromYear) + toMonth - fromMonth;
}

/** The bit of a day in the days of its month. */
export const bitOfDay = (day: string): number => 2 ** (Number(day.slice(8)) - 1);

/** The bits of the `count` days that end with `last`, for each of their months. */
export function bitsByMonth(last: string, count: number): Map<string, number> {
  const bits = new Map<string, number>();
  for (let ago = 0; ago < count; ago += 1) {
    const day = daysAfter(last, -ago);
    bits.set(monthOf(day), (bits.get(monthOf(day)) ?? 0) + bitOfDay(day));
  }
  return bits;
}

/** The first day of the period that a day belongs to: the day, the Monday of its week, or the first of its month. */
export function startOf(by: InsightGrain, day: string): string {
  if (by === 'day') return day;
  if (by === 'month') return monthOf(day);
  return daysAfter(day, -((new Date(day).getUTCDay() + 6) % 7));
}

/** The first day of the period `count` periods after one that starts on `start`. */
export function periodsAfter(by: InsightGrain, start: string, count: number): string {
  return by === 'month' ? monthsAfterMonth(start, count) : daysAfter(start, count * (by === 'week' ? 7 : 1));
}
