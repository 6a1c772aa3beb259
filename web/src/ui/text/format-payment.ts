import { moneyFormat, moneyText } from '#contract/subscriptions/currency.ts';
import type { Money } from '#contract/subscriptions/plan.ts';
import { kept } from './format.ts';
import { isolated, locale as readersLocale } from './text.ts';

/** An amount in the reader's format, with as many decimals as its currency has; an em dash if it is missing. */
export function formatMoney(money: Money | null | undefined, locale = readersLocale): string {
  if (!money?.currency) return '—';
  const format = kept(`${money.currency} ${locale}`, () => moneyFormat(money.currency, locale));
  return isolated(moneyText(format, money));
}

/** The last month in which a card is valid, such as 12/2030. */
export function formatExpiry(
  { expMonth, expYear }: { expMonth: number; expYear: number },
  locale = readersLocale,
): string {
  const options: Intl.DateTimeFormatOptions = { month: '2-digit', year: 'numeric', timeZone: 'UTC' };
  return kept(`expiry ${locale}`, () => new Intl.DateTimeFormat(locale, options)).format(
    Date.UTC(expYear, expMonth - 1),
  );
}
