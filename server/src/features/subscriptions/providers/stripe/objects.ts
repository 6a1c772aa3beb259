import type Stripe from 'stripe';
import { moneyInEnglish } from '#contract/subscriptions/currency.ts';
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
import { secondsAfter } from '#platform/process/clock.ts';

/** An amount from Stripe, with the currency in capitals. */
export function moneyIn(amount: unknown, currency: unknown, field: string): Money {
  return { amountMinor: wholeIn(amount, field), currency: textIn(currency, `${field} currency`).toUpperCase() };
}

/** What a price charges each time. */
export function moneyOfPrice({ unit_amount, currency }: Stripe.Price): Money {
  return moneyIn(unit_amount, currency, 'price');
}

/** How many months a payment of this price covers; null if it isn't charged by the month or year. */
function monthsOf({ recurring }: Stripe.Price): number | null {
  if (recurring?.interval === 'month') return recurring.interval_count;
  return recurring?.interval === 'year' ? recurring.interval_count * 12 : null;
}

/** The plan of a price, by its id or, for a price that was replaced since, by the months it covers. */
export function planOfPrice(priceIds: Record<Plan, string>, price: Stripe.Price): Plan {
  const months = monthsOf(price);
  const plan = planOfPriceId(priceIds, price.id) ?? plans.find((each) => planMonths[each] === months);
  if (plan === undefined) throw new UnreadableAnswer('price of a plan');
  return plan;
}

/** The plan of a price id, or null for an unknown one. */
function planOfPriceId(priceIds: Record<Plan, string>, id: string | undefined): Plan | null {
  return plans.find((plan) => priceIds[plan] === id) ?? null;
}

/** How a price at Stripe differs from the plan's price here, as text; null if it doesn't. */
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
    return months === null ? 'is not charged by the month or year' : `is charged every ${months} months`;
  const { amountMinor, currency } = moneyOfPrice(price);
  if (amountMinor !== expected.amountMinor || currency !== expected.currency)
    return `takes ${moneyInEnglish({ amountMinor, currency })}, but here it is ${moneyInEnglish(expected)}`;
  return null;
}

/** The subscription an invoice is for, or null. */
function subscriptionOfInvoice({ parent }: Pick<Stripe.Invoice, 'parent'>): string | null {
  const subscription = parent?.subscription_details?.subscription;
  return subscription === undefined ? null : idIn(subscription, 'subscription of an invoice');
}

/**
 * The payments of an invoice that were made through a payment intent, starting with the one Stripe
 * created for it.
 */
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

/** The payment intent of an invoice that was expanded by `payments`; null for a draft, or if there is nothing to pay. */
export function paymentIntentOf(invoice: Stripe.Invoice): string | null {
  return paymentsOf(invoice)[0]?.intentId ?? null;
}

/** The payment intents that paid an invoice expanded by `payments`; none if credit covered it. */
export function paidIntentsOf(invoice: Stripe.Invoice): string[] {
  return paymentsOf(invoice).flatMap(({ intentId, isPaid }) => (isPaid ? [intentId] : []));
}

/** The line whose period ends last; credit for the unused part of an old plan comes last. */
function mainLineOf(invoice: Stripe.Invoice): Stripe.InvoiceLineItem | undefined {
  const weight = ({ amount }: Stripe.InvoiceLineItem) => Number(amount >= 0);
  return [...entriesIn(invoice.lines, 'lines of an invoice')].sort(
    (one, other) => weight(other) - weight(one) || other.period.end - one.period.end,
  )[0];
}

/** The end of the service that an invoice charges for, in Unix seconds; null if it charges for none. */
export function reachOf(invoice: Stripe.Invoice): number | null {
  const charged = entriesIn(invoice.lines, 'lines of an invoice').filter(({ amount }) => amount > 0);
  return charged.reduce<number | null>((reach, { period }) => Math.max(reach ?? 0, period.end), null);
}

/** Whether it is for a change that neither charges nor credits anything. */
export function isEmptyChange(invoice: Stripe.Invoice): boolean {
  const isChange = invoice.billing_reason === 'subscription_update';
  return isChange && entriesIn(invoice.lines, 'lines of an invoice').every(({ amount }) => amount === 0);
}

/** Whether the money of a charge was returned: fully refunded, or reclaimed by a bank. */
export function isGivenBack({ id, refunded }: Stripe.Charge, reclaimed: ReadonlySet<string>): boolean {
  return flagIn(refunded, 'refunded') || reclaimed.has(id);
}

function invoiceStatusIn(value: unknown, isRefunded: boolean): InvoiceStatus {
  const status = invoiceStatuses.find((each) => each === value);
  if (status === undefined) throw new UnreadableAnswer('status of an invoice');
  return status === 'paid' && isRefunded ? 'refunded' : status;
}

