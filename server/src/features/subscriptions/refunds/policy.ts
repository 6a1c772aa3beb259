import { chargeable } from '#contract/subscriptions/currency.ts';
import type { Money } from '#contract/subscriptions/plan.ts';

const dayMs = 86_400_000;

/** A paid invoice of a subscription, in minor units of its currency. */
export interface PaidInvoice {
  id: string;
  total: Money;
  refundedMinor: number;
  /** What an earlier plan paid of the period. */
  creditMinor: number;
  periodStart: Date;
  periodEnd: Date;
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
  const { total, creditMinor, periodStart, periodEnd } = newest;
  const allDays = Math.max(1, Math.round((periodEnd.getTime() - periodStart.getTime()) / dayMs));
  // In the member's favour, a day that has begun counts.
  const days = Math.min(allDays, Math.max(0, Math.ceil((periodEnd.getTime() - from.getTime()) / dayMs)));
  let left = chargeable(((total.amountMinor + creditMinor) * days) / allDays, total.currency);
  const parts = invoices
    .filter((invoice) => invoice.total.currency === total.currency)
    .map((invoice) => {
      const amountMinor = Math.max(0, Math.min(left, invoice.total.amountMinor - invoice.refundedMinor));
      left -= amountMinor;
      return { invoiceId: invoice.id, amountMinor };
    })
    .filter(({ amountMinor }) => amountMinor > 0);
  const amountMinor = parts.reduce((sum, part) => sum + part.amountMinor, 0);
  return amountMinor === 0 ? null : { days, amount: { amountMinor, currency: total.currency }, parts };
}
