import { describe, expect, it } from 'vitest';
import { closeOffer, installMenu, mayOffer, noteVisit } from './installing.ts';

/** Starts a visit in a new tab. */
function visit() {
  sessionStorage.clear();
  noteVisit();
  noteVisit();
}

describe('mayOffer', () => {
  it('returns true from the second visit on, not counting reloads', () => {
    visit();
    expect(mayOffer()).toBe(false);
    visit();
    expect(mayOffer()).toBe(true);
    visit();
    expect(localStorage.getItem('device:visits')).toBe('2');
  });

  it('returns false for thirty days after the offer was closed', () => {
    visit();
    visit();
    const now = Date.parse('2026-11-21T12:00:00Z');
    const later = (days: number) => now + days * 86_400_000;
    closeOffer(now);
    expect([mayOffer(now), mayOffer(later(29.9)), mayOffer(later(30))]).toEqual([false, false, true]);
  });
});

describe('installMenu', () => {
  const safari = 'AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.1 Mobile/15E148 Safari/604.1';
  const phone = `Mozilla/5.0 (iPhone; CPU iPhone OS 18_1 like Mac OS X) ${safari}`;
  const mac =
    'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.1 Safari/605.1.15';

  it.each([
    ['Safari on an iPhone', { userAgent: phone, maxTouchPoints: 5 }, 'share'],
    ['Safari on an iPad, which claims to be a Mac', { userAgent: mac, maxTouchPoints: 5 }, 'share'],
    ['the installed app', { userAgent: phone, maxTouchPoints: 5, standalone: true }, null],
    ['Safari on a Mac', { userAgent: mac, maxTouchPoints: 0 }, null],
    ['Chrome on an iPhone', { userAgent: phone.replace('Version/18.1', 'CriOS/130.0'), maxTouchPoints: 5 }, null],
    [
      'Chrome on Android',
      {
        userAgent:
          'Mozilla/5.0 (Linux; Android 14) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/130.0 Mobile Safari/537.36',
        maxTouchPoints: 5,
      },
      null,
    ],
    [
      'Firefox on Android',
      { userAgent: 'Mozilla/5.0 (Android 14; Mobile; rv:143.0) Gecko/143.0 Firefox/143.0', maxTouchPoints: 5 },
      'browser',
    ],
  ])('returns the right menu for %s', (_, device, menu) => {
    expect(installMenu(device)).toBe(menu);
  });
});
