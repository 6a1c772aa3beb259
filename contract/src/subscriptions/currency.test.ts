import { describe, expect, it } from 'vitest';
import { amountOf, chargeable, currencyRule, majorOf, moneyInEnglish, showable } from './currency.ts';

// Stripe's presentment currencies.
const zeroDecimal = 'BIF CLP DJF GNF JPY KMF KRW MGA PYG RWF VND VUV XAF XOF XPF'.split(' ');
const wholeInHundredths = ['ISK', 'UGX'];
const threeDecimal = ['BHD', 'JOD', 'KWD', 'OMR', 'TND'];
const twoDecimal = `USD AED AFN ALL AMD ANG AOA ARS AUD AWG AZN BAM BBD BDT BGN BMD BND BOB BRL BSD BWP BYN BZD CAD CDF
  CHF CNY COP CRC CVE CZK DKK DOP DZD EGP ETB EUR FJD FKP GBP GEL GIP GMD GTQ GYD HKD HNL HTG HUF IDR ILS INR JMD KES
  KGS KHR KYD KZT LAK LBP LKR LRD LSL MAD MDL MKD MMK MNT MOP MUR MVR MWK MXN MYR MZN NAD NGN NIO NOK NPR NZD PAB PEN
  PGK PHP PKR PLN QAR RON RSD RUB SAR SBD SCR SEK SGD SHP SLE SOS SRD STD SZL THB TJS TOP TRY TTD TWD TZS UAH UYU UZS
  WST XCD YER ZAR ZMW`.split(/\s+/);

describe('currency rules', () => {
  it.each(zeroDecimal)('%s: amounts have no decimals', (currency) => {
    expect(amountOf('1500', currency)).toBe(1500);
    expect(amountOf('1500.00', currency)).toBe(1500);
    expect(amountOf('1500.5', currency)).toBeNull();
    expect(majorOf({ amountMinor: 1500, currency })).toBe(1500);
    expect(moneyInEnglish({ amountMinor: 1500, currency })).toMatch(/1,500$/);
  });

  it.each(wholeInHundredths)('%s: amounts are counted in hundredths and have no decimals', (currency) => {
    expect(amountOf('5', currency)).toBe(500);
    expect(amountOf('5.00', currency)).toBe(500);
    expect(amountOf('5.50', currency)).toBeNull();
    expect(chargeable(1249, currency)).toBe(1200);
    expect(chargeable(-1250, currency)).toBe(-1300);
    expect(showable(1249, currency)).toBe(1200);
    expect(moneyInEnglish({ amountMinor: 150_000, currency })).toMatch(/1,500$/);
  });

  it.each(threeDecimal)('%s: amounts are counted in thousandths and end in 0', (currency) => {
    expect(amountOf('5', currency)).toBe(5000);
    expect(amountOf('5.12', currency)).toBe(5120);
    expect(amountOf('5.120', currency)).toBe(5120);
    expect(amountOf('5.124', currency)).toBeNull();
    expect(chargeable(5124, currency)).toBe(5120);
    expect(showable(5124, currency)).toBe(5124);
    expect(moneyInEnglish({ amountMinor: 5120, currency })).toMatch(/5\.120$/);
  });

  it.each(twoDecimal)('%s: amounts are counted in hundredths', (currency) => {
    expect(amountOf('1500', currency)).toBe(150_000);
    expect(amountOf('14.9', currency)).toBe(1490);
    expect(amountOf('14.99', currency)).toBe(1499);
    expect(amountOf('14.990', currency)).toBe(1499);
    expect(amountOf('9.999', currency)).toBeNull();
    expect(chargeable(1499, currency)).toBe(1499);
    expect(majorOf({ amountMinor: 1499, currency })).toBe(14.99);
    expect(moneyInEnglish({ amountMinor: 1499, currency })).toMatch(/14\.99$/);
    expect(currencyRule(currency).shownDigits).toBe(2);
  });

  it.each(['', '-1', '1e3', '1,50', '.5', '5.', '1500 JPY', ' 5', '12345678901'])(
    'reject the text "%s" as an amount',
    (text) => {
      expect(amountOf(text, 'USD')).toBeNull();
    },
  );
});

describe('moneyInEnglish', () => {
  it.each([
    ['USD', 1499, '$14.99'],
    ['USD', 1500, '$15.00'],
    ['HUF', 499_000, 'HUF 4,990'],
    ['HUF', 499_050, 'HUF 4,990.50'],
    ['ISK', 199_000, 'ISK 1,990'],
    ['JPY', 1500, '¥1,500'],
    ['KWD', 4500, 'KWD 4.500'],
  ])('formats %s %i as %s', (currency, amountMinor, text) => {
    expect(moneyInEnglish({ amountMinor, currency }).replaceAll('\u00a0', ' ')).toBe(text);
  });
});
