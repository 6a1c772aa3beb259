import type Stripe from 'stripe';
import { factsOfCard } from './cards.ts';
import { expansions, type Wants } from './form.ts';
import {
  known,
  type Card,
  type Charge,
  type Customer,
  type Dispute,
  type Intent,
  type Invoice,
  type Price,
  type Refund,
  type Refusal,
  type Subscription,
  type World,
} from './world.ts';

/** A part of one of Stripe's objects. */
export type Shown<T> = T extends readonly (infer U)[]
  ? Shown<U>[]
  : T extends object
    ? { [K in keyof T]?: Shown<T[K]> | undefined }
    : T;

const livemode = false;

/** A list in the format of Stripe's objects and answers. */
export function listOf<T>(data: T[], url: string, has_more = false) {
  return { object: 'list' as const, data, has_more, url };
}

export function priceObject(price: Price): Shown<Stripe.Price> {
  const { id, unitAmount: unit_amount, currency, isActive: active } = price;
  const recurring = { interval: price.interval, interval_count: price.intervalCount, usage_type: 'licensed' };
  const product = 'prod_premium';
  return { id, object: 'price', active, unit_amount, currency, product, type: 'recurring', recurring, livemode };
}

export function cardObject(card: Card): Shown<Stripe.PaymentMethod> {
  const { id, created, customerId: customer } = card;
  return { id, object: 'payment_method', type: 'card', created, customer, card: factsOfCard(card), livemode };
}

/** A reference to a card: its id, or the card if it is expanded. */
function cardReference(world: World, id: string | null, wants: Wants | undefined) {
  return id === null || wants === undefined ? id : cardObject(known(world.cards, id));
}

export function customerObject(world: World, customer: Customer, wants: Wants = {}): Shown<Stripe.Customer> {
  const { id, created, email, name, metadata, defaultCardId } = customer;
  expansions(wants, 'customer', ['invoice_settings', 'subscriptions']);
  expansions(wants['invoice_settings'] ?? {}, 'invoice_settings', ['default_payment_method']);
  const live = [...world.subscriptions.values()].filter(
    ({ customerId, endedAt }) => customerId === id && endedAt === null,
  );
  return {
    id,
    object: 'customer',
    created,
    email,
    name,
    metadata,
    livemode,
    invoice_settings: {
      default_payment_method: cardReference(
        world,
        defaultCardId,
        wants['invoice_settings']?.['default_payment_method'],
      ),
    },
    ...(wants['subscriptions'] && {
      subscriptions: listOf(
        live.map((subscription) => subscriptionObject(world, subscription, wants['subscriptions']?.['data'])),
        `/v1/customers/${id}/subscriptions`,
      ),
    }),
  };
}

/** A reference to a customer: the id, or the object, which is almost empty after deletion. */
function customerReference(world: World, id: string, wants: Wants | undefined) {
  if (wants === undefined) return id;
  const customer = known(world.customers, id);
  return customer.isDeleted
    ? { id, object: 'customer' as const, deleted: true as const }
    : customerObject(world, customer, wants);
}

export function subscriptionObject(
  world: World,
  subscription: Subscription,
  wants: Wants = {},
): Shown<Stripe.Subscription> {
  expansions(wants, 'subscription', ['latest_invoice', 'pending_setup_intent', 'default_payment_method', 'customer']);
  const { id, itemId, priceId, status, created, periodEnd, setupId, pending, latestInvoiceId } = subscription;
  const price = priceObject(known(world.prices, priceId)) as Stripe.Price;
  const item: Shown<Stripe.SubscriptionItem> = {
    id: itemId,
    object: 'subscription_item',
    price,
    quantity: 1,
    current_period_start: subscription.periodStart,
    current_period_end: periodEnd,
    subscription: id,
  };
  return {
    id,
    object: 'subscription',
    status,
    created,
    currency: price.currency,
    customer: customerReference(world, subscription.customerId, wants['customer']),
    billing_cycle_anchor: subscription.anchor,
    metadata: subscription.metadata,
    cancel_at: subscription.cancelsAtEnd ? periodEnd : subscription.endsAt,
    cancel_at_period_end: subscription.cancelsAtEnd,
    canceled_at: subscription.canceledAt,
    ended_at: subscription.endedAt,
    trial_start: subscription.trialStart,
    trial_end: subscription.trialEnd,
    default_payment_method: cardReference(world, subscription.cardId, wants['default_payment_method']),
    items: listOf([item], `/v1/subscription_items?subscription=${id}`),
    latest_invoice:
      latestInvoiceId !== null && wants['latest_invoice']
        ? invoiceObject(world, known(world.invoices, latestInvoiceId), wants['latest_invoice'])
        : latestInvoiceId,
    pending_setup_intent:
      setupId !== null && wants['pending_setup_intent']
        ? setupObject(world, known(world.intents, setupId), wants['pending_setup_intent'])
        : setupId,
    pending_update: pending && {
      expires_at: pending.expires,
      billing_cycle_anchor: pending.change.start,
      subscription_items: [{ id: itemId, object: 'subscription_item', price: { id: pending.change.priceId } }],
    },
    livemode,
  };
}

