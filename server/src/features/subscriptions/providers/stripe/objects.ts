import type Stripe from 'stripe';
import {
  type Money,
  type Plan,
  planMonths,
  plans,
  type SubscriptionStatus,
  subscriptionStatuses,
} from '#contract/subscriptions/plan.ts';
import {
  entriesIn,
  expandedIn,
  flagIn,
  idIn,
  idOf,
  isMissing,
  momentIn,
  momentOrNull,
  textIn,
  UnreadableAnswer,
  wholeIn,
} from './api.ts';
import { type InvoiceStatus, invoiceStatuses } from '#contract/subscriptions/subscriptions.ts';
import type { PaymentStart, ProviderInvoice, ProviderSubscription } from '../provider.ts';
import { secondsAfter } from '../../../../platform/process/clock.ts';

/** An amount as Stripe has it, with the currency in capitals. */
export function moneyIn(amount: unknown, currency: unknown, field: string): Money {
  return { amountMinor: wholeIn(amount, field), currency: textIn(currency, `${field} currency`).toUpperCase() };
}

/** What a price takes at a time. */
function moneyOfPrice({ unit_amount, currency }: Stripe.Price): Money {
  return moneyIn(unit_amount, currency, 'price');
}

/** How many months a payment of this price lasts; null for one that is not taken by the month or year. */
function monthsOf({ recurring }: Stripe.Price): number | null {
  if (recurring?.interval === 'month') return recurring.interval_count;
  return recurring?.interval === 'year' ? recurring.interval_count * 12 : null;
}

/** The plan behind a price, by its id or, for one that was replaced since, by how long a payment lasts. */
function planOfPrice(priceIds: Record<Plan, string>, price: Stripe.Price): Plan {
  const months = monthsOf(price);
  const plan = planOfPriceId(priceIds, price.id) ?? plans.find((each) => planMonths[each] === months);
  if (plan === undefined) throw new UnreadableAnswer('price of a plan');
  return plan;
}

/** The plan of a price's id, or null for an unknown one. */
function planOfPriceId(priceIds: Record<Plan, string>, id: string | undefined): Plan | null {
  return plans.find((plan) => priceIds[plan] === id) ?? null;
}

/** Why a price at Stripe is not what a plan costs here, in words; null where it is. */
export async function faultOfPrice(stripe: Stripe, id: string, plan: Plan, expected: Money): Promise<string | null> {
  try {
    return faultIn(await stripe.prices.retrieve(id), plan, expected);
  } catch (error) {
    if (isMissing(error)) return 'does not exist';
    throw error;
  }
}

function faultIn(price: Stripe.Price, plan: Plan, expected: Money): string | null {
  if (!flagIn(price.active, 'active')) return 'is not active';
  if (price.unit_amount === null) return 'has no fixed amount';
  const months = monthsOf(price);
  if (months !== planMonths[plan])
    return months === null ? 'is not taken by the month or year' : `is taken every ${months} months`;
  const { amountMinor, currency } = moneyOfPrice(price);
  if (amountMinor !== expected.amountMinor || currency !== expected.currency)
    return `takes ${amountMinor} ${currency}, but here it is ${expected.amountMinor} ${expected.currency} (in cents)`;
  return null;
}

/** The subscription an invoice is for, or null. */
function subscriptionOfInvoice({ parent }: Pick<Stripe.Invoice, 'parent'>): string | null {
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

function invoiceStatusIn(value: unknown, isRefunded: boolean): InvoiceStatus {
  const status = invoiceStatuses.find((each) => each === value);
  if (status === undefined) throw new UnreadableAnswer('status of an invoice');
  return status === 'paid' && isRefunded ? 'refunded' : status;
}

/** What coupons, which only the shop's owner can give, took off an invoice. */
function discountOf({ total_discount_amounts: discounts }: Stripe.Invoice): number {
  return (discounts ?? []).reduce((sum, { amount }) => sum + wholeIn(amount, 'discount of an invoice'), 0);
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
    status: invoiceStatusIn(invoice.status, isRefunded),
    plan: planOfPriceId(priceIds, typeof price === 'object' ? price.id : price),
    total: moneyIn(invoice.total, invoice.currency, 'total of an invoice'),
    discountMinor: discountOf(invoice),
    createdAt: momentIn(invoice.created, 'created of an invoice'),
    periodStart: momentIn(line?.period.start ?? invoice.period_start, 'period of a line'),
    periodEnd: momentIn(line?.period.end ?? invoice.period_end, 'period of a line'),
    paidAt: momentOrNull(invoice.status_transitions.paid_at, 'paid_at'),
    hostedUrl: invoice.hosted_invoice_url ?? null,
  };
}

/** What every answer with a subscription has to be expanded by. */
export const subscriptionParts = [
  'latest_invoice.confirmation_secret',
  'latest_invoice.payments',
  'pending_setup_intent',
  'default_payment_method',
  'customer.invoice_settings.default_payment_method',
];

// Stripe leaves a renewal's invoice as a draft for about an hour, in which nothing is owed yet.
const renewalSeconds = 2 * 3600;

/** The one item of a subscription, with its price and period. */
export function itemOf(subscription: Stripe.Subscription): Stripe.SubscriptionItem {
  const [item, second] = entriesIn(subscription.items, 'items');
  if (item === undefined || second !== undefined) throw new UnreadableAnswer('single item');
  return item;
}

/** The newest invoice, or null. */
export function latestInvoiceOf(subscription: Stripe.Subscription): Stripe.Invoice | null {
  return expandedIn(subscription.latest_invoice, 'latest_invoice');
}

