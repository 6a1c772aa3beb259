import Stripe from 'stripe';
import {
  BadSignature,
  PaymentError,
  type PaymentProvider,
  type ProviderEvent,
  type ProviderInvoice,
} from '../provider.ts';
import type { FastifyBaseLogger } from 'fastify';
import type { Money, Plan } from '#contract/subscriptions/plan.ts';
import type { Clock } from '#platform/process/clock.ts';
import type { StripeConfig } from '#platform/config/payments.ts';
import {
  beginSetup,
  deleteCustomer,
  ensureCustomer,
  listCards,
  readIntent,
  removeCard,
  setDefaultCard,
} from './customers.ts';
import { changePlan, openShop, previewChange, reclaimedAmong, type StripeShop } from './shop.ts';
import { createAsk, createStripeClient, entriesIn, flagIn, idOf, textIn, UnreadableAnswer } from './api.ts';
import {
  anchorNote,
  cardIdOf,
  isEmptyChange,
  isOver,
  latestInvoiceOf,
  paidIntentsOf,
  pausedUntil,
  paymentOf,
  periodOf,
  statusOf,
  subscriptionParts,
  viewOfInvoice,
  waitingSetupOf,
} from './objects.ts';

/** The events that the webhook endpoint at Stripe must receive. */
export const stripeEventTypes = [
  'customer.subscription.created',
  'customer.subscription.updated',
  'customer.subscription.deleted',
  'customer.subscription.paused',
  'customer.subscription.resumed',
  'customer.subscription.trial_will_end',
  'invoice.paid',
  'invoice.payment_failed',
  'invoice.payment_action_required',
  'invoice.finalization_failed',
  'setup_intent.succeeded',
  'payment_method.attached',
  'payment_method.detached',
  'payment_method.automatically_updated',
  'charge.refunded',
  'charge.dispute.created',
  'charge.dispute.funds_withdrawn',
  'charge.dispute.closed',
  'charge.dispute.funds_reinstated',
] as const satisfies Stripe.WebhookEndpointCreateParams.EnabledEvent[];

const toleranceSeconds = 300;

/**
 * The event in a delivery that was signed with one of the secrets. Throws `BadSignature` for any other, and for one that is too old at
 * `now`.
 */
export function readEvent(secrets: string[], raw: Buffer, signature: string, now: Date): ProviderEvent {
  for (const secret of secrets) {
    try {
      return viewOfEvent(
        Stripe.webhooks.constructEvent(raw, signature, secret, toleranceSeconds, undefined, now.getTime()),
      );
    } catch {
      // The other secret may match.
    }
  }
  throw new BadSignature();
}

/** The fields that the object of any event may have. */
interface Subject {
  id?: unknown;
  object?: unknown;
  customer?: unknown;
  charge?: unknown;
  subscription?: unknown;
  parent?: { subscription_details?: { subscription?: unknown } | null } | null;
}

function viewOfEvent({ id, type, created, data }: Stripe.Event): ProviderEvent {
  const subject = data.object as Subject;
  const before = (data.previous_attributes ?? {}) as Subject;
  if (![id, type].every((text) => typeof text === 'string' && text !== '') || !Number.isSafeInteger(created))
    throw new BadSignature();
  return {
    id,
    type,
    createdAt: new Date(created * 1000),
    objectId: nameIn(subject.id),
    subscriptionId:
      subject.object === 'subscription'
        ? nameIn(subject.id)
        : nameIn(subject.parent?.subscription_details?.subscription ?? subject.subscription),
    // A removed card names its former owner.
    customerId: subject.object === 'customer' ? nameIn(subject.id) : nameIn(subject.customer ?? before.customer),
    chargeId: subject.object === 'dispute' ? nameIn(subject.charge) : null,
  };
}

/** The id of a reference, expanded or not; null for none. */
function nameIn(reference: unknown): string | null {
  const id = typeof reference === 'object' && reference !== null && 'id' in reference ? reference.id : reference;
  return typeof id === 'string' ? id : null;
}

interface StripeParts {
  config: StripeConfig;
  /** The prices of the plans here; a plan with a different price at Stripe is not sold. */
  prices: Record<Plan, Money>;
  clock: Clock;
  log: FastifyBaseLogger;
  /** How long Stripe may take to answer. */
  timeoutMs?: number;
}

