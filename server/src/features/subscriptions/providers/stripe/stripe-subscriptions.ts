import type Stripe from 'stripe';
import { subscriptionStatuses, type Plan, type SubscriptionStatus } from '#contract/subscriptions/plan.ts';
import { secondsAfter } from '../../../../platform/process/clock.ts';
import type { PaymentStart, ProviderSubscription } from '../provider.ts';
import {
  entriesIn,
  expandedIn,
  flagIn,
  idIn,
  idOf,
  momentIn,
  momentOrNull,
  textIn,
  UnreadableAnswer,
} from './stripe-fields.ts';
import { paymentIntentOf } from './stripe-invoices.ts';
import { moneyOfPrice, planOfPrice } from './stripe-prices.ts';

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
