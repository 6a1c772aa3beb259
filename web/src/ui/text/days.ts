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
