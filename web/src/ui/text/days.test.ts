import { afterEach, describe, expect, it, vi } from 'vitest';
import { daysAgo, isSameDay } from './days.ts';

afterEach(() => vi.unstubAllEnvs());

describe('daysAgo', () => {
  it.each([
    // Clocks go forward at 2:00 on 29 March, and back at 3:00 on 25 October 2026.
    ['Europe/Berlin', '2026-03-28T23:30:00+01:00', '2026-03-30T00:10:00+02:00', 2],
    ['Europe/Berlin', '2026-03-29T00:30:00+01:00', '2026-03-30T00:10:00+02:00', 1],
    ['Europe/Berlin', '2026-10-25T00:30:00+02:00', '2026-10-25T23:40:00+01:00', 0],
    ['Europe/Berlin', '2026-10-24T23:30:00+02:00', '2026-10-25T23:40:00+01:00', 1],
    ['Europe/Berlin', '2026-10-24T00:10:00+02:00', '2026-10-26T00:05:00+01:00', 2],
    // There is no midnight on 5 September 2027 in Santiago.
    ['America/Santiago', '2027-09-04T23:59:00-04:00', '2027-09-05T01:00:00-03:00', 1],
    ['Asia/Kolkata', '2026-06-14T18:29:00Z', '2026-06-14T18:31:00Z', 1],
    ['Pacific/Kiritimati', '2026-06-14T09:59:00Z', '2026-06-14T10:01:00Z', 1],
    ['UTC', '2026-06-15T00:00:00Z', '2026-06-14T23:59:59Z', -1],
  ])('calculates in %s that from %s to %s it is %i days', (zone, time, now, days) => {
    vi.stubEnv('TZ', zone);
    expect(daysAgo(time, Date.parse(now))).toBe(days);
    expect(isSameDay(time, now)).toBe(days === 0);
  });
});
