import { useEffect, useState } from 'react';
import { formatDate, formatExactTime, formatTime } from '../text/format.ts';

/** Shows a time (an ISO 8601 string) as date and time or only as a date, with the exact time as a tooltip. */
export function Time({ at, isDate = false }: { at: string; isDate?: boolean }) {
  return (
    <time dateTime={at} title={formatExactTime(at)}>
      {isDate ? formatDate(at) : formatTime(at)}
    </time>
  );
}

/** The current time in ms, updated every `everyMs`. */
export function useNow(everyMs: number): number {
  const [now, setNow] = useState(() => Date.now());
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), everyMs);
    return () => clearInterval(timer);
  }, [everyMs]);
  return now;
}
