import { ownZone } from '../../ui/text/own-zone.ts';
import { locale } from '../../ui/text/text.ts';

/** The time of a date in the zone of its place, which is named if it isn't the reader's, and so is another year. */
export function whenText({ at, zone }: { at: string; zone: string }): string {
  const parts: Intl.DateTimeFormatOptions = {
    weekday: 'short',
    day: 'numeric',
    month: 'short',
    hour: 'numeric',
    minute: '2-digit',
  };
  const time = new Date(at);
  if (time.getFullYear() !== new Date().getFullYear()) parts.year = 'numeric';
  try {
    const ofZone = zone === ownZone() ? parts : { ...parts, timeZoneName: 'short' as const };
    return new Intl.DateTimeFormat(locale, { ...ofZone, timeZone: zone }).format(time);
  } catch {
    // An older browser may not know the zone.
    return new Intl.DateTimeFormat(locale, parts).format(time);
  }
}

const two = (value: number) => String(value).padStart(2, '0');

/** A time on this device as a field for day and time expects it. */
export const fieldTime = (time: Date): string =>
  `${time.getFullYear()}-${two(time.getMonth() + 1)}-${two(time.getDate())}T${two(time.getHours())}:${two(time.getMinutes())}`;
