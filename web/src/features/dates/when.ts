import { ownZone } from '../../ui/text/own-zone.ts';
import { locale } from '../../ui/text/text.ts';

/** The zone, or undefined if an older browser doesn't know it, which means the device's own. */
function knownZone(timeZone: string): string | undefined {
  try {
    Intl.DateTimeFormat('en', { timeZone });
    return timeZone;
  } catch {
    return undefined;
  }
}

/** The time of a date in the zone of its place. The zone is named if it isn't the reader's, and the year if it isn't the current one there. */
export function whenText({ at, zone }: { at: string; zone: string }): string {
  const time = new Date(at);
  const timeZone = knownZone(zone);
  const yearOf = new Intl.DateTimeFormat('en', { year: 'numeric', timeZone });
  return new Intl.DateTimeFormat(locale, {
    ...{ weekday: 'short', day: 'numeric', month: 'short', hour: 'numeric', minute: '2-digit', timeZone },
    ...(yearOf.format(time) !== yearOf.format(new Date()) && { year: 'numeric' }),
    ...(timeZone !== undefined && zone !== ownZone() && { timeZoneName: 'short' }),
  }).format(time);
}

const offeredDays = 6;

/** A time that suits many people on each of the next days: in the evening, or at weekends in the afternoon. */
export const usualTimes = (now: Date): Date[] =>
  Array.from({ length: offeredDays }, (_, index) => {
    const day = new Date(now.getFullYear(), now.getMonth(), now.getDate() + 1 + index);
    day.setHours(day.getDay() % 6 === 0 ? 15 : 19);
    return day;
  });
