/** The device's time zone. Where a device doesn't know it, a zone with the same offset now, in whole hours. */
export function ownZone(): string {
  const { timeZone } = new Intl.DateTimeFormat().resolvedOptions();
  if (timeZone !== 'Etc/Unknown') return timeZone;
  // The names of these zones count hours to the west, as `getTimezoneOffset` does.
  const hoursWest = Math.round(new Date().getTimezoneOffset() / 60);
  return `Etc/GMT${hoursWest < 0 ? '' : '+'}${hoursWest}`;
}
