import { randomBytes, timingSafeEqual } from 'node:crypto';
import { sql } from 'kysely';
import { productName } from '#contract/constants.ts';
import { plainName } from '#contract/service/file-name.ts';
import type { SandboxToken } from '#contract/subscriptions/payments-sandbox.ts';
import { type Money, type Plan, planMonths } from '#contract/subscriptions/plan.ts';
import {
  Lost,
  PaymentError,
  type PaymentProvider,
  type ProviderIntent,
  type ProviderInvoice,
} from '../../server/src/features/subscriptions/providers/provider.ts';
import { hashToken } from '#platform/config/secrets.ts';
import { presentBrand } from '#platform/service/brand.ts';
import { bankAnswer, cardFacts, isSandboxToken } from './bank.ts';
import { periodEndOf } from './billing-period.ts';
import { inStep, newId, type SandboxParts, type Step, underKey } from './parts.ts';
import type { CardRow, IntentRow, InvoiceRow, SubscriptionRow } from './tables.ts';

/** A payer's answer to an intent: pay with a test token or a stored card, or answer the bank. */
export type IntentAnswer = { token: string } | { challenge: 'approve' | 'refuse' };

/** What invoice numbers begin with. The product keeps the numbers that it has read, so that only new ones follow the brand. */
function prefixNow(): string {
  const { name } = presentBrand();
  return name === productName ? 'HW' : plainName(name).replaceAll('-', '').slice(0, 3).toUpperCase() || 'NO';
}

/** Invoices and intents, and what a payer's browser and the back office do with them. */
export const paymentCommands = (parts: SandboxParts) =>
  ({
    listInvoices: (customerId, { limit, startingAfter = null }) =>
      inStep(parts, async (step) => {
        const customer = await step.first(sql`select from sandbox.customer where id = ${customerId}`);
        if (customer === undefined) throw new Lost('customer');
        const last = sql`select created_at, seq from sandbox.invoice
          where id = ${startingAfter} and customer_id = ${customerId}`;
        if (startingAfter !== null && (await step.first(last)) === undefined) throw new PaymentError('invalid');
        const rows = await step.all(
          sql<ProviderInvoice>`select id, subscription_id as "subscriptionId", status, plan, 0 as "discountMinor",
              ${prefixNow()} || to_char(created_at at time zone 'UTC', '-YYYY-') || lpad(seq::text, 6, '0') as number,
              json_build_object('amountMinor', total_minor, 'currency', currency) as total, credit_minor as "creditMinor",
              case status when 'refunded' then total_minor else refunded_minor end as "refundedMinor",
              case when card_last4 is not null then json_build_object('brand', card_brand, 'last4', card_last4) end as card,
              created_at as "createdAt", period_start as "periodStart", period_end as "periodEnd", paid_at as "paidAt",
              null as "hostedUrl"
            from sandbox.invoice i where customer_id = ${customerId}
              and (${startingAfter}::text is null or (i.created_at, i.seq) < (${last}))
            order by i.created_at desc, i.seq desc limit ${limit + 1}`,
        );
        return { data: rows.slice(0, limit), hasMore: rows.length > limit };
      }),

    createSetupIntent: (customerId, key) =>
      underKey(parts, key, { command: 'createSetupIntent', customerId }, async (step) => {
        await step.lockCustomer(customerId);
        const { id, client_secret } = await openIntent(step, customerId, {});
        return { clientSecret: client_secret, setupIntentId: id };
      }),

    getIntent: (id) =>
      inStep(parts, async (step) => {
        const own = sql<ProviderIntent>`select id, kind, customer_id as "customerId", status, declined,
          payment_method_id as "paymentMethodId" from sandbox.intent where id = ${id}`;
        const intent = await step.first(own);
        if (intent === undefined) throw new PaymentError('invalid');
        return intent;
      }),

    /**
     * The state of the intent afterwards; null for an unknown intent or a wrong secret. A refused card rejects with `PaymentError`. A
     * succeeded or cancelled intent does not change.
     */
    async answerIntent(id: string, secret: string, answer: IntentAnswer): Promise<ProviderIntent['status'] | null> {
      const result = await inStep(parts, async (step) => {
        const intent = await lockIntent(step, id, secret);
        return intent && (await take(step, intent, answer));
      });
      // Thrown after the transaction, so that the refusal is stored.
      if (result instanceof PaymentError) throw result;
      return result;
    },

    async refundPart(wish, key) {
      await underKey(parts, key, { command: 'refundPart', ...wish }, async (step) => {
        const { invoiceId: id, amountMinor } = wish;
        const invoice = await step.first(sql<InvoiceRow>`select * from sandbox.invoice where id = ${id}`);
        if (invoice === undefined) throw new PaymentError('invalid');
        const subscription = await step.lockSubscription(invoice.subscription_id);
        const refunded = sql`update sandbox.invoice set refunded_minor = refunded_minor + ${amountMinor},
            status = case when refunded_minor + ${amountMinor} = total_minor then 'refunded' else status end
          where id = ${id} and status = 'paid' and refunded_minor + ${amountMinor} <= total_minor returning id`;
        if ((await step.first(refunded)) === undefined) throw new PaymentError('invalid');
        await step.emit('charge.refunded', invoice);
        await step.emitSubscription('updated', subscription);
        return true;
      });
    },

    /** Refunds a paid invoice; false if there is nothing to refund. */
    refund: (id: string): Promise<boolean> =>
      inStep(parts, async (step) => {
        const invoice = await step.first(sql<InvoiceRow>`select * from sandbox.invoice where id = ${id}`);
        if (invoice === undefined) return false;
        const subscription = await step.lockSubscription(invoice.subscription_id);
        const refunded = sql`update sandbox.invoice set status = 'refunded'
          where id = ${id} and status = 'paid' and total_minor > 0 returning id`;
        if ((await step.first(refunded)) === undefined) return false;
        await step.emit('charge.refunded', invoice);
        await step.emitSubscription('updated', subscription);
        return true;
      }),
  }) satisfies Partial<PaymentProvider> & Record<string, unknown>;

