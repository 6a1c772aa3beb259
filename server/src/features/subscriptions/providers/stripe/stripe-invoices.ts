import type Stripe from 'stripe';
import type { Plan } from '#contract/subscriptions/plan.ts';
import { invoiceStatuses, type InvoiceStatus } from '#contract/subscriptions/subscriptions.ts';
import type { ProviderInvoice } from '../provider.ts';
import { entriesIn, flagIn, idIn, idOf, momentIn, momentOrNull, UnreadableAnswer } from './stripe-fields.ts';
import { moneyIn, planOfPriceId } from './stripe-prices.ts';

/** The subscription an invoice is for, or null. */
export function subscriptionOfInvoice({ parent }: Pick<Stripe.Invoice, 'parent'>): string | null {
  const subscription = parent?.subscription_details?.subscription;
  return subscription === undefined ? null : idIn(subscription, 'subscription of an invoice');
}

/** The payments of an invoice that go (or went) through a payment intent, the one Stripe made for it first. */
function paymentsOf(invoice: Stripe.Invoice): { intentId: string; isPaid: boolean }[] {
  const payments = entriesIn(invoice.payments, 'payments of an invoice').filter(
    ({ payment }) => payment.type === 'payment_intent',
  );
  return payments
    .sort((one, other) => Number(other.is_default) - Number(one.is_default))
    .map(({ payment, status }) => ({
      intentId: idIn(payment.payment_intent ?? null, 'payment_intent of an invoice'),
      isPaid: status === 'paid',
    }));
}

/** The payment intent of an invoice that was expanded by `payments`; null for a draft, or where nothing is to be paid. */
export function paymentIntentOf(invoice: Stripe.Invoice): string | null {
  return paymentsOf(invoice)[0]?.intentId ?? null;
}

/** The payment intents that an invoice, expanded by `payments`, was paid through; none where credit paid for it. */
export function paidIntentsOf(invoice: Stripe.Invoice): string[] {
  return paymentsOf(invoice).flatMap(({ intentId, isPaid }) => (isPaid ? [intentId] : []));
}

/** The line that reaches furthest; credit for what was not used of an old plan counts last. */
function mainLineOf(invoice: Stripe.Invoice): Stripe.InvoiceLineItem | undefined {
  const weight = ({ amount }: Stripe.InvoiceLineItem) => Number(amount >= 0);
  return [...entriesIn(invoice.lines, 'lines of an invoice')].sort(
    (one, other) => weight(other) - weight(one) || other.period.end - one.period.end,
  )[0];
}

/** Until when the service goes that an invoice takes money for, in seconds since 1970; null for one that takes none. */
export function reachOf(invoice: Stripe.Invoice): number | null {
  const charged = entriesIn(invoice.lines, 'lines of an invoice').filter(({ amount }) => amount > 0);
  return charged.reduce<number | null>((reach, { period }) => Math.max(reach ?? 0, period.end), null);
}

/** Whether the money of a charge went back: wholly refunded, or fetched back by the bank. */
export function isGivenBack({ refunded, disputed }: Stripe.Charge): boolean {
  return flagIn(refunded, 'refunded') || flagIn(disputed, 'disputed');
}

function statusIn(value: unknown, isRefunded: boolean): InvoiceStatus {
  const status = invoiceStatuses.find((each) => each === value);
  if (status === undefined) throw new UnreadableAnswer('status of an invoice');
  return status === 'paid' && isRefunded ? 'refunded' : status;
}

/** An invoice, expanded by `payments`, in our words. */
export function viewOfInvoice(
  invoice: Stripe.Invoice,
  priceIds: Record<Plan, string>,
  isRefunded: boolean,
): ProviderInvoice {
  const line = mainLineOf(invoice);
  const price = line?.pricing?.price_details?.price;
  return {
    id: idOf(invoice, 'invoice'),
    subscriptionId: subscriptionOfInvoice(invoice),
    number: invoice.number,
    status: statusIn(invoice.status, isRefunded),
    plan: planOfPriceId(priceIds, typeof price === 'object' ? price.id : price),
    total: moneyIn(invoice.total, invoice.currency, 'total of an invoice'),
    createdAt: momentIn(invoice.created, 'created of an invoice'),
    periodStart: momentIn(line?.period.start ?? invoice.period_start, 'period of a line'),
    periodEnd: momentIn(line?.period.end ?? invoice.period_end, 'period of a line'),
    paidAt: momentOrNull(invoice.status_transitions.paid_at, 'paid_at'),
    hostedUrl: invoice.hosted_invoice_url ?? null,
  };
}
