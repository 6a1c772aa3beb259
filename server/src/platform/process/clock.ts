/** The only source of the current time, so that tests can change it. */
export interface Clock {
  now(): Date;
}

/** The machine's clock; tests use one they can move. */
export const systemClock: Clock = { now: () => new Date() };

/** The time `seconds` after `at` (before it, if negative). */
export function secondsAfter(at: Date, seconds: number): Date {
  return new Date(at.getTime() + seconds * 1000);
}

const dayMs = 86_400_000;

/** The UTC day of `at` (YYYY-MM-DD): the day of every quota "a day", for all members alike. */
export const dayOf = (at: Date): string => at.toISOString().slice(0, 10);

/** When the quotas of the day of `now` began to count. */
export const startOfDay = (now: Date): Date => new Date(now.getTime() - (now.getTime() % dayMs));

/** How far the clocks of a time zone are ahead of UTC at `at`, in ms. */
function aheadOfUtcMs(zone: string, at: number): number {
  const text = new Intl.DateTimeFormat('en', { timeZone: zone, timeZoneName: 'longOffset' }).format(at);
  const [, sign, ...parts] = /GMT([+-])(\d\d):(\d\d)(?::(\d\d))?$/.exec(text) ?? [];
  const [hours = 0, minutes = 0, seconds = 0] = parts.map((part) => Number(part) || 0);
  return (sign === '-' ? -1000 : 1000) * (hours * 3600 + minutes * 60 + seconds);
}

/** When a calendar day (YYYY-MM-DD), or one some days later, starts in a time zone. */
export function startOfDayIn(zone: string, day: string, daysLater = 0): Date {
  const midnight = Date.parse(`${day}T00:00:00Z`) + daysLater * dayMs;
  const before = midnight - aheadOfUtcMs(zone, midnight - dayMs);
  const after = midnight - aheadOfUtcMs(zone, midnight + dayMs);
  const [first, last] = [Math.min(before, after), Math.max(before, after)];
  // On a day when clocks go back, midnight may occur twice; when they go forward at midnight, it does not occur.
  return new Date(first + aheadOfUtcMs(zone, first) === midnight ? first : last);
}

/** In how many seconds the daily quotas start again. */
export const secondsOfDayLeft = (now: Date): number => (dayMs - (now.getTime() % dayMs)) / 1000;

/** The same in hours, for texts: members don't know when the day ends in UTC. */
export const hoursOfDayLeft = (now: Date): number => Math.ceil(secondsOfDayLeft(now) / 3600);

/** Whether a time is valid and within the range that the database can store. */
export function isStorableMoment(moment: Date): boolean {
  const year = moment.getUTCFullYear();
  return year >= 1 && year <= 9999;
}

/**
 * Whole years from the calendar day `birthDate` (YYYY-MM-DD) to the UTC day of `now`. People born on 29 February turn a
 * year older on 1 March in other years.
 */
export function ageOn(birthDate: string, now: Date): number {
  const [year = 0, month = 0, day = 0] = birthDate.split('-').map(Number);
  const years = now.getUTCFullYear() - year;
  const monthsLeft = month - (now.getUTCMonth() + 1);
  const hadBirthday = monthsLeft < 0 || (monthsLeft === 0 && day <= now.getUTCDate());
  return hadBirthday ? years : years - 1;
}

/** The latest birth date (YYYY-MM-DD) of people who are at least `years` old on the UTC day of `now`. */
export function latestBirthDate(years: number, now: Date): string {
  const year = now.getUTCFullYear() - years;
  const month = now.getUTCMonth();
  const lastDayOfMonth = new Date(Date.UTC(year, month + 1, 0)).getUTCDate();
  const day = Math.min(now.getUTCDate(), lastDayOfMonth);
  return `${String(year).padStart(4, '0')}-${String(month + 1).padStart(2, '0')}-${String(day).padStart(2, '0')}`;
}

/** The last `count` months in UTC as YYYY-MM, ending with the month of `now`. */
export function lastMonths(now: Date, count: number): string[] {
  return Array.from({ length: count }, (_, n) => {
    const month = new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() - (count - 1 - n), 1));
    return dayOf(month).slice(0, 7);
  });
}