/** The discount on an invoice from coupons, which only the shop's owner can issue. */
function discountOf({ total_discount_amounts: discounts }: Stripe.Invoice): number {
  return (discounts ?? []).reduce((sum, { amount }) => sum + wholeIn(amount, 'discount of an invoice'), 0);
}

/** What was paid for an invoice, and how much of it was returned. */
export interface InvoicePayment {
  isRefunded: boolean;
  refundedMinor: number;
  card: ProviderInvoice['card'];
}

/** The payment of an invoice by these charges: refunded once all of them were returned or reclaimed. */
export function paymentOf(charges: readonly Stripe.Charge[], reclaimed: ReadonlySet<string>): InvoicePayment {
  const paidWith = charges
    .map(({ payment_method_details: details }) => details?.card ?? null)
    .find((card) => card !== null);
  const { brand, last4 } = paidWith ?? { brand: null, last4: null };
  return {
    isRefunded: charges.length > 0 && charges.every((charge) => isGivenBack(charge, reclaimed)),
    refundedMinor: charges.reduce(
      (sum, charge) =>
        sum + wholeIn(reclaimed.has(charge.id) ? charge.amount : charge.amount_refunded, 'amount of a refund'),
      0,
    ),
    card: brand === null || last4 === null ? null : { brand, last4 },
  };
}

/** The credit on an invoice for the unused part of an earlier plan. */
function creditOf(invoice: Stripe.Invoice): number {
  return entriesIn(invoice.lines, 'lines of an invoice').reduce((sum, { amount }) => sum - Math.min(0, amount), 0);
}

/** An invoice, expanded by `payments`, in our terms. */
export function viewOfInvoice(
  invoice: Stripe.Invoice,
  priceIds: Record<Plan, string>,
  { isRefunded, refundedMinor, card }: InvoicePayment,
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
    creditMinor: creditOf(invoice),
    refundedMinor,
    card,
    createdAt: momentIn(invoice.created, 'created of an invoice'),
    periodStart: momentIn(line?.period.start ?? invoice.period_start, 'period of a line'),
    periodEnd: momentIn(line?.period.end ?? invoice.period_end, 'period of a line'),
    paidAt: momentOrNull(invoice.status_transitions.paid_at, 'paid_at'),
    hostedUrl: invoice.hosted_invoice_url ?? null,
  };
}

/** What must be expanded in every answer with a subscription. */
export const subscriptionParts = [
  'latest_invoice.confirmation_secret',
  'latest_invoice.payments',
  'pending_setup_intent',
  'default_payment_method',
  'customer.invoice_settings.default_payment_method',
];

// Stripe keeps a renewal's invoice as a draft for about an hour, during which nothing is owed.
const renewalSeconds = 2 * 3600;

/** The only item of a subscription, with its price and period. */
export function itemOf(subscription: Stripe.Subscription): Stripe.SubscriptionItem {
  const [item, second] = entriesIn(subscription.items, 'items');
  if (item === undefined || second !== undefined) throw new UnreadableAnswer('single item');
  return item;
}

/** The newest invoice, or null. */
export function latestInvoiceOf(subscription: Stripe.Subscription): Stripe.Invoice | null {
  return expandedIn(subscription.latest_invoice, 'latest_invoice');
}

/** The setup that a subscription is waiting for, or null. */
export function waitingSetupOf(subscription: Stripe.Subscription): Stripe.SetupIntent | null {
  const setup = expandedIn(subscription.pending_setup_intent, 'pending_setup_intent');
  return setup === null || setup.status === 'succeeded' ? null : setup;
}

/** The card that pays next: the subscription's own takes precedence over the customer's. */
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

/** Stripe's status, except for a trial that has no card yet. */
export function statusOf(subscription: Stripe.Subscription): SubscriptionStatus {
  const status = statusIn(subscription.status);
  if (status !== 'trialing') return status;
  if (paidPeriodIn(subscription) !== null) return 'active';
  return waitingSetupOf(subscription) !== null ? 'incomplete' : status;
}

/**
 * The paid period of a subscription that was ever paused, in Unix seconds, or null. Stripe represents a pause as a trial and forgets the
 * period before it, so we store it in the subscription's metadata.
 */
export function paidPeriodIn({ metadata }: Stripe.Subscription): { start: number; end: number } | null {
  const { paid_from: start, paid_through: end } = metadata;
  if (start === undefined || end === undefined) return null;
  return { start: wholeIn(Number(start), 'paid_from'), end: wholeIn(Number(end), 'paid_through') };
}

/** The current period, in Unix seconds; during a pause, the paid one before it. */
export function periodOf(subscription: Stripe.Subscription): { start: number; end: number } {
  const paid = subscription.status === 'trialing' ? paidPeriodIn(subscription) : null;
  const { current_period_start: start, current_period_end: end } = itemOf(subscription);
  return paid ?? { start, end };
}

