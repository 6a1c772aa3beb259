const two = (value: number) => String(value).padStart(2, '0');
const four = (value: number) => String(value).padStart(4, '0');

/** A time on this device as a field for day and time expects it. */
export const fieldTime = (time: Date): string =>
  `${four(time.getFullYear())}-${two(time.getMonth() + 1)}-${two(time.getDate())}T${two(time.getHours())}:${two(time.getMinutes())}`;

/** The value of a field for day and time as an ISO 8601 time; empty if it isn't complete. */
export function isoTime(text: string): string {
  const time = new Date(text);
  return Number.isNaN(time.getTime()) ? '' : time.toISOString();
}
