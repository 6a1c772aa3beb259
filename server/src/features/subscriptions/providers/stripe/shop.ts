import type { FastifyBaseLogger } from 'fastify';
import type Stripe from 'stripe';
import { chargeable } from '#contract/subscriptions/currency.ts';
import type { Money, Plan } from '#contract/subscriptions/plan.ts';
import { PaymentError, type PaymentStart, type ProviderSubscription } from '../provider.ts';
import {
  askedIn,
  faultOfPrice,
  isGivenBack,
  isOver,
  itemOf,
  latestInvoiceOf,
  moneyIn,
  moneyOfPrice,
  paidIntentsOf,
  paidPeriodIn,
  pausedUntil,
  paymentIntentOf,
  planOfPrice,
  reachOf,
  statusOf,
  subscriptionParts,
  triedUntil,
  viewOfSubscription,
} from './objects.ts';
import { declineCode, entriesIn, expandedIn, flagIn, idIn, idOf, momentIn, textIn } from './api.ts';

/** What is sold through Stripe, and how its subscriptions are read. */
export interface StripeShop {
  stripe: Stripe;
  priceIds: Record<Plan, string>;
  /** The id of a plan's price. Rejects with `unavailable` if it differs from the plan's price here. */
  requirePrice(plan: Plan): Promise<string>;
  /** A subscription with everything we read of it. */
  read(id: string): Promise<Stripe.Subscription>;
  /** The current state of the object in an answer, because a repeated key returns the first answer, which may be old. */
  renewed(answer: Stripe.Response<Stripe.Subscription>): Promise<Stripe.Subscription>;
  viewOf(subscription: Stripe.Subscription): Promise<ProviderSubscription>;
  startOf(subscription: Stripe.Subscription): Promise<PaymentStart>;
}

interface Offer {
  priceIds: Record<Plan, string>;
  prices: Record<Plan, Money>;
}

// Renewals, changes and their attempts happen one after another, so the invoice that ends last is among the newest. Each start and end of a
// pause adds a zero-amount invoice.
const newestPaid = 100;

/** The shop for a client. */
export function openShop(stripe: Stripe, { priceIds, prices }: Offer, log: FastifyBaseLogger): StripeShop {
  // The amount of a Stripe price can never be changed.
  const checked = new Set<Plan>();
  const shop: StripeShop = {
    stripe,
    priceIds,
    async requirePrice(plan) {
      if (checked.has(plan)) return priceIds[plan];
      const fault = await faultOfPrice(stripe, priceIds[plan], plan, prices[plan]);
      if (fault !== null) {
        log.error({ plan, fault }, 'the price at Stripe differs from the displayed one');
        throw new PaymentError('unavailable');
      }
      checked.add(plan);
      return priceIds[plan];
    },
    async read(id) {
      const subscription = await stripe.subscriptions.retrieve(id, { expand: subscriptionParts });
      idOf(subscription, 'subscription', id);
      return subscription;
    },
    async renewed(answer) {
      const isOld = new Headers(answer.lastResponse.headers).get('idempotent-replayed') === 'true';
      return isOld ? await shop.read(answer.id) : answer;
    },
    async viewOf(subscription) {
      return viewOfSubscription(subscription, priceIds, await paidThrough(stripe, subscription));
    },
    async startOf(subscription) {
      return { subscription: await shop.viewOf(subscription), ...askedIn(subscription) };
    },
  };
  return shop;
}

/** The end of what was paid and not refunded, or of a trial with its card; null if there was neither. */
async function paidThrough(stripe: Stripe, subscription: Stripe.Subscription): Promise<Date | null> {
  const status = statusOf(subscription);
  if (status === 'incomplete' || status === 'incomplete_expired') return null;
  const trialEnd = triedUntil(subscription);
  for (const { reach, invoice } of await paidInvoices(stripe, subscription.id)) {
    if (!(await wasGivenBack(stripe, invoice))) return momentIn(reach, 'period of a line');
  }
  return trialEnd === null ? null : momentIn(trialEnd, 'trial_end');
}

/** The paid invoices of a subscription, starting with the one that ends last. */
async function paidInvoices(
  stripe: Stripe,
  subscription: string,
): Promise<{ reach: number; invoice: Stripe.Invoice }[]> {
  const page = await stripe.invoices.list({
    subscription,
    status: 'paid',
    limit: newestPaid,
    expand: ['data.payments'],
  });
  return entriesIn(page, 'invoices')
    .flatMap((invoice) => {
      const reach = reachOf(invoice);
      return reach === null ? [] : [{ reach, invoice }];
    })
    .sort((one, other) => other.reach - one.reach);
}

/** Whether all the money of an invoice was returned or reclaimed. */
async function wasGivenBack(stripe: Stripe, invoice: Stripe.Invoice): Promise<boolean> {
  const intents = paidIntentsOf(invoice);
  for (const id of intents) {
    const intent = await stripe.paymentIntents.retrieve(id, { expand: ['latest_charge'] });
    const charge = expandedIn(intent.latest_charge, 'latest_charge');
    if (charge === null || !isGivenBack(charge, await reclaimedAmong(stripe, [charge]))) return false;
  }
  return intents.length > 0;
}

/** Starts a new period immediately, which ends a trial. */
function newPeriod({ status }: Stripe.Subscription) {
  return status === 'trialing' ? { trial_end: 'now' as const } : { billing_cycle_anchor: { type: 'now' as const } };
}

/**
 * The unused part of a paid period, in minor units, if its pause was undone: Stripe treats the rest of it as a trial, and would credit
 * nothing for it.
 */
