import { chargeable } from '#contract/subscriptions/currency.ts';
import { isUpgrade, type Money, type Plan } from '#contract/subscriptions/plan.ts';
import type { RefundPart } from '#platform/db/json.ts';

const hourMs = 3_600_000;
const dayMs = 24 * hourMs;

/** A paid invoice of a subscription; an earlier plan paid the credit on its receipt. */
export interface PaidInvoice {
  id: string;
  total_minor: number;
  currency: string;
  refunded_minor: number;
  receipt: { creditMinor: number } | null;
  period_start: Date;
  period_end: Date;
  /** Nothing is owed for its used days, because the buyer may withdraw and didn't ask to start at once. */
  isFree?: boolean;
}

/** The amount of a refund, split by invoices. */
export interface Refund {
  days: number;
  amount: Money;
  parts: RefundPart[];
}

/**
 * The refund for someone who doesn't use a subscription from `from` on: the days of the paid period that had not ended by then, as a share
 * of all its days, and the used days of free invoices. The newest invoice comes first; what it doesn't cover, because an earlier plan paid
 * for a part of the period, is taken from the ones before. Null if nothing is left to refund.
 */
export function refundOf(invoices: readonly PaidInvoice[], from: Date): Refund | null {
  const [newest] = invoices;
  if (newest === undefined) return null;
  const { currency, period_start, period_end } = newest;
  const allDays = Math.max(1, Math.round((period_end.getTime() - period_start.getTime()) / dayMs));
  // A day that has started counts, in the member's favour.
  const days = Math.min(allDays, Math.max(0, Math.ceil((period_end.getTime() - from.getTime()) / dayMs)));
  const own = invoices.filter((invoice) => invoice.currency === currency);
  // A free one refunds what the next plan didn't credit.
  const creditOf = ({ receipt }: PaidInvoice) => receipt?.creditMinor ?? 0;
  const unused = chargeable(((newest.total_minor + creditOf(newest)) * days) / allDays, currency);
  const used = own.map((invoice, index) => {
    const newer = own[index - 1];
    return invoice.total_minor + creditOf(invoice) - (newer === undefined ? unused : creditOf(newer));
  });
  let left = unused + used.reduce((sum, price, index) => sum + (own[index]?.isFree === true ? price : 0), 0);
  const parts = own
    .map((invoice) => {
      const amountMinor = Math.max(0, Math.min(left, invoice.total_minor - invoice.refunded_minor));
      left -= amountMinor;
      return { invoiceId: invoice.id, amountMinor };
    })
    .filter(({ amountMinor }) => amountMinor > 0);
  const amountMinor = parts.reduce((sum, part) => sum + part.amountMinor, 0);
  return amountMinor === 0 ? null : { days, amount: { amountMinor, currency }, parts };
}

const withdrawalDays = 14;
/** The zones of the EU, which includes islands in the Caribbean and the Indian Ocean, lie within four hours of UTC. */
const zoneHours = 4;

/**
 * When the right to withdraw from a purchase ends, in every zone of the EU (Regulation 1182/71, article 3): at the end of the last of 14
 * days, which is never a Saturday or Sunday. The day of the purchase isn't counted.
 */
export function withdrawableUntil(purchasedAt: Date): Date {
  const last = new Date(purchasedAt.getTime() + zoneHours * hourMs);
  last.setUTCDate(last.getUTCDate() + withdrawalDays);
  while (last.getUTCDay() % 6 === 0) last.setUTCDate(last.getUTCDate() + 1);
  last.setUTCHours(24 + zoneHours, 0, 0, 0);
  return last;
}

interface Charge extends PaidInvoice {
  plan: Plan | null;
  created_at: Date;
  paid_at: Date | null;
}

/**
 * Until when a subscription can be withdrawn from, or null, and its invoices, with those that are free by then. `charges` are the paid
 * ones, oldest first. The first payment or the trial before it, and each change to a longer plan, is a purchase; a renewal isn't.
 */
export function withdrawalOf<T extends Charge>(
  charges: readonly T[],
  row: { plan: Plan; trial_start: Date | null; withdrawable: boolean; starts_now: Plan[] },
  at: Date,
): { until: Date | null; charges: T[] } {
  let until = row.trial_start && withdrawableUntil(row.trial_start);
  let former: Plan | null = null;
  const marked = charges.map((charge) => {
    const plan = charge.plan ?? former ?? row.plan;
    if (until === null || (former !== null && isUpgrade(former, plan)))
      until = withdrawableUntil(charge.paid_at ?? charge.created_at);
    former = plan;
    return { ...charge, isFree: row.withdrawable && until > at && !row.starts_now.includes(plan) };
  });
  return { until: row.withdrawable && until !== null && until > at ? until : null, charges: marked };
}
