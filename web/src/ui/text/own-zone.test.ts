import { describe, expect, it, vi } from 'vitest';
import { ownZone } from './own-zone.ts';

describe('the zone of a device that does not know it', () => {
  it.each([
    [0, 'Etc/GMT+0'],
    [-120, 'Etc/GMT-2'],
    [300, 'Etc/GMT+5'],
    [-840, 'Etc/GMT-14'],
    [-330, 'Asia/Kolkata'],
    [-345, 'Asia/Kathmandu'],
    [570, 'Pacific/Marquesas'],
  ])('has the device’s offset of %i minutes to the west, and is known to servers', (minutes, zone) => {
    const known = new Intl.DateTimeFormat().resolvedOptions();
    vi.spyOn(Intl.DateTimeFormat.prototype, 'resolvedOptions').mockReturnValue({ ...known, timeZone: 'Etc/Unknown' });
    vi.spyOn(Date.prototype, 'getTimezoneOffset').mockReturnValue(minutes);
    expect(ownZone()).toBe(zone);
    expect(() => new Intl.DateTimeFormat('en', { timeZone: zone })).not.toThrow();
  });
});