function creditFor(subscription: Stripe.Subscription, now: Date): number {
  const paid = subscription.status === 'trialing' ? paidPeriodIn(subscription) : null;
  if (paid === null) return 0;
  const { amountMinor, currency } = moneyOfPrice(itemOf(subscription).price);
  const unused = Math.max(0, paid.end - now.getTime() / 1000) / (paid.end - paid.start);
  return chargeable(amountMinor * unused, currency);
}

function creditItem(subscription: Stripe.Subscription, now: Date): Stripe.SubscriptionUpdateParams {
  const credit = creditFor(subscription, now);
  const { currency, product } = itemOf(subscription).price;
  if (credit === 0) return {};
  return {
    add_invoice_items: [{ price_data: { currency, product: idIn(product, 'product'), unit_amount: -credit } }],
  };
}

/** What changing to a plan costs at `now`. */
export async function previewChange(
  { stripe, read, requirePrice }: StripeShop,
  { customerId, subscriptionId, plan }: { customerId: string; subscriptionId: string; plan: Plan },
  now: Date,
): Promise<Money> {
  const [price, subscription] = [await requirePrice(plan), await read(subscriptionId)];
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
  const { amountMinor, currency } = moneyIn(invoice.amount_due, invoice.currency, 'amount_due of a preview');
  return { amountMinor: Math.max(0, amountMinor - creditFor(subscription, now)), currency };
}

/**
 * Changes the plan. With `prorate`, a declined card rejects with its `PaymentError` and leaves the old plan, and a change that the bank
 * wants confirmed waits. A subscription that already has the plan stays unchanged, unless it is paused: then it starts a period.
 */
export async function changePlan(
  shop: StripeShop,
  { subscriptionId, plan, prorate }: { subscriptionId: string; plan: Plan; prorate: boolean },
  idempotencyKey: string,
  now: Date,
): Promise<PaymentStart> {
  const { stripe } = shop;
  const before = await shop.read(subscriptionId);
  if (isOver(before)) throw new PaymentError('invalid');
  const item = itemOf(before);
  const isPaused = pausedUntil(before) !== null;
  const isOwnPlan = isPaused && planOfPrice(shop.priceIds, item.price) === plan;
  const price = isOwnPlan ? item.price.id : await shop.requirePrice(plan);
  if (item.price.id === price && !isPaused) return await shop.startOf(before);
  if (!prorate) await dropRenewal(stripe, before);
  const answer = await stripe.subscriptions.update(
    subscriptionId,
    {
      items: [{ id: item.id, price }],
      ...newPeriod(before),
      ...(prorate
        ? {
            proration_behavior: 'always_invoice',
            payment_behavior: 'pending_if_incomplete',
            ...creditItem(before, now),
          }
        : { proration_behavior: 'none', payment_behavior: 'allow_incomplete', off_session: true }),
      expand: subscriptionParts,
    },
    { idempotencyKey },
  );
  const after = await shop.renewed(answer);
  const isDone = isPaused ? pausedUntil(after) === null : itemOf(after).price.id === price;
  if (!isDone) await requireOpen(stripe, answer, after);
  return await shop.startOf(after);
}

/** Cancels the old plan's renewal that Stripe has created but not tried yet. */
async function dropRenewal(stripe: Stripe, subscription: Stripe.Subscription): Promise<void> {
  const invoice = latestInvoiceOf(subscription);
  if (invoice?.status !== 'draft' || invoice.billing_reason !== 'subscription_cycle') return;
  const id = textIn(invoice.id, 'id of an invoice');
  await stripe.invoices.finalizeInvoice(id, { auto_advance: false });
  await stripe.invoices.voidInvoice(id);
}

/** Resolves while the payer can still complete a change. A declined change is canceled, and the promise rejects with the reason. */
async function requireOpen(stripe: Stripe, answer: Stripe.Subscription, after: Stripe.Subscription): Promise<void> {
  const invoice = latestInvoiceOf(answer);
  const intentId = invoice === null ? null : paymentIntentOf(invoice);
  if (invoice === null || intentId === null) throw new PaymentError('unavailable');
  const intent = await stripe.paymentIntents.retrieve(intentId);
  idOf(intent, 'payment_intent', intentId);
  const { status, last_payment_error: error } = intent;
  const isWaiting = after.pending_update !== null;
  if (isWaiting && (status !== 'requires_payment_method' || error === null)) return;
  // An open invoice would charge for something the member never had.
  if (isWaiting) await stripe.invoices.voidInvoice(textIn(invoice.id, 'id of an invoice'));
  throw new PaymentError(declineCode(error ?? {}));
}

/**
 * The ids of those charges that a bank has reclaimed. A charge stays `disputed` forever, so its disputes decide: one that was won or whose
 * money was returned is over, and an inquiry (`warning_…`) withdraws no money.
 */
export async function reclaimedAmong(stripe: Stripe, charges: readonly Stripe.Charge[]): Promise<Set<string>> {
  const reclaimed = new Set<string>();
  for (const { id, disputed } of charges) {
    if (!flagIn(disputed, 'disputed')) continue;
    const disputes = entriesIn(await stripe.disputes.list({ charge: id, limit: 100 }), 'disputes');
    if (disputes.some(isHeld)) reclaimed.add(id);
  }
  return reclaimed;
}

const heldStatuses = new Set(['needs_response', 'under_review', 'lost']);

/** Whether the bank has the money of a dispute. */
function isHeld({ status, balance_transactions: moved }: Stripe.Dispute): boolean {
  if (!heldStatuses.has(textIn(status, 'status of a dispute'))) return false;
  return !entriesIn({ data: moved }, 'balance_transactions of a dispute').some(({ amount }) => amount > 0);
}