type Asked = Partial<InvoiceRow> & { total: Money };

/** An unpaid invoice over `total` for a period of a subscription. */
export function openInvoice(step: Step, { id, customer_id }: SubscriptionRow, { total, ...invoice }: Asked) {
  const { amountMinor: total_minor, currency } = total;
  const terms = { ...invoice, total_minor, currency, status: 'open' as const, created_at: step.at };
  return step.insert('invoice', { ...terms, id: newId('in'), customer_id, subscription_id: id });
}

/** Makes a card its customer's default, and that of the subscriptions. */
export async function makeDefault(step: Step, card: CardRow, subscriptions: { id: string }[]): Promise<void> {
  await step.all(sql`update sandbox.payment_method set is_default = false
    where customer_id = ${card.customer_id} and is_default`);
  await step.change('payment_method', card.id, { is_default: true });
  for (const { id } of subscriptions) await step.change('subscription', id, { payment_method_id: card.id });
}

/** The price of a new period of a plan; for the current plan, the agreed price. */
export function priceFor({ prices }: Step, subscription: SubscriptionRow, plan: Plan): Money {
  const { price_minor: amountMinor, currency } = subscription;
  return plan === subscription.plan ? { amountMinor, currency } : prices[plan];
}

/** The subscription after changing to `plan` now, with a new first period. */
export function termsFrom(step: Step, subscription: SubscriptionRow, plan: Plan): SubscriptionRow {
  const { at } = step;
  const { amountMinor: price_minor, currency } = priceFor(step, subscription, plan);
  const period = { anchor_at: at, period_start: at, period_end: periodEndOf(at, at, planMonths[plan]) };
  const trial_end = subscription.trial_end !== null && subscription.trial_end > at ? at : subscription.trial_end;
  return { ...subscription, plan, price_minor, currency, ...period, trial_end };
}

/** Records that an open invoice was paid with `card` and updates its subscription. */
export async function settleInvoice(step: Step, invoice: InvoiceRow, card: CardRow): Promise<void> {
  const before = await step.lockSubscription(invoice.subscription_id);
  const terms = invoice.purpose === 'change' ? termsFrom(step, before, invoice.plan) : before;
  const { period_start, period_end } = terms;
  const paid = { status: 'paid', paid_at: step.at, card_brand: card.brand, card_last4: card.last4 } as const;
  await step.change('invoice', invoice.id, { ...paid, period_start, period_end });
  await step.all(sql`update sandbox.intent set status = 'succeeded', declined = null, asked_about = null,
    payment_method_id = ${card.id} where invoice_id = ${invoice.id}`);
  const active = { status: 'active', failed_tries: 0, due_at: period_end, paused_until: null } as const;
  await step.change('subscription', before.id, { ...terms, ...active });
  await step.emit('invoice.paid', invoice);
  await step.emitSubscription('updated', before);
}

