import { formatDate } from '../../ui/text/format.ts';
import type { Translate } from '../../ui/text/text.ts';

const minuteMs = 60_000;
const hourMs = 60 * minuteMs;
const dayMs = 24 * hourMs;
const weekMs = 7 * dayMs;

/** How long ago something was, in words; its day after a week. */
export function agoText(time: string, now: number, t: Translate, locale: string): string {
  const passedMs = Math.max(0, now - Date.parse(time));
  if (passedMs < minuteMs) return t('Just now');
  if (passedMs >= weekMs) return formatDate(time, locale);
  const [unit, unitMs] =
    passedMs < hourMs
      ? (['minute', minuteMs] as const)
      : passedMs < dayMs
        ? (['hour', hourMs] as const)
        : (['day', dayMs] as const);
  return new Intl.RelativeTimeFormat(locale, { numeric: 'auto' }).format(-Math.floor(passedMs / unitMs), unit);
}
