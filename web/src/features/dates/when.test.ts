import { describe, expect, it, vi } from 'vitest';
import { whenText } from './when.ts';

describe('whenText', () => {
  it.each(['UTC', 'Asia/Tokyo'])('includes the year only if it differs, in the zone of %s', (zone) => {
    vi.useFakeTimers({ now: new Date('2026-11-28T12:00:00Z'), toFake: ['Date'] });
    expect(whenText({ at: '2026-12-05T12:00:00Z', zone })).not.toContain('2026');
    expect(whenText({ at: '2027-02-05T12:00:00Z', zone })).toContain('2027');
    vi.useRealTimers();
  });

  it.each([
    ['2026-11-28T12:00:00Z', '2026-12-31T20:00:00Z', 'Asia/Tokyo', true],
    ['2026-12-31T20:00:00Z', '2026-12-31T21:00:00Z', 'Asia/Tokyo', false],
    ['2027-01-01T02:00:00Z', '2027-01-01T03:00:00Z', 'America/Los_Angeles', false],
    ['2027-01-01T02:00:00Z', '2027-01-01T12:00:00Z', 'America/Los_Angeles', true],
    ['2026-11-28T12:00:00Z', '2027-01-01T00:00:00Z', 'Old/Unknown', true],
  ])('compares the years in the zone of the place: at %s, for %s in %s', (now, at, zone, isNamed) => {
    vi.useFakeTimers({ now: new Date(now), toFake: ['Date'] });
    expect(/202[67]/.test(whenText({ at, zone }))).toBe(isNamed);
    vi.useRealTimers();
  });
});