/** Creates an intent to pay an invoice or, without one, to store a card. */
export function openIntent(step: Step, customer_id: string, asked: Partial<IntentRow>): Promise<IntentRow> {
  const kind = asked.invoice_id == null ? 'setup' : 'payment';
  const id = newId(kind === 'setup' ? 'seti' : 'pi');
  const client_secret = `${id}_secret_${randomBytes(18).toString('hex')}`;
  const status = asked.asked_about == null ? 'open' : 'requires_action';
  return step.insert('intent', { ...asked, id, customer_id, kind, client_secret, status, created_at: step.at });
}

/** Locks an intent with its customer and subscription, always in that order; null for an unknown one or a wrong secret. */
async function lockIntent(step: Step, id: string, clientSecret: string): Promise<IntentRow | null> {
  const own = sql<IntentRow>`select * from sandbox.intent where id = ${id}`;
  const found = await step.first(own);
  if (found === undefined || !timingSafeEqual(hashToken(found.client_secret), hashToken(clientSecret))) return null;
  await step.all(sql`select from sandbox.customer where id = ${found.customer_id} for no key update`);
  if (found.subscription_id !== null) await step.lockSubscription(found.subscription_id);
  return (await step.first(sql<IntentRow>`${own} for update`)) ?? null;
}

/** Applies the payer's answer to a locked intent; a refusal is returned. */
async function take(step: Step, intent: IntentRow, answer: IntentAnswer): Promise<IntentRow['status'] | PaymentError> {
  const { id, kind, customer_id, invoice_id, subscription_id, asked_about } = intent;
  if (intent.status !== 'open' && intent.status !== 'requires_action') return intent.status;
  if ('challenge' in answer && asked_about === null) return intent.status;
  const given = 'token' in answer ? answer.token : (asked_about ?? '');
  const kept = await step.keptCard(customer_id, given);
  const token = kept?.token ?? given;
  if (!isSandboxToken(token)) throw new PaymentError('invalid');
  const refused = 'challenge' in answer && answer.challenge === 'refuse';
  const said = 'token' in answer ? bankAnswer(token, 'entered') : refused ? 'authentication_failed' : 'pays';
  const about = { ...intent, id: invoice_id ?? id };
  if (said === 'asks') {
    await step.change('intent', id, { status: 'requires_action', asked_about: given, declined: null });
    if (kind === 'payment') await step.emit('invoice.payment_action_required', about);
    return 'requires_action';
  }
  if (said !== 'pays') {
    await step.change('intent', id, { status: 'open', asked_about: null, declined: said });
    if (kind === 'payment') await step.emit('invoice.payment_failed', about);
    return new PaymentError(said);
  }
  const card = kept ?? (await keepToken(step, customer_id, token));
  if (subscription_id !== null) await makeDefault(step, card, [{ id: subscription_id }]);
  const invoice = await step.first(sql<InvoiceRow>`select * from sandbox.invoice where id = ${invoice_id}`);
  if (invoice !== undefined) await settleInvoice(step, invoice, card);
  else await keepCard(step, intent, card);
  return 'succeeded';
}

/** Ends an intent that only stores a card, and starts its trial, which counts from the creation of the subscription. */
async function keepCard(step: Step, intent: IntentRow, card: CardRow): Promise<void> {
  const done = { status: 'succeeded', asked_about: null, declined: null, payment_method_id: card.id } as const;
  await step.change('intent', intent.id, done);
  await step.emit('setup_intent.succeeded', intent);
  if (intent.subscription_id === null) return;
  const { id, period_start, period_end } = await step.lockSubscription(intent.subscription_id);
  const trial = { status: 'trialing', trial_start: period_start, trial_end: period_end, due_at: period_end } as const;
  await step.emitSubscription('updated', await step.change('subscription', id, trial));
}

/** Stores a test card for a customer. */
async function keepToken(step: Step, customer_id: string, token: SandboxToken): Promise<CardRow> {
  const facts = { ...cardFacts(token, step.at), token, created_at: step.at };
  const card = await step.insert('payment_method', { id: newId('pm'), customer_id, ...facts });
  await step.emit('payment_method.attached', { ...card, subscription_id: null });
  return card;
}
