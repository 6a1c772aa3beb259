import { randomBytes, timingSafeEqual } from 'node:crypto';
import { sql } from 'kysely';
import type { SandboxToken } from '#contract/subscriptions/payments-sandbox.ts';
import { type Money, type PaymentErrorCode, type Plan, planMonths } from '#contract/subscriptions/plan.ts';
import {
  Lost,
  PaymentError,
  type PaymentProvider,
  type ProviderIntent,
  type ProviderInvoice,
} from '../../server/src/features/subscriptions/providers/provider.ts';
import { hashToken } from '../../server/src/platform/config/secrets.ts';
import { type Db, inTransaction } from '../../server/src/platform/db/db.ts';
import { bankAnswer, cardFacts, isSandboxToken } from './bank.ts';
import { periodEndOf } from './billing-period.ts';
import { emit, emitSubscription } from './events.ts';
import {
  keptCard,
  lockCustomer,
  lockSubscription,
  newId,
  sandboxNow,
  type SandboxParts,
  type Step,
  underKey,
} from './parts.ts';
import {
  all,
  type CardRow,
  change,
  first,
  insert,
  type IntentRow,
  type InvoiceRow,
  type SubscriptionRow,
} from './tables.ts';

/** What a payer does with an intent: pay with a test token or a stored card, or answer the bank. */
export type IntentAnswer = { token: string } | { challenge: 'approve' | 'refuse' };

/** Invoices and intents, and what a payer's browser and the back office do with them. */
export const paymentCommands = (parts: SandboxParts) => {
  const { db, clock, prices } = parts;
  return {
    async listInvoices(customerId, { limit, startingAfter = null }) {
      const customer = await first(db, sql`select from sandbox.customer where id = ${customerId}`);
      if (customer === undefined) throw new Lost('customer');
      const isOwn = sql`select from sandbox.invoice where id = ${startingAfter} and customer_id = ${customerId}`;
      if (startingAfter !== null && (await first(db, isOwn)) === undefined) throw new PaymentError('invalid');
      const rows = await all(
        db,
        sql<InvoiceRow>`select * from sandbox.invoice where customer_id = ${customerId} and (${startingAfter}::text is null
          or (created_at, seq) < (select created_at, seq from sandbox.invoice where id = ${startingAfter}))
          order by created_at desc, seq desc limit ${limit + 1}`,
      );
      return { data: rows.slice(0, limit).map(toInvoice), hasMore: rows.length > limit };
    },

    createSetupIntent: (customerId, key) =>
      underKey(parts, key, { command: 'createSetupIntent', customerId }, async (step) => {
        await lockCustomer(step.tx, customerId);
        const { id, client_secret } = await openIntent(step, customerId, { subscription_id: null, invoice_id: null });
        return { clientSecret: client_secret, setupIntentId: id };
      }),

    async getIntent(id) {
      const intent = await readIntent(db, id);
      if (intent === undefined) throw new PaymentError('invalid');
      const { kind, customer_id, status, declined, payment_method_id } = intent;
      return { id, kind, customerId: customer_id, status, declined, paymentMethodId: payment_method_id };
    },

    /**
     * The state of the intent afterwards; null for an unknown intent or a wrong secret. A refused card rejects with `PaymentError`. A
     * succeeded or cancelled intent does not change.
     */
    async answerIntent(
      id: string,
      clientSecret: string,
      answer: IntentAnswer,
    ): Promise<ProviderIntent['status'] | null> {
      const result = await inTransaction(db, async (tx) => {
        const intent = await lockIntent(tx, id, clientSecret);
        return intent && (await takeAnswer({ tx, prices, at: await sandboxNow(tx, clock) }, intent, answer));
      });
      // Thrown after the transaction, so that the refusal is stored.
      if (result instanceof PaymentError) throw result;
      return result;
    },

    /** Refunds a paid invoice; false if there is nothing to refund. */
    refund: (id: string): Promise<boolean> =>
      inTransaction(db, async (tx) => {
        const invoice = await first(tx, sql<InvoiceRow>`select * from sandbox.invoice where id = ${id}`);
        if (invoice === undefined) return false;
        const subscription = await lockSubscription(tx, invoice.subscription_id);
        const refunded = sql`update sandbox.invoice set status = 'refunded'
          where id = ${id} and status = 'paid' and total_minor > 0 returning id`;
        if ((await first(tx, refunded)) === undefined) return false;
        const step = { tx, at: await sandboxNow(tx, clock) };
        await emit(step, 'charge.refunded', aboutInvoice(subscription, id));
        await emitSubscription(step, 'updated', subscription);
        return true;
      }),
  } satisfies Partial<PaymentProvider> & Record<string, unknown>;
};

