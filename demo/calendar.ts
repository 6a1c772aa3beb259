export const minuteMs = 60_000;
export const hourMs = 60 * minuteMs;
export const dayMs = 24 * hourMs;

/** The time `ms` milliseconds before `at`. */
export function before(at: Date, ms: number): Date {
  return new Date(at.getTime() - ms);
}

/** The time at `share` (0…1) of the way from `from` to `to`. */
export function between(from: Date, to: Date, share: number): Date {
  return new Date(from.getTime() + Math.floor((to.getTime() - from.getTime()) * share));
}

/** The earliest of `times`. */
export function earliest(...times: Date[]): Date {
  return new Date(Math.min(...times.map(Number)));
}

/** The latest of `times`. */
export function latest(...times: Date[]): Date {
  return new Date(Math.max(...times.map(Number)));
}

/** The UTC day of `at` as `YYYY-MM-DD`. */
export function dayOf(at: Date): string {
  return at.toISOString().slice(0, 10);
}

/** The start (UTC) of the month `monthsAgo` months before the month of `now`. */
export function monthStart(now: Date, monthsAgo: number): Date {
  return new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() - monthsAgo, 1));
}

/** The start (UTC) of the day of `now`, `years` ago; 28 February if that year has no 29th. */
export function yearsBefore(now: Date, years: number): Date {
  const year = now.getUTCFullYear() - years;
  const lastDay = new Date(Date.UTC(year, now.getUTCMonth() + 1, 0)).getUTCDate();
  return new Date(Date.UTC(year, now.getUTCMonth(), Math.min(now.getUTCDate(), lastDay)));
}
