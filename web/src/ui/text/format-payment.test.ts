import { describe, expect, it } from 'vitest';
import { formatExpiry, formatMoney } from './format-payment.ts';

describe('money', () => {
  it.each([
    ['USD', 1499, 'en', '$14.99'],
    ['USD', 5, 'en', '$0.05'],
    ['USD', 0, 'en', '$0.00'],
    ['USD', 123456789, 'en', '$1,234,567.89'],
    ['CAD', 1499, 'en', 'CA$14.99'],
    ['EUR', 1499, 'de', '14,99 €'],
    ['JPY', 1499, 'en', '¥1,499'],
    ['KWD', 1499, 'en', 'KWD 1.499'],
  ])('of %s %i in %s is %s', (currency, amountMinor, locale, text) => {
    expect(formatMoney({ amountMinor, currency }, locale).replaceAll('\u00a0', ' ')).toBe(text);
  });
});

describe('the expiry month of a card', () => {
  it.each([
    [1, 2030, 'en', '01/2030'],
    [12, 2025, 'en', '12/2025'],
    [12, 2025, 'ja', '2025/12'],
  ])('%i %i in %s is %s', (expMonth, expYear, locale, text) => {
    expect(formatExpiry({ expMonth, expYear }, locale)).toBe(text);
  });
});
