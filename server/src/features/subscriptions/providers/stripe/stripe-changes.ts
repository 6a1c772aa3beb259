import type Stripe from 'stripe';
import type { Money, Plan } from '#contract/subscriptions/plan.ts';
import { PaymentError, type PaymentStart } from '../provider.ts';
import { declineCode } from './stripe-errors.ts';
import { idIn, idOf, textIn } from './stripe-fields.ts';
import { paymentIntentOf } from './stripe-invoices.ts';
import { moneyIn } from './stripe-prices.ts';
import type { StripeShop } from './stripe-shop.ts';
import { isOver, itemOf, latestInvoiceOf, subscriptionParts } from './stripe-subscriptions.ts';

/** What begins a new period at once: a trial is over with it. */
function newPeriod({ status }: Stripe.Subscription) {
  return status === 'trialing' ? { trial_end: 'now' as const } : { billing_cycle_anchor: { type: 'now' as const } };
}

/** What changing to a plan takes now. */
export async function previewChange(
  { stripe, read, demandPrice }: StripeShop,
  { customerId, subscriptionId, plan }: { customerId: string; subscriptionId: string; plan: Plan },
): Promise<Money> {
  const [price, subscription] = [await demandPrice(plan), await read(subscriptionId)];
  if (idIn(subscription.customer, 'customer') !== customerId) throw new PaymentError('invalid');
  const invoice = await stripe.invoices.createPreview({
    customer: customerId,
    subscription: subscriptionId,
    subscription_details: {
      items: [{ id: itemOf(subscription).id, price }],
      proration_behavior: 'always_invoice',
      ...newPeriod(subscription),
    },
  });
  return moneyIn(invoice.amount_due, invoice.currency, 'amount_due of a preview');
}

/**
 * Changes the plan. With `prorate` a refused card rejects with its `PaymentError` and leaves the old plan, and what the bank
 * asks back about waits for its answer. A subscription that has the plan already stays as it is.
 */
export async function changePlan(
  shop: StripeShop,
  { subscriptionId, plan, prorate }: { subscriptionId: string; plan: Plan; prorate: boolean },
  idempotencyKey: string,
): Promise<PaymentStart> {
  const { stripe } = shop;
  const [price, before] = [await shop.demandPrice(plan), await shop.read(subscriptionId)];
  if (isOver(before)) throw new PaymentError('invalid');
  const item = itemOf(before);
  if (item.price.id === price) return await shop.startOf(before);
  if (!prorate) await dropRenewal(stripe, before);
  const answer = await stripe.subscriptions.update(
    subscriptionId,
    {
      items: [{ id: item.id, price }],
      ...newPeriod(before),
      ...(prorate
        ? { proration_behavior: 'always_invoice', payment_behavior: 'pending_if_incomplete' }
        : { proration_behavior: 'none', payment_behavior: 'allow_incomplete', off_session: true }),
      expand: subscriptionParts,
    },
    { idempotencyKey },
  );
  const after = await shop.renewed(answer);
  if (itemOf(after).price.id !== price) await demandOpen(stripe, answer, after);
  return await shop.startOf(after);
}

/** Lets the old plan's renewal go that Stripe has made out and not tried yet. */
async function dropRenewal(stripe: Stripe, subscription: Stripe.Subscription): Promise<void> {
  const invoice = latestInvoiceOf(subscription);
  if (invoice?.status !== 'draft' || invoice.billing_reason !== 'subscription_cycle') return;
  const id = textIn(invoice.id, 'id of an invoice');
  await stripe.invoices.finalizeInvoice(id, { auto_advance: false });
  await stripe.invoices.voidInvoice(id);
}

/** Passes while the payer can still answer for a change; a refused one is given up, and rejects with the reason. */
async function demandOpen(stripe: Stripe, answer: Stripe.Subscription, after: Stripe.Subscription): Promise<void> {
  const invoice = latestInvoiceOf(answer);
  const intentId = invoice === null ? null : paymentIntentOf(invoice);
  if (invoice === null || intentId === null) throw new PaymentError('unavailable');
  const intent = await stripe.paymentIntents.retrieve(intentId);
  idOf(intent, 'payment_intent', intentId);
  const { status, last_payment_error: error } = intent;
  const isWaiting = after.pending_update !== null;
  if (isWaiting && (status !== 'requires_payment_method' || error === null)) return;
  // An open invoice would be a debt for what was not had.
  if (isWaiting) await stripe.invoices.voidInvoice(textIn(invoice.id, 'id of an invoice'));
  throw new PaymentError(declineCode(error ?? {}));
}