function toInvoice(row: InvoiceRow): ProviderInvoice {
  return {
    id: row.id,
    subscriptionId: row.subscription_id,
    number: `HW-${row.created_at.getUTCFullYear()}-${String(row.seq).padStart(6, '0')}`,
    status: row.status,
    plan: row.plan,
    total: { amountMinor: row.total_minor, currency: row.currency },
    discountMinor: 0,
    creditMinor: row.credit_minor,
    refundedMinor: row.status === 'refunded' ? row.total_minor : 0,
    card: row.card_brand === null || row.card_last4 === null ? null : { brand: row.card_brand, last4: row.card_last4 },
    createdAt: row.created_at,
    periodStart: row.period_start,
    periodEnd: row.period_end,
    paidAt: row.paid_at,
    hostedUrl: null,
  };
}

/** An unpaid invoice over `total` for a period of a subscription. */
export function openInvoice(
  { tx, at }: Step,
  { id, customer_id }: SubscriptionRow,
  { total, ...invoice }: Partial<InvoiceRow> & { total: Money },
): Promise<InvoiceRow> {
  const { amountMinor: total_minor, currency } = total;
  const terms = { ...invoice, total_minor, currency, status: 'open' as const, created_at: at };
  return insert(tx, 'invoice', { ...terms, id: newId('in'), customer_id, subscription_id: id });
}

/** What an event about an invoice of a subscription is about. */
export const aboutInvoice = ({ id, customer_id }: SubscriptionRow, invoiceId: string) => ({
  objectId: invoiceId,
  customerId: customer_id,
  subscriptionId: id,
});

/** Makes a card its customer's default, and that of the subscriptions. */
export async function makeDefault(
  tx: Db,
  { id, customer_id }: Pick<CardRow, 'id' | 'customer_id'>,
  subscriptionIds: string[],
): Promise<void> {
  await sql`update sandbox.payment_method set is_default = false where customer_id = ${customer_id} and is_default`.execute(
    tx,
  );
  await change(tx, 'payment_method', id, { is_default: true });
  for (const subscriptionId of subscriptionIds)
    await change(tx, 'subscription', subscriptionId, { payment_method_id: id });
}

/** What a new period of a plan costs: the agreed price for the plan a subscription has. */
export function priceFor({ prices }: Step, subscription: SubscriptionRow, plan: Plan): Money {
  const { price_minor: amountMinor, currency } = subscription;
  return plan === subscription.plan ? { amountMinor, currency } : prices[plan];
}

/** The subscription after changing to `plan` now, with a new first period. */
export function termsFrom(step: Step, subscription: SubscriptionRow, plan: Plan) {
  const { at } = step;
  const { trial_end } = subscription;
  const { amountMinor: price_minor, currency } = priceFor(step, subscription, plan);
  return {
    plan,
    price_minor,
    currency,
    anchor_at: at,
    period_start: at,
    period_end: periodEndOf(at, at, planMonths[plan]),
    trial_end: trial_end !== null && trial_end > at ? at : trial_end,
  };
}

/** Records that an open invoice was paid with `card` and updates its subscription. */
export async function settleInvoice(step: Step, { id, ...invoice }: InvoiceRow, card: CardRow): Promise<void> {
  const { tx, at } = step;
  const before = await lockSubscription(tx, invoice.subscription_id);
  const terms = invoice.purpose === 'change' ? termsFrom(step, before, invoice.plan) : before;
  const { plan, price_minor, currency, anchor_at, period_start, period_end, trial_end } = terms;
  const paid = { status: 'paid', paid_at: at, card_brand: card.brand, card_last4: card.last4 } as const;
  await change(tx, 'invoice', id, { ...paid, period_start, period_end });
  await sql`update sandbox.intent set status = 'succeeded', declined = null, asked_about = null, payment_method_id = ${card.id}
    where invoice_id = ${id}`.execute(tx);
  const period = { plan, price_minor, currency, anchor_at, period_start, period_end, trial_end };
  const active = { status: 'active', failed_tries: 0, due_at: period_end, paused_until: null } as const;
  await change(tx, 'subscription', before.id, { ...period, ...active });
  await emit(step, 'invoice.paid', aboutInvoice(before, id));
  await emitSubscription(step, 'updated', before);
}

