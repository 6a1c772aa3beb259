import type { Money } from './plan.ts';

/** How a currency is counted, charged and shown, in decimals. */
export interface CurrencyRule {
  /** What `amountMinor` counts, here as at Stripe: 2 for cents. */
  digits: number;
  /** What can be charged: an amount has no more decimals than this. */
  chargedDigits: number;
  /** What is shown at most. */
  shownDigits: number;
}

// https://docs.stripe.com/currencies. `Intl` is no source for this: its decimals are those of daily use, so that it
// counts 18 of these currencies (HUF, IDR, ALL …) in whole units, which Stripe counts in hundredths.
const usual: CurrencyRule = { digits: 2, chargedDigits: 2, shownDigits: 2 };
const whole: CurrencyRule = { digits: 0, chargedDigits: 0, shownDigits: 0 };
/** Counted in hundredths for old integrations, of which only whole ones can be charged. */
const wholeInHundredths: CurrencyRule = { digits: 2, chargedDigits: 0, shownDigits: 0 };
/** The card networks take thousandths only in tens. */
const thousandths: CurrencyRule = { digits: 3, chargedDigits: 2, shownDigits: 3 };

const byRule: [CurrencyRule, string][] = [
  [whole, 'BIF CLP DJF GNF JPY KMF KRW MGA PYG RWF VND VUV XAF XOF XPF'],
  [wholeInHundredths, 'ISK UGX'],
  [thousandths, 'BHD JOD KWD OMR TND'],
];
const exceptions = new Map(byRule.flatMap(([rule, codes]) => codes.split(' ').map((code) => [code, rule] as const)));

/** The rule of a currency, by its code in capitals. HUF and TWD are only paid out in whole units, but charged like others. */
export function currencyRule(currency: string): CurrencyRule {
  return exceptions.get(currency) ?? usual;
}

/** A decimal amount such as `14.99` in minor units; null if it isn't a number, or can't be charged in this currency. */
export function amountOf(text: string, currency: string): number | null {
  const [, units, decimals = ''] = /^(\d{1,10})(?:\.(\d{1,6}))?$/.exec(text) ?? [];
  const { digits, chargedDigits } = currencyRule(currency);
  if (units === undefined || /[^0]/.test(decimals.slice(chargedDigits))) return null;
  return Number(units + decimals.slice(0, digits).padEnd(digits, '0'));
}

const roundTo = (minor: number, step: number) => Math.sign(minor) * Math.round(Math.abs(minor) / step) * step;

/** A computed amount, rounded to one that can be charged. */
export function chargeable(minor: number, currency: string): number {
  const { digits, chargedDigits } = currencyRule(currency);
  return roundTo(minor, 10 ** (digits - chargedDigits));
}

/** A computed amount, rounded to one that can be shown, so that a column of them adds up as it is shown. */
export function showable(minor: number, currency: string): number {
  const { digits, shownDigits } = currencyRule(currency);
  return roundTo(minor, 10 ** (digits - shownDigits));
}

/** An amount in whole units of its currency. */
export function majorOf({ amountMinor, currency }: Money): number {
  return amountMinor / 10 ** currencyRule(currency).digits;
}

/** How amounts of a currency are written in a language; whole ones without decimals where that is usual. */
export function moneyFormat(currency: string, locale: string): Intl.NumberFormat {
  const { shownDigits } = currencyRule(currency);
  const style = { style: 'currency', currency } as const;
  const isUsuallyWhole = new Intl.NumberFormat(locale, style).resolvedOptions().maximumFractionDigits === 0;
  return new Intl.NumberFormat(locale, {
    ...style,
    minimumFractionDigits: shownDigits,
    maximumFractionDigits: shownDigits,
    trailingZeroDisplay: isUsuallyWhole ? 'stripIfInteger' : 'auto',
  });
}

/** Money in English, such as $14.99. */
export function moneyInEnglish(money: Money): string {
  return moneyFormat(money.currency, 'en').format(majorOf(money));
}