/**
 * The day of the month on which a subscription renews. The end of a pause is Stripe's new anchor, which may be the last day of a short
 * month, so we store the day in the subscription's metadata; it counts until Stripe's anchor changes again.
 */
function anchorDayOf({ billing_cycle_anchor: anchor, metadata }: Stripe.Subscription): number {
  const { anchor_day: day, anchored_at: at } = metadata;
  if (day !== undefined && at === String(anchor)) return wholeIn(Number(day), 'anchor_day');
  return momentIn(anchor, 'billing_cycle_anchor').getUTCDate();
}

/** Stores the day on which a subscription renews, before Stripe's anchor moves to `at`. */
export function anchorNote(subscription: Stripe.Subscription, at: number): Record<string, string> {
  return { anchor_day: String(anchorDayOf(subscription)), anchored_at: String(at) };
}

/** Until when nothing is charged, in Unix seconds; null without a pause. */
export function pausedUntil(subscription: Stripe.Subscription): number | null {
  const paid = subscription.status === 'trialing' ? paidPeriodIn(subscription) : null;
  const end = subscription.trial_end;
  return paid !== null && end !== null && end > paid.end ? end : null;
}

/** The end of the trial, or null if there is none or it never had a card; in Unix seconds. */
export function triedUntil(subscription: Stripe.Subscription): number | null {
  if (paidPeriodIn(subscription) !== null) return null;
  // The setup of a trial that ended without a card remains, or disappears when it is canceled.
  const hasCard =
    waitingSetupOf(subscription) === null && (statusOf(subscription) !== 'canceled' || cardOf(subscription));
  return hasCard ? subscription.trial_end : null;
}

function renewalOpenUntil(subscription: Stripe.Subscription, paidThrough: Date | null): Date | null {
  // A pause has interrupted premium, which starts again with its payment.
  const isContinued = paidThrough !== null && paidThrough.getTime() >= periodOf(subscription).start * 1000;
  if (paidPeriodIn(subscription) !== null && !isContinued) return null;
  const invoice = latestInvoiceOf(subscription);
  if (subscription.status !== 'active' || invoice?.billing_reason !== 'subscription_cycle') return null;
  const isUntried = invoice.status === 'draft' || (invoice.status === 'open' && !invoice.attempted);
  return isUntried ? secondsAfter(momentIn(invoice.created, 'created of an invoice'), renewalSeconds) : null;
}

/** The newest payment or setup that a subscription requested. */
function askedFor(subscription: Stripe.Subscription): { kind: 'payment' | 'setup'; id: string } | null {
  const invoice = latestInvoiceOf(subscription);
  const payment = invoice === null ? null : paymentIntentOf(invoice);
  if (payment !== null) return { kind: 'payment', id: payment };
  const setup = waitingSetupOf(subscription);
  return setup === null ? null : { kind: 'setup', id: textIn(setup.id, 'id of a setup intent') };
}

/** A subscription, expanded by `subscriptionParts`, in our terms. How far it is paid is looked up elsewhere. */
export function viewOfSubscription(
  subscription: Stripe.Subscription,
  priceIds: Record<Plan, string>,
  paidThrough: Date | null,
): ProviderSubscription {
  const item = itemOf(subscription);
  const { start, end } = periodOf(subscription);
  const wasPaused = paidPeriodIn(subscription) !== null;
  return {
    id: idOf(subscription, 'subscription'),
    customerId: idIn(subscription.customer, 'customer'),
    status: statusOf(subscription),
    plan: planOfPrice(priceIds, item.price),
    price: moneyOfPrice(item.price),
    currentPeriodStart: momentIn(start, 'current_period_start'),
    currentPeriodEnd: momentIn(end, 'current_period_end'),
    anchorDay: anchorDayOf(subscription),
    paidThrough,
    renewalOpenUntil: renewalOpenUntil(subscription, paidThrough),
    pausedUntil: momentOrNull(pausedUntil(subscription), 'trial_end'),
    // Stripe also allows an explicit end date.
    cancelAtPeriodEnd:
      flagIn(subscription.cancel_at_period_end, 'cancel_at_period_end') || subscription.cancel_at !== null,
    canceledAt: momentOrNull(subscription.canceled_at, 'canceled_at'),
    // What Stripe calls a trial from then on is the pause.
    trialStart: wasPaused ? null : momentOrNull(subscription.trial_start, 'trial_start'),
    trialEnd: wasPaused ? null : momentOrNull(subscription.trial_end, 'trial_end'),
    createdAt: momentIn(subscription.created, 'created'),
    latestIntentId: askedFor(subscription)?.id ?? null,
    cardFingerprint: cardOf(subscription)?.card?.fingerprint ?? null,
  };
}

/** What was requested from the payer of a subscription, and whether they still have to complete it. */
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

/** Whether it can neither start nor continue. */
export function isOver({ status }: Stripe.Subscription): boolean {
  return status === 'canceled' || status === 'incomplete_expired';
}
