/** One zone for each offset that isn't in whole hours. */
const partHourZones = [
  'Asia/Kolkata',
  'Asia/Tehran',
  'Asia/Kabul',
  'Asia/Kathmandu',
  'Asia/Yangon',
  'America/St_Johns',
  'Australia/Adelaide',
  'Australia/Darwin',
  'Australia/Eucla',
  'Australia/Lord_Howe',
  'Pacific/Chatham',
  'Pacific/Marquesas',
];

/** How many minutes the clocks of a zone are behind UTC now, as `getTimezoneOffset` counts them. */
function minutesWestOf(timeZone: string): number {
  const text = new Intl.DateTimeFormat('en', { timeZone, timeZoneName: 'longOffset' }).format();
  const [, sign, hours, minutes] = /GMT([+-])(\d\d):(\d\d)/.exec(text) ?? [];
  return (sign === '-' ? 1 : -1) * (Number(hours) * 60 + Number(minutes));
}

/** The device's time zone. Where a device doesn't know it, a zone with the same offset now. */
export function ownZone(): string {
  const { timeZone } = new Intl.DateTimeFormat().resolvedOptions();
  if (timeZone !== 'Etc/Unknown') return timeZone;
  const minutesWest = new Date().getTimezoneOffset();
  const named = minutesWest % 60 === 0 ? undefined : partHourZones.find((zone) => minutesWestOf(zone) === minutesWest);
  if (named !== undefined) return named;
  // The names of these zones count hours to the west, as `getTimezoneOffset` does.
  const hoursWest = Math.round(minutesWest / 60);
  return `Etc/GMT${hoursWest < 0 ? '' : '+'}${hoursWest}`;
}
