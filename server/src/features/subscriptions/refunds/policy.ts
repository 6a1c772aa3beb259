import { chargeable } from '#contract/subscriptions/currency.ts';
import type { Money } from '#contract/subscriptions/plan.ts';

const dayMs = 86_400_000;

/** A paid invoice of a subscription; an earlier plan paid the credit on its receipt. */
export interface PaidInvoice {
  id: string;
  total_minor: number;
  currency: string;
  refunded_minor: number;
  receipt: { creditMinor: number } | null;
  period_start: Date;
  period_end: Date;
}

/** What is paid back, and of which invoices. */
export interface Refund {
  days: number;
  amount: Money;
  parts: { invoiceId: string; amountMinor: number }[];
}

/**
 * What is paid back to someone who can't use a subscription from `from` on: the days of the paid period that had not ended by then, as
 * a share of all its days. The newest invoice comes first; what it doesn't cover, because an earlier plan paid for a part of the period, comes
 * from the ones before. Null if nothing is left to pay back.
 */
export function refundOf(invoices: readonly PaidInvoice[], from: Date): Refund | null {
  const [newest] = invoices;
  if (newest === undefined) return null;
  const { currency, period_start, period_end } = newest;
  const allDays = Math.max(1, Math.round((period_end.getTime() - period_start.getTime()) / dayMs));
  // In the member's favour, a day that has begun counts.
  const days = Math.min(allDays, Math.max(0, Math.ceil((period_end.getTime() - from.getTime()) / dayMs)));
  const price = newest.total_minor + (newest.receipt?.creditMinor ?? 0);
  let left = chargeable((price * days) / allDays, currency);
  const parts = invoices
    .filter((invoice) => invoice.currency === currency)
    .map((invoice) => {
      const amountMinor = Math.max(0, Math.min(left, invoice.total_minor - invoice.refunded_minor));
      left -= amountMinor;
      return { invoiceId: invoice.id, amountMinor };
    })
    .filter(({ amountMinor }) => amountMinor > 0);
  const amountMinor = parts.reduce((sum, part) => sum + part.amountMinor, 0);
  return amountMinor === 0 ? null : { days, amount: { amountMinor, currency }, parts };
}