/** Creates an intent to pay an invoice or, without one, to store a card. */
export function openIntent(
  { tx, at }: Step,
  customer_id: string,
  asked: Pick<IntentRow, 'subscription_id' | 'invoice_id'> & Partial<Pick<IntentRow, 'declined' | 'asked_about'>>,
): Promise<IntentRow> {
  const kind = asked.invoice_id === null ? 'setup' : 'payment';
  const id = newId(kind === 'setup' ? 'seti' : 'pi');
  const client_secret = `${id}_secret_${randomBytes(18).toString('hex')}`;
  const status = asked.asked_about == null ? 'open' : 'requires_action';
  return insert(tx, 'intent', { ...asked, id, customer_id, kind, client_secret, status, created_at: at });
}

const readIntent = (db: Db, id: string): Promise<IntentRow | undefined> =>
  first(db, sql`select * from sandbox.intent where id = ${id}`);

/** Locks an intent with its customer and subscription, always in that order; null for an unknown one or a wrong secret. */
async function lockIntent(tx: Db, id: string, clientSecret: string): Promise<IntentRow | null> {
  const found = await readIntent(tx, id);
  if (found === undefined || !timingSafeEqual(hashToken(found.client_secret), hashToken(clientSecret))) return null;
  await sql`select from sandbox.customer where id = ${found.customer_id} for no key update`.execute(tx);
  if (found.subscription_id !== null) await lockSubscription(tx, found.subscription_id);
  return (await first(tx, sql<IntentRow>`select * from sandbox.intent where id = ${id} for update`)) ?? null;
}

/** Does with a locked intent what its payer answered; a refusal is returned. */
async function takeAnswer(
  step: Step,
  intent: IntentRow,
  answer: IntentAnswer,
): Promise<IntentRow['status'] | PaymentError> {
  const { tx, at } = step;
  const { id, kind, customer_id, invoice_id, subscription_id, asked_about } = intent;
  if (intent.status !== 'open' && intent.status !== 'requires_action') return intent.status;
  if ('challenge' in answer && asked_about === null) return intent.status;
  const given = 'token' in answer ? answer.token : (asked_about ?? '');
  const kept = await keptCard(tx, customer_id, given);
  const token = kept?.token ?? given;
  if (!isSandboxToken(token)) throw new PaymentError('invalid');
  const said = 'token' in answer ? bankAnswer(token, 'entered') : bankAfter(answer.challenge);
  const about = { objectId: invoice_id ?? id, customerId: customer_id, subscriptionId: subscription_id };
  if (said === 'asks') {
    await change(tx, 'intent', id, { status: 'requires_action', asked_about: given, declined: null });
    if (kind === 'payment') await emit(step, 'invoice.payment_action_required', about);
    return 'requires_action';
  }
  if (said !== 'pays') {
    await change(tx, 'intent', id, { status: 'open', asked_about: null, declined: said });
    if (kind === 'payment') await emit(step, 'invoice.payment_failed', about);
    return new PaymentError(said);
  }
  const card = kept ?? (await keepToken(step, customer_id, token));
  if (subscription_id !== null) await makeDefault(tx, card, [subscription_id]);
  const invoice =
    invoice_id && (await first(tx, sql<InvoiceRow>`select * from sandbox.invoice where id = ${invoice_id}`));
  if (invoice) {
    await settleInvoice(step, invoice, card);
    return 'succeeded';
  }
  await change(tx, 'intent', id, {
    status: 'succeeded',
    asked_about: null,
    declined: null,
    payment_method_id: card.id,
  });
  await emit(step, 'setup_intent.succeeded', about);
  if (subscription_id !== null) await keepTrial(step, subscription_id);
  return 'succeeded';
}

const bankAfter = (challenge: 'approve' | 'refuse'): 'pays' | PaymentErrorCode =>
  challenge === 'approve' ? 'pays' : 'authentication_failed';

/** Stores a test card for a customer. */
async function keepToken(step: Step, customerId: string, token: SandboxToken): Promise<CardRow> {
  const facts = { ...cardFacts(token, step.at), token, created_at: step.at };
  const card = await insert(step.tx, 'payment_method', { id: newId('pm'), customer_id: customerId, ...facts });
  await emit(step, 'payment_method.attached', { objectId: card.id, customerId, subscriptionId: null });
  return card;
}

/** Starts a trial once its card is stored; the trial counts from the creation of the subscription. */
async function keepTrial(step: Step, id: string): Promise<void> {
  const { period_start, period_end } = await lockSubscription(step.tx, id);
  const trial = { trial_start: period_start, trial_end: period_end, due_at: period_end };
  await emitSubscription(step, 'updated', await change(step.tx, 'subscription', id, { status: 'trialing', ...trial }));
}