export function invoiceObject(world: World, invoice: Invoice, wants: Wants = {}): Shown<Stripe.Invoice> {
  expansions(wants, 'invoice', ['confirmation_secret', 'payments']);
  const { id, status, created, currency, lines, subscriptionId: subscription, intentId } = invoice;
  const intent = intentId === null ? null : known(world.intents, intentId);
  const total = totalOf(invoice);
  return {
    id,
    object: 'invoice',
    status,
    created,
    currency,
    customer: invoice.customerId,
    parent: { type: 'subscription_details', subscription_details: { subscription, metadata: {} }, quote_details: null },
    billing_reason: invoice.reason,
    number: invoice.number,
    total,
    subtotal: total + invoice.discount,
    total_discount_amounts:
      invoice.discount === 0 ? [] : [{ amount: invoice.discount, discount: `di_of_${invoice.customerId}` }],
    amount_due: Math.max(0, total),
    amount_paid: status === 'paid' ? Math.max(0, total) : 0,
    attempted: invoice.attempts > 0,
    attempt_count: invoice.attempts,
    auto_advance: invoice.nextAttempt !== null || invoice.finalizesAt !== null,
    automatically_finalizes_at: invoice.finalizesAt,
    next_payment_attempt: invoice.nextAttempt,
    hosted_invoice_url: invoice.finalizedAt === null ? null : `https://invoice.stripe.test/i/${id}`,
    period_start: created,
    period_end: created,
    lines: listOf(lines.map(lineObject(invoice)), `/v1/invoices/${id}/lines`),
    status_transitions: {
      finalized_at: invoice.finalizedAt,
      paid_at: invoice.paidAt,
      voided_at: invoice.voidedAt,
      marked_uncollectible_at: null,
    },
    ...(wants['confirmation_secret'] && {
      confirmation_secret:
        intent === null || status === 'paid' ? null : { client_secret: intent.secret, type: 'payment_intent' },
    }),
    ...(wants['payments'] && { payments: listOf(paymentsOf(invoice), '/v1/invoice_payments') }),
    livemode,
  };
}

const lineObject =
  ({ id, subscriptionId: subscription, currency }: Invoice) =>
  ({ amount, priceId, isProration: proration, start, end }: Invoice['lines'][number], index: number) =>
    ({
      id: `il_${id}_${index}`,
      object: 'line_item',
      amount,
      currency,
      period: { start, end },
      pricing: { type: 'price_details', price_details: { price: priceId, product: 'prod_premium' } },
      parent: { type: 'subscription_item_details', subscription_item_details: { subscription, proration } },
    }) satisfies Shown<Stripe.InvoiceLineItem>;

function paymentsOf({ id, intentId, status, currency, created }: Invoice): Shown<Stripe.InvoicePayment>[] {
  if (intentId === null) return [];
  return [
    {
      id: `inpay_${id}`,
      object: 'invoice_payment',
      created,
      currency,
      invoice: id,
      is_default: true,
      payment: { type: 'payment_intent', payment_intent: intentId },
      status: status === 'paid' ? 'paid' : status === 'void' ? 'canceled' : 'open',
    },
  ];
}

/** The total of an invoice. */
export function totalOf({ lines, discount }: Pick<Invoice, 'lines' | 'discount'>): number {
  return lines.reduce((sum, { amount }) => sum + amount, 0) - discount;
}

/** A payment or setup intent. */
export function intentObject(world: World, intent: Intent, wants: Wants = {}) {
  return intent.kind === 'payment' ? paymentObject(world, intent, wants) : setupObject(world, intent, wants);
}

function paymentObject(world: World, intent: Intent, wants: Wants): Shown<Stripe.PaymentIntent> {
  expansions(wants, 'payment_intent', ['latest_charge']);
  const { id, status, created, amount, currency, chargeId } = intent;
  return {
    id,
    object: 'payment_intent',
    status,
    created,
    amount,
    currency,
    client_secret: intent.secret,
    customer: intent.customerId,
    payment_method: intent.cardId,
    latest_charge:
      chargeId !== null && wants['latest_charge'] ? chargeObject(world, known(world.charges, chargeId)) : chargeId,
    last_payment_error: errorObject(intent.error),
    livemode,
  };
}

function setupObject(_world: World, intent: Intent, wants: Wants): Shown<Stripe.SetupIntent> {
  expansions(wants, 'setup_intent', []);
  const { id, status, created } = intent;
  return {
    id,
    object: 'setup_intent',
    status,
    created,
    usage: 'off_session',
    client_secret: intent.secret,
    customer: intent.customerId,
    payment_method: intent.cardId,
    last_setup_error: errorObject(intent.error),
    livemode,
  };
}

const errorObject = (refusal: Refusal | null) =>
  refusal && { ...refusal, type: 'card_error' as const, message: 'The card was refused.' };

export function chargeObject(world: World, charge: Charge): Shown<Stripe.Charge> {
  const { id, created, amount, currency, intentId, customerId, cardId, refunded, dispute } = charge;
  return {
    id,
    object: 'charge',
    created,
    amount,
    amount_refunded: refunded,
    currency,
    customer: customerId,
    payment_intent: intentId,
    payment_method: cardId,
    payment_method_details: { type: 'card', card: factsOfCard(known(world.cards, cardId)) },
    paid: true,
    status: 'succeeded',
    refunded: refunded === amount,
    disputed: dispute !== null,
    livemode,
  };
}

export function refundObject({ id, created, intentId, amount, key }: Refund): Shown<Stripe.Refund> {
  const metadata = key === null ? {} : { key };
  return { id, object: 'refund', created, amount, payment_intent: intentId, status: 'succeeded', metadata };
}

export function disputeObject(charge: Charge, { id, status, moved }: Dispute): Shown<Stripe.Dispute> {
  const { amount, currency, id: chargeId, intentId: payment_intent } = charge;
  const balance_transactions = moved.map((each, index) => ({
    id: `txn_${id}_${index}`,
    object: 'balance_transaction' as const,
    amount: each,
    currency,
  }));
  return {
    id,
    object: 'dispute',
    amount,
    currency,
    charge: chargeId,
    payment_intent,
    status,
    balance_transactions,
    livemode,
  };
}
