import { formatDate, formatExactTime, formatTime } from '../text/format.ts';

/** A moment, an ISO 8601 string, as date and time or only as its date; the exact time is its tooltip. */
export function Time({ at, isDate = false }: { at: string; isDate?: boolean }) {
  return (
    <time dateTime={at} title={formatExactTime(at)}>
      {isDate ? formatDate(at) : formatTime(at)}
    </time>
  );
}