/** Payments through Stripe, with cards only. Its log contains calls and Stripe's error codes, never people or cards. */
export function createStripePayments({ config, prices, clock, log, timeoutMs }: StripeParts): PaymentProvider {
  const stripe = createStripeClient(config, timeoutMs);
  const shop = openShop(stripe, { priceIds: config.priceIds, prices }, log);
  const ask = createAsk(log);
  return {
    name: 'stripe',
    isTest: false,
    now: () => Promise.resolve(clock.now()),
    ensureCustomer: (person, key) => ask('ensureCustomer', () => ensureCustomer(stripe, person, key)),
    createSubscription: (wish, key) => ask('createSubscription', () => createSubscription(shop, wish, key)),
    openPayment: (id) =>
      ask('openPayment', async () => {
        const subscription = await shop.read(id);
        if (isOver(subscription)) throw new PaymentError('invalid');
        return await shop.startOf(subscription);
      }),
    getSubscription: (id) => ask('getSubscription', async () => shop.viewOf(await shop.read(id))),
    getIntent: (id) => ask('getIntent', () => readIntent(stripe, id)),
    customerOfCharge: (id) => ask('customerOfCharge', async () => nameIn((await stripe.charges.retrieve(id)).customer)),
    previewChange: (change) => ask('previewChange', () => previewChange(shop, change, clock.now())),
    changePlan: (change, key) => ask('changePlan', () => changePlan(shop, change, key, clock.now())),
    setCancelAtPeriodEnd: (id, atEnd) => ask('setCancelAtPeriodEnd', () => setCancelAtPeriodEnd(shop, id, atEnd)),
    pause: (id, until) => ask('pause', () => pause(shop, id, until, clock.now())),
    cancelNow: (id) => ask('cancelNow', () => cancelNow(shop, id)),
    giveUp: (id) => ask('giveUp', () => giveUp(shop, id)),
    payOpenInvoice: (id) => ask('payOpenInvoice', () => payOpenInvoice(shop, id)),
    refundPart: (wish, key) => ask('refundPart', () => refundPart(stripe, wish, key)),
    createSetupIntent: (customerId, key) => ask('createSetupIntent', () => beginSetup(stripe, customerId, key)),
    listPaymentMethods: (customerId) => ask('listPaymentMethods', () => listCards(stripe, customerId)),
    setDefaultPaymentMethod: (customerId, id) =>
      ask('setDefaultPaymentMethod', () => setDefaultCard(stripe, customerId, id)),
    removePaymentMethod: (customerId, id) => ask('removePaymentMethod', () => removeCard(stripe, customerId, id)),
    listInvoices: (customerId, page) => ask('listInvoices', () => listInvoices(shop, customerId, page)),
    deleteCustomer: (customerId) => ask('deleteCustomer', () => deleteCustomer(stripe, customerId)),
    parseWebhook: (raw, signature, now) => readEvent(config.webhookSecrets, raw, signature, now),
  };
}

async function createSubscription(
  { stripe, requirePrice, renewed, startOf }: StripeShop,
  { customerId, plan, trialDays, paymentMethodId }: Parameters<PaymentProvider['createSubscription']>[0],
  idempotencyKey: string,
) {
  const answer = await stripe.subscriptions.create(
    {
      customer: customerId,
      items: [{ price: await requirePrice(plan) }],
      payment_behavior: 'default_incomplete',
      payment_settings: { save_default_payment_method: 'on_subscription', payment_method_types: ['card'] },
      ...(paymentMethodId !== null && { default_payment_method: paymentMethodId }),
      ...(trialDays > 0 && {
        trial_period_days: trialDays,
        trial_settings: { end_behavior: { missing_payment_method: 'cancel' } },
      }),
      expand: subscriptionParts,
    },
    { idempotencyKey },
  );
  return await startOf(await renewed(answer));
}

async function setCancelAtPeriodEnd({ stripe, read }: StripeShop, id: string, atEnd: boolean): Promise<void> {
  const before = await read(id);
  const isPaused = atEnd && pausedUntil(before) !== null;
  const { cancel_at_period_end: isSet, cancel_at } = await stripe.subscriptions.update(id, {
    cancel_at_period_end: atEnd,
    ...(isPaused && {
      trial_end: periodOf(before).end,
      proration_behavior: 'none',
      metadata: anchorNote(before, periodOf(before).end),
    }),
  });
  if (flagIn(isSet, 'cancel_at_period_end') !== atEnd) throw new UnreadableAnswer('new cancel_at_period_end');
  // This also removes an end date that was set by hand.
  if (!atEnd && cancel_at !== null) await stripe.subscriptions.update(id, { cancel_at: '' });
}

/** A pause is a trial after the paid period, which Stripe ends by itself; see decision 10 for why not `pause_collection`. */
async function pause({ stripe, read }: StripeShop, id: string, until: Date | null, now: Date): Promise<void> {
  const before = await read(id);
  const { start, end } = periodOf(before);
  const isEnding = before.cancel_at_period_end || before.cancel_at !== null;
  if (statusOf(before) !== 'active' || isEnding || end * 1000 <= now.getTime()) throw new PaymentError('invalid');
  const invoice = latestInvoiceOf(before);
  // A change that waits for its payer would end the pause.
  if (before.pending_update !== null && invoice?.status === 'open')
    await stripe.invoices.voidInvoice(textIn(invoice.id, 'id of an invoice'));
  const trialEnd = until === null ? end : Math.floor(until.getTime() / 1000);
  const after = await stripe.subscriptions.update(id, {
    trial_end: trialEnd,
    proration_behavior: 'none',
    metadata: { paid_from: String(start), paid_through: String(end), ...anchorNote(before, trialEnd) },
    expand: subscriptionParts,
  });
  if ((pausedUntil(after) === null) !== (until === null)) throw new UnreadableAnswer('new trial_end');
}

