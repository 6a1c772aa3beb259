const minuteMs = 60_000;

/** The short form of a report's id that people use. */
export function reference(id: string): string {
  return `#${id.slice(-6)}`;
}

/** A duration for people, in its two largest units: "45s", "12m", "3h 12m", "2d 4h". */
export function durationText(ms: number): string {
  const minutes = Math.round(ms / minuteMs);
  if (minutes < 1) return `${Math.round(ms / 1000)}s`;
  const [days, hours, rest] = [Math.floor(minutes / 1440), Math.floor(minutes / 60) % 24, minutes % 60];
  if (days > 0) return hours > 0 ? `${days}d ${hours}h` : `${days}d`;
  if (hours > 0) return rest > 0 ? `${hours}h ${rest}m` : `${hours}h`;
  return `${rest}m`;
}
