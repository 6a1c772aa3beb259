import { afterEach, describe, expect, it, vi } from 'vitest';
import { formatExpiry, formatMoney } from './format-payment.ts';
import { setLanguage } from './text.ts';
import {
  compareTexts,
  daysAgo,
  formatChange,
  formatDate,
  formatDay,
  formatMonth,
  formatNumber,
  formatPercent,
  isSameDay,
  lastActiveText,
} from './format.ts';

const now = Date.parse('2025-10-20T12:00:00.000Z');
const hoursAgo = (hours: number) => new Date(now - hours * 3_600_000).toISOString();
const words = (time: string | null) => lastActiveText(time, now, 'en');

describe('lastActiveText', () => {
  it.each([
    [null, 'Never'],
    ['not a time', 'Never'],
    [hoursAgo(0), 'Just now'],
    [hoursAgo(0.99), 'Just now'],
    [hoursAgo(1), '1h ago'],
    [hoursAgo(23.9), '23h ago'],
    [hoursAgo(24), '1d ago'],
    [hoursAgo(167.9), '6d ago'],
    [hoursAgo(168), 'Oct 13, 2025'],
  ])('shows %s as %s', (time, text) => {
    expect(words(time)).toBe(text);
  });
});

describe('numbers and dates', () => {
  it("are formatted for the reader's locale", () => {
    expect(formatNumber(1234567, 'en')).toBe('1,234,567');
    expect(formatPercent(89, 'en')).toBe('89%');
    expect(formatChange(12, 'en')).toBe('+12%');
    expect(formatChange(-3, 'en')).toBe('-3%');
    expect(formatChange(0, 'en')).toBe('0%');
    expect(formatDay('1994-03-02', 'en')).toBe('Mar 2, 1994');
    expect(formatMonth('2025-10', 'en')).toBe('Oct');
  });

  it('are shown as a dash if missing', () => {
    expect(formatDate(null, 'en')).toBe('—');
    expect(formatDate('nonsense', 'en')).toBe('—');
    expect(formatDay(null, 'en')).toBe('—');
  });
});

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

describe('formatMoney', () => {
  it.each([
    ['USD', 1499, 'en', '$14.99'],
    ['USD', 5, 'en', '$0.05'],
    ['USD', 0, 'en', '$0.00'],
    ['USD', 123456789, 'en', '$1,234,567.89'],
    ['CAD', 1499, 'en', 'CA$14.99'],
    ['EUR', 1499, 'de', '14,99 €'],
    ['JPY', 1499, 'en', '¥1,499'],
    ['KWD', 1499, 'en', 'KWD 1.499'],
    ['ISK', 199_000, 'en', 'ISK 1,990'],
    ['UGX', 500, 'en', 'UGX 5'],
    ['HUF', 499_000, 'hu', '4990 Ft'],
    ['HUF', 499_050, 'hu', '4990,50 Ft'],
    ['IDR', 14_900_000, 'en', 'IDR 149,000'],
    ['TWD', 45_000, 'en', 'NT$450.00'],
  ])('formats %s %i in the locale %s as %s', (currency, amountMinor, locale, text) => {
    expect(formatMoney({ amountMinor, currency }, locale).replaceAll('\u00a0', ' ')).toBe(text);
  });

  it.each([
    ['USD', 1499, '\u206814.99 US$\u2069'],
    ['USD', -611, '\u2068\u200e-6.11 US$\u2069'],
    ['SAR', 1499, '\u200f14.99 ر.س.\u200f'],
  ])('keeps the direction of %s %i apart in Arabic', (currency, amountMinor, text) => {
    setLanguage('ar');
    expect(formatMoney({ amountMinor, currency }, 'ar').replaceAll('\u00a0', ' ')).toBe(text);
  });
});

describe('formatExpiry', () => {
  it.each([
    [1, 2030, 'en', '01/2030'],
    [12, 2025, 'en', '12/2025'],
    [12, 2025, 'ja', '2025/12'],
  ])('formats %i/%i in the locale %s as %s', (expMonth, expYear, locale, text) => {
    expect(formatExpiry({ expMonth, expYear }, locale)).toBe(text);
  });
});

describe('compareTexts', () => {
  it.each([
    ['de', ['Österreich', 'Schweden', 'Zypern', 'Ägypten'], ['Ägypten', 'Österreich', 'Schweden', 'Zypern']],
    ['sv', ['Österrike', 'Sverige', 'Zambia', 'Ålandsöarna'], ['Sverige', 'Zambia', 'Ålandsöarna', 'Österrike']],
    ['pl', ['Świat', 'Szwecja', 'Tonga'], ['Szwecja', 'Świat', 'Tonga']],
  ])('orders names as %s does', (locale, names, sorted) => {
    expect(names.toSorted((one, other) => compareTexts(one, other, locale))).toEqual(sorted);
  });
});
