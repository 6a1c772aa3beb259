import { describe, expect, it } from 'vitest';
import { startOfDayIn } from './clock.ts';

describe('startOfDayIn', () => {
  it.each([
    ['UTC', '2025-11-25', '2025-11-25T00:00:00.000Z'],
    ['Pacific/Auckland', '2025-11-25', '2025-11-24T11:00:00.000Z'],
    ['America/Los_Angeles', '2025-11-25', '2025-11-25T08:00:00.000Z'],
    ['Asia/Kathmandu', '2025-11-25', '2025-11-24T18:15:00.000Z'],
    // Clocks change within the day.
    ['Europe/Berlin', '2026-03-29', '2026-03-28T23:00:00.000Z'],
    ['Europe/Berlin', '2026-10-25', '2026-10-24T22:00:00.000Z'],
    // Clocks go from midnight to 1:00, and from 1:00 back to midnight.
    ['America/Santiago', '2027-09-05', '2027-09-05T04:00:00.000Z'],
    ['America/Havana', '2026-11-01', '2026-11-01T04:00:00.000Z'],
    // Samoa had no 30 December 2011.
    ['Pacific/Apia', '2011-12-30', '2011-12-30T10:00:00.000Z'],
    ['Africa/Monrovia', '1960-01-01', '1960-01-01T00:44:30.000Z'],
  ])('finds when a day begins in %s: %s', (zone, day, time) => {
    expect(startOfDayIn(zone, day).toISOString()).toBe(time);
  });
});
