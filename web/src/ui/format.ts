const hourMs = 3_600_000;
const dayHours = 24;
const weekHours = 168;

/** A whole number in the reader's digits and grouping. */
export function formatNumber(value: number, locale: string): string {
  return new Intl.NumberFormat(locale).format(value);
}

/** A calendar day in the reader's manner; an em dash when it is missing or no date. */
export function formatDate(time: string | null | undefined, locale: string): string {
  const date = new Date(time ?? Number.NaN);
  if (Number.isNaN(date.getTime())) return '—';
  return new Intl.DateTimeFormat(locale, { dateStyle: 'medium' }).format(date);
}

/** Day and time to the second, for the `title` of a shorter form. */
export function formatExactTime(time: string | null | undefined, locale: string): string {
  const date = new Date(time ?? Number.NaN);
  if (Number.isNaN(date.getTime())) return '—';
  return new Intl.DateTimeFormat(locale, { dateStyle: 'full', timeStyle: 'long' }).format(date);
}

/** Last-active as the specification words it: a text for `t` with its values, or a date beyond a week. */
export function lastActiveText(
  time: string | null | undefined,
  now: number,
  locale: string,
): { text: string; values?: { count: number } } {
  const at = Date.parse(time ?? '');
  if (Number.isNaN(at)) return { text: 'Never' };
  const hours = Math.floor((now - at) / hourMs);
  if (hours < 1) return { text: 'Just now' };
  if (hours < dayHours) return { text: '{count}h ago', values: { count: hours } };
  if (hours < weekHours) return { text: '{count}d ago', values: { count: Math.floor(hours / dayHours) } };
  return { text: formatDate(time, locale) };
}
