import { formatDate, formatExactTime, formatTime } from '../text/format.ts';
import { useLocale } from '../text/text.ts';

/** A moment, an ISO 8601 string, as date and time or only as its date; the exact time is its tooltip. */
export function Time({ at, isDate = false }: { at: string; isDate?: boolean }) {
  const locale = useLocale();
  return (
    <time dateTime={at} title={formatExactTime(at, locale)}>
      {isDate ? formatDate(at, locale) : formatTime(at, locale)}
    </time>
  );
}
