import { describe, expect, it } from 'vitest';
import { formatExpiry, formatMoney } from './format-payment.ts';

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
