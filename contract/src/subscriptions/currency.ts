import type { Money } from './plan.ts';

/** How a currency is counted, charged and shown, in decimals. */
export interface CurrencyRule {
  /** How many decimals `amountMinor` counts, as at Stripe: 2 for cents. */
  digits: number;
  /** How many decimals a charged amount may have. */
  chargedDigits: number;
  /** How many decimals are shown at most. */
  shownDigits: number;
}

// From https://docs.stripe.com/currencies. `Intl` is not a source for this: it gives the decimals of everyday use and
// counts 18 of these currencies (HUF, IDR, ALL …) in whole units, which Stripe counts in hundredths.
const usual: CurrencyRule = { digits: 2, chargedDigits: 2, shownDigits: 2 };
const whole: CurrencyRule = { digits: 0, chargedDigits: 0, shownDigits: 0 };
/** Counted in hundredths for old integrations, but only whole units can be charged. */
const wholeInHundredths: CurrencyRule = { digits: 2, chargedDigits: 0, shownDigits: 0 };
/** Card networks accept thousandths only in steps of ten. */
const thousandths: CurrencyRule = { digits: 3, chargedDigits: 2, shownDigits: 3 };

const byRule: [CurrencyRule, string][] = [
  [whole, 'BIF CLP DJF GNF JPY KMF KRW MGA PYG RWF VND VUV XAF XOF XPF'],
  [wholeInHundredths, 'ISK UGX'],
  [thousandths, 'BHD JOD KWD OMR TND'],
];
const exceptions = new Map(byRule.flatMap(([rule, codes]) => codes.split(' ').map((code) => [code, rule] as const)));

/**
 * The rule of a currency by its code in capitals. HUF and TWD are paid out in whole units only, but charged like other
 * currencies.
 */
export function currencyRule(currency: string): CurrencyRule {
  return exceptions.get(currency) ?? usual;
}

/**
 * Parses a decimal amount such as `14.99` into minor units; null if it isn't a number or can't be charged in this
 * currency.
 */
export function amountOf(text: string, currency: string): number | null {
  const [, units, decimals = ''] = /^(\d{1,10})(?:\.(\d{1,6}))?$/.exec(text) ?? [];
  const { digits, chargedDigits } = currencyRule(currency);
  if (units === undefined || /[^0]/.test(decimals.slice(chargedDigits))) return null;
  return Number(units + decimals.slice(0, digits).padEnd(digits, '0'));
}

const roundTo = (minor: number, step: number) => Math.sign(minor) * Math.round(Math.abs(minor) / step) * step;

/** Rounds a computed amount to one that can be charged. */
export function chargeable(minor: number, currency: string): number {
  const { digits, chargedDigits } = currencyRule(currency);
  return roundTo(minor, 10 ** (digits - chargedDigits));
}

/** Rounds a computed amount to one that can be shown, so that the shown amounts add up. */
export function showable(minor: number, currency: string): number {
  const { digits, shownDigits } = currencyRule(currency);
  return roundTo(minor, 10 ** (digits - shownDigits));
}

/** An amount in whole units of its currency. */
export function majorOf({ amountMinor, currency }: Money): number {
  return amountMinor / 10 ** currencyRule(currency).digits;
}

/** The number format for a currency in a language; whole amounts without decimals where that is usual. */
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

/** Money in a format: written from right to left, as `Intl` marks it in Arabic, "US$" would become "$US". */
export const moneyText = (format: Intl.NumberFormat, money: Money): string =>
  format.format(majorOf(money)).replace(/^\u200f(?=\P{Lo}*$)/u, '');

/** Money in a language, such as $14.99. */
export const moneyIn = (language: string, money: Money): string =>
  moneyText(moneyFormat(money.currency, language), money);

/** Money in English, such as $14.99. */
export const moneyInEnglish = (money: Money): string => moneyIn('en', money);
