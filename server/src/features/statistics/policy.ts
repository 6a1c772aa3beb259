/** `part` of `whole` in percent, rounded; 0 if `whole` is 0. */
export function percentOf(part: number, whole: number): number {
  return whole === 0 ? 0 : Math.round((part / whole) * 100);
}

/** Growth against last month in percent, rounded; 'N/A' if no one joined then. */
export function growthPercent(thisMonth: number, lastMonth: number): number | 'N/A' {
  return lastMonth === 0 ? 'N/A' : Math.round(((thisMonth - lastMonth) / lastMonth) * 100);
}

/** The last `count` months in UTC as YYYY-MM, ending with the month of `now`. */
export function lastMonths(now: Date, count: number): string[] {
  return Array.from({ length: count }, (_, n) => {
    const month = new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() - (count - 1 - n), 1));
    return month.toISOString().slice(0, 7);
  });
}
