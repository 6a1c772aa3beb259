import { describe, expect, it, vi } from 'vitest';
import { whenText } from './when.ts';

describe('whenText', () => {
  it.each(['UTC', 'Asia/Tokyo'])('names only another year, in the zone of %s', (zone) => {
    vi.useFakeTimers({ now: new Date('2026-11-28T12:00:00Z'), toFake: ['Date'] });
    expect(whenText({ at: '2026-12-05T12:00:00Z', zone })).not.toContain('2026');
    expect(whenText({ at: '2027-02-05T12:00:00Z', zone })).toContain('2027');
    vi.useRealTimers();
  });
});
