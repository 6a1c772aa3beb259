/**
 * `months` calendar months after `start`, both in seconds since 1970 and UTC; the last day of a month without such a
 * day.
 */
export function monthsLater(start: number, months: number): number {
  const from = new Date(start * 1000);
  const whole = from.getUTCFullYear() * 12 + from.getUTCMonth() + months;
  const [year, month] = [Math.floor(whole / 12), whole % 12];
  const lastDay = new Date(Date.UTC(year, month + 1, 0)).getUTCDate();
  const midnight = Date.UTC(year, month, Math.min(from.getUTCDate(), lastDay));
  return midnight / 1000 + (start % 86_400);
}

/** The end of the first period after `after`, for periods of `months` counted from `anchor`. */
export function nextEnd(anchor: number, months: number, after: number): number {
  let count = months;
  while (monthsLater(anchor, count) <= after) count += months;
  return monthsLater(anchor, count);
}