/** The setup that a subscription waits for, or null. */
export function waitingSetupOf(subscription: Stripe.Subscription): Stripe.SetupIntent | null {
  const setup = expandedIn(subscription.pending_setup_intent, 'pending_setup_intent');
  return setup === null || setup.status === 'succeeded' ? null : setup;
}

/** The card that pays next: the subscription's own goes before the customer's. */
function cardOf({ default_payment_method: own, customer }: Stripe.Subscription): Stripe.PaymentMethod | null {
  const method = expandedIn(own, 'default_payment_method');
  if (method !== null || typeof customer === 'string' || customer.deleted === true) return method;
  return expandedIn(customer.invoice_settings.default_payment_method, 'default_payment_method of the customer');
}

/** The id of the card that pays next, or null. */
export function cardIdOf(subscription: Stripe.Subscription): string | null {
  const card = cardOf(subscription);
  return card === null ? null : idIn(card, 'default_payment_method');
}

function statusIn(value: unknown): SubscriptionStatus {
  const status = subscriptionStatuses.find((each) => each === value);
  if (status === undefined) throw new UnreadableAnswer('status of a subscription');
  return status;
}

/** As Stripe has it, but for a trial whose card is not there yet. */
export function statusOf(subscription: Stripe.Subscription): SubscriptionStatus {
  const status = statusIn(subscription.status);
  return status === 'trialing' && waitingSetupOf(subscription) !== null ? 'incomplete' : status;
}

/** The end of the trial, or null where there is none or its card was never given; seconds since 1970. */
export function triedUntil(subscription: Stripe.Subscription): number | null {
  // The setup of a trial that ended without a card stays where it was, or goes when it is canceled.
  const hasCard =
    waitingSetupOf(subscription) === null && (statusOf(subscription) !== 'canceled' || cardOf(subscription));
  return hasCard ? subscription.trial_end : null;
}

function renewalOpenUntil(subscription: Stripe.Subscription): Date | null {
  const invoice = latestInvoiceOf(subscription);
  if (subscription.status !== 'active' || invoice?.billing_reason !== 'subscription_cycle') return null;
  const isUntried = invoice.status === 'draft' || (invoice.status === 'open' && !invoice.attempted);
  return isUntried ? secondsAfter(momentIn(invoice.created, 'created of an invoice'), renewalSeconds) : null;
}

/** The payment or setup a subscription asked for last. */
function askedFor(subscription: Stripe.Subscription): { kind: 'payment' | 'setup'; id: string } | null {
  const invoice = latestInvoiceOf(subscription);
  const payment = invoice === null ? null : paymentIntentOf(invoice);
  if (payment !== null) return { kind: 'payment', id: payment };
  const setup = waitingSetupOf(subscription);
  return setup === null ? null : { kind: 'setup', id: textIn(setup.id, 'id of a setup intent') };
}

/** A subscription, expanded by `subscriptionParts`, in our words; what it is paid through is found out elsewhere. */
export function viewOfSubscription(
  subscription: Stripe.Subscription,
  priceIds: Record<Plan, string>,
  paidThrough: Date | null,
): ProviderSubscription {
  const item = itemOf(subscription);
  return {
    id: idOf(subscription, 'subscription'),
    customerId: idIn(subscription.customer, 'customer'),
    status: statusOf(subscription),
    plan: planOfPrice(priceIds, item.price),
    price: moneyOfPrice(item.price),
    currentPeriodStart: momentIn(item.current_period_start, 'current_period_start'),
    currentPeriodEnd: momentIn(item.current_period_end, 'current_period_end'),
    paidThrough,
    renewalOpenUntil: renewalOpenUntil(subscription),
    // Stripe can also be told a day to end on.
    cancelAtPeriodEnd:
      flagIn(subscription.cancel_at_period_end, 'cancel_at_period_end') || subscription.cancel_at !== null,
    canceledAt: momentOrNull(subscription.canceled_at, 'canceled_at'),
    trialStart: momentOrNull(subscription.trial_start, 'trial_start'),
    trialEnd: momentOrNull(subscription.trial_end, 'trial_end'),
    createdAt: momentIn(subscription.created, 'created'),
    latestIntentId: askedFor(subscription)?.id ?? null,
    cardFingerprint: cardOf(subscription)?.card?.fingerprint ?? null,
  };
}

/** What the payer of a subscription has been asked for, and whether they still have to finish it. */
export function askedIn(subscription: Stripe.Subscription): Omit<PaymentStart, 'subscription'> {
  const asked = askedFor(subscription);
  const secret = asked === null ? null : openSecretIn(subscription, asked.kind);
  return {
    clientSecret: secret,
    secretKind: secret === null || asked === null ? null : asked.kind,
    requiresAction: secret !== null,
    intentId: asked?.id ?? null,
  };
}

function openSecretIn(subscription: Stripe.Subscription, kind: 'payment' | 'setup'): string | null {
  if (kind === 'setup') {
    const setup = subscription.status === 'trialing' ? waitingSetupOf(subscription) : null;
    return setup === null || setup.status === 'canceled' ? null : textIn(setup.client_secret, 'client_secret');
  }
  const invoice = latestInvoiceOf(subscription);
  return invoice?.status === 'open' ? textIn(invoice.confirmation_secret?.client_secret, 'confirmation_secret') : null;
}

/** Whether nothing can begin or go on with it. */
export function isOver({ status }: Stripe.Subscription): boolean {
  return status === 'canceled' || status === 'incomplete_expired';
}