async function cancelNow({ stripe, read }: StripeShop, id: string): Promise<void> {
  const before = await read(id);
  const after = isOver(before)
    ? before
    : await stripe.subscriptions.cancel(id, { invoice_now: false, prorate: false, expand: subscriptionParts });
  if (!isOver(after)) throw new UnreadableAnswer('end of a subscription');
  // Stripe would let the payer complete both, although they would get nothing for it.
  const [setup, invoice] = [waitingSetupOf(after), latestInvoiceOf(after)];
  if (setup !== null && setup.status !== 'canceled') await stripe.setupIntents.cancel(textIn(setup.id, 'id'));
  if (invoice?.status === 'open') await stripe.invoices.voidInvoice(textIn(invoice.id, 'id of an invoice'));
}

async function giveUp(shop: StripeShop, id: string): Promise<void> {
  const before = await shop.read(id);
  const isUnpaid = before.status === 'incomplete' || (before.status === 'trialing' && waitingSetupOf(before) !== null);
  if (!isUnpaid) return;
  const invoice = latestInvoiceOf(before);
  try {
    if (invoice?.status === 'open') await shop.stripe.invoices.voidInvoice(textIn(invoice.id, 'id of an invoice'));
  } catch (error) {
    // It has just been paid, and stays.
    if (error instanceof Stripe.errors.StripeInvalidRequestError) return;
    throw error;
  }
  await cancelNow(shop, id);
}

async function payOpenInvoice({ stripe, read }: StripeShop, id: string): Promise<void> {
  const subscription = await read(id);
  const invoice = latestInvoiceOf(subscription);
  // The invoice of a change that waits for its payer isn't owed.
  if (invoice?.status !== 'open' || subscription.pending_update !== null || isOver(subscription)) return;
  const card = cardIdOf(subscription);
  if (card === null) throw new PaymentError('invalid');
  const paid = await stripe.invoices.pay(textIn(invoice.id, 'id of an invoice'), { payment_method: card });
  idOf(paid, 'invoice', invoice.id);
}

/** Stripe forgets idempotency keys after a day, so a refund carries its own. */
async function refundPart(
  stripe: Stripe,
  { invoiceId, amountMinor }: Parameters<PaymentProvider['refundPart']>[0],
  key: string,
): Promise<void> {
  const invoice = await stripe.invoices.retrieve(invoiceId, { expand: ['payments'] });
  idOf(invoice, 'invoice', invoiceId);
  const [intent] = paidIntentsOf(invoice);
  if (intent === undefined) throw new PaymentError('invalid');
  const before = await stripe.refunds.list({ payment_intent: intent, limit: 100 });
  if (entriesIn(before, 'refunds').some(({ metadata }) => metadata?.['key'] === key)) return;
  await stripe.refunds.create(
    { payment_intent: intent, amount: amountMinor, reason: 'requested_by_customer', metadata: { key } },
    { idempotencyKey: key },
  );
}

async function listInvoices(
  { stripe, priceIds }: StripeShop,
  customer: string,
  { limit, startingAfter }: { limit: number; startingAfter?: string },
): Promise<{ data: ProviderInvoice[]; hasMore: boolean }> {
  const page = await stripe.invoices.list({
    customer,
    limit,
    ...(startingAfter !== undefined && { starting_after: startingAfter }),
    expand: ['data.payments'],
  });
  // Stripe creates a zero-amount invoice for the start and the end of a pause.
  const invoices = entriesIn(page, 'invoices').filter((invoice) => !isEmptyChange(invoice));
  const charges = await chargesOf(stripe, customer, invoices);
  const reclaimed = await reclaimedAmong(stripe, [...charges.values()]);
  return {
    data: invoices.map((invoice) => {
      const own = paidIntentsOf(invoice).flatMap((id) => charges.get(id) ?? []);
      return viewOfInvoice(invoice, priceIds, paymentOf(own, reclaimed));
    }),
    hasMore: flagIn(page.has_more, 'has_more'),
  };
}

/** The charges that paid these invoices, by payment intent. */
async function chargesOf(
  stripe: Stripe,
  customer: string,
  invoices: Stripe.Invoice[],
): Promise<Map<string, Stripe.Charge>> {
  const found = new Map<string, Stripe.Charge>();
  const oldest = invoices.filter(({ status }) => status === 'paid').at(-1)?.created;
  if (oldest === undefined) return found;
  for await (const charge of stripe.charges.list({ customer, created: { gte: oldest }, limit: 100 })) {
    const intent = typeof charge.payment_intent === 'string' ? charge.payment_intent : charge.payment_intent?.id;
    if (intent !== undefined && flagIn(charge.paid, 'paid of a charge')) found.set(intent, charge);
  }
  return found;
}
