import { type RawBuilder, sql } from 'kysely';
import { monthsAfter, planMonths } from '#contract/subscriptions/plan.ts';
import {
  Lost,
  PaymentError,
  type PaymentProvider,
  type PaymentStart,
  type ProviderSubscription,
} from '../../server/src/features/subscriptions/providers/provider.ts';
import { secondsAfter } from '#platform/process/clock.ts';
import { inStep, newId, type SandboxParts, type Step, underKey } from './parts.ts';
import { openIntent, openInvoice } from './payments.ts';
import type { IntentRow, SubscriptionRow } from './tables.ts';

/** The time a payer has to complete a payment. */
export const unfinishedSeconds = 23 * 3600;

/** Commands that start, end, pause and read subscriptions. */
export const subscriptionCommands = (parts: SandboxParts) =>
  ({
    /** Creates it with its first invoice and the intent to pay it; for a trial, the intent only stores a card. */
    createSubscription: (wish, key) =>
      underKey(parts, key, { command: 'createSubscription', ...wish }, (step) => create(step, wish)),

    openPayment: (id) =>
      inStep(parts, async (step) => {
        const start = await readStart(step, id);
        if (!start.requiresAction) throw new PaymentError('invalid');
        return start;
      }),

    getSubscription: (id) => inStep(parts, (step) => readSubscription(step, id)),

    setCancelAtPeriodEnd: (id, atPeriodEnd) =>
      inStep(parts, async (step) => {
        const subscription = await step.lockSubscription(id);
        const { status, cancel_at_period_end: isSet, period_end, paused_until } = subscription;
        const isLive = status === 'active' || status === 'trialing' || status === 'past_due';
        // The period may be over, although the subscription has not been ended yet.
        if (!isLive || (isSet && period_end <= step.at)) throw new PaymentError('invalid');
        if (isSet === atPeriodEnd) return;
        const canceled_at = atPeriodEnd ? step.at : null;
        const due = paused_until === null ? {} : { due_at: period_end };
        const ending = { cancel_at_period_end: atPeriodEnd, canceled_at, paused_until: null, ...due };
        await step.change('subscription', id, ending);
        await step.emitSubscription('updated', subscription);
      }),

    pause: (id, until) =>
      inStep(parts, async (step) => {
        const subscription = await step.lockSubscription(id);
        const { status, cancel_at_period_end: isEnding, period_end } = subscription;
        if (status !== 'active' || isEnding || period_end <= step.at) throw new PaymentError('invalid');
        await dropChange(step, id);
        await step.change('subscription', id, { paused_until: until, due_at: until ?? period_end });
        await step.emitSubscription('updated', subscription);
      }),

    cancelNow: (id) =>
      inStep(parts, async (step) => {
        const subscription = await step.lockSubscription(id);
        if (subscription.due_at !== null) await endSubscription(step, subscription, 'canceled');
      }),

    giveUp: (id) =>
      inStep(parts, async (step) => {
        const subscription = await step.lockSubscription(id);
        if (subscription.status === 'incomplete') await endSubscription(step, subscription, 'incomplete_expired');
      }),
  }) satisfies Partial<PaymentProvider>;

async function create(step: Step, wish: Parameters<PaymentProvider['createSubscription']>[0]): Promise<PaymentStart> {
  const { prices, at } = step;
  const { customerId: customer_id, plan, trialDays, paymentMethodId: payment_method_id } = wish;
  await step.lockCustomer(customer_id);
  if (payment_method_id !== null) await step.requireCard(customer_id, payment_method_id);
  const total = prices[plan];
  const { amountMinor: price_minor, currency } = total;
  const trialEnd = secondsAfter(at, trialDays * 86_400);
  const period_end = trialDays > 0 ? trialEnd : monthsAfter(at, planMonths[plan]);
  const status = 'incomplete';
  const terms = { id: newId('sub'), customer_id, status, plan, price_minor, currency, payment_method_id } as const;
  const times = { created_at: at, anchor_at: trialEnd, period_start: at, period_end };
  const due_at = secondsAfter(at, unfinishedSeconds);
  const subscription = await step.insert('subscription', { ...terms, ...times, due_at });
  const period = { purpose: 'start', plan, total, period_start: at, period_end } as const;
  const invoice = trialDays > 0 ? null : await openInvoice(step, subscription, period);
  await openIntent(step, customer_id, { subscription_id: subscription.id, invoice_id: invoice?.id ?? null });
  await step.emitSubscription('created', subscription);
  return await readStart(step, subscription.id);
}

type Ended = 'canceled' | 'incomplete_expired';

/** Ends a locked subscription and cancels its open invoices and intents. */
export async function endSubscription(step: Step, subscription: SubscriptionRow, status: Ended): Promise<void> {
  const { id, canceled_at } = subscription;
  await step.change('subscription', id, { status, canceled_at: canceled_at ?? step.at, due_at: null });
  await step.all(sql`update sandbox.invoice set status = case purpose when 'period' then 'uncollectible' else 'void' end
    where subscription_id = ${id} and status = 'open'`);
  await cancelIntents(step, sql`subscription_id = ${id}`);
  await step.emitSubscription(status === 'canceled' ? 'deleted' : 'updated', subscription);
}

/** Cancels a change of this subscription that waits for its payer, if there is one. */
export async function dropChange(step: Step, id: string): Promise<void> {
  const dropped = await step.first(sql`update sandbox.invoice set status = 'void'
    where subscription_id = ${id} and status = 'open' and purpose = 'change' returning id`);
  if (dropped !== undefined) await cancelIntents(step, sql`subscription_id = ${id}`);
}

/** Cancels the unfinished intents that `which` selects. */
export async function cancelIntents(step: Step, which: RawBuilder<unknown>): Promise<void> {
  await step.all(sql`update sandbox.intent set status = 'canceled', asked_about = null
    where ${which} and status in ('open', 'requires_action')`);
}

/** A subscription as seen from outside; `invalid` for an unknown one. One statement, so the result is consistent. */
async function readSubscription(step: Step, id: string): Promise<ProviderSubscription> {
  const seen = sql<ProviderSubscription>`select id, customer_id as "customerId", status, plan,
      json_build_object('amountMinor', price_minor, 'currency', currency) as price,
      period_start as "currentPeriodStart", period_end as "currentPeriodEnd",
      extract(day from anchor_at at time zone 'UTC')::int as "anchorDay",
      coalesce((select period_end from sandbox.invoice i where i.subscription_id = s.id and i.status = 'paid'
        order by seq desc limit 1), trial_end) as "paidThrough",
      case when status in ('active', 'trialing') and not cancel_at_period_end and paused_until is null
        and period_end <= ${step.at} then period_end + interval '1 hour' end as "renewalOpenUntil",
      case status when 'active' then paused_until end as "pausedUntil", cancel_at_period_end as "cancelAtPeriodEnd",
      canceled_at as "canceledAt", trial_start as "trialStart", trial_end as "trialEnd", created_at as "createdAt",
      (select i.id from sandbox.intent i where i.subscription_id = s.id order by seq desc limit 1) as "latestIntentId",
      (select fingerprint from sandbox.payment_method m where m.customer_id = s.customer_id and case
        when s.payment_method_id is null then m.is_default else m.id = s.payment_method_id end) as "cardFingerprint"
    from sandbox.subscription s where id = ${id}`;
  const subscription = await step.first(seen);
  if (subscription === undefined) throw new Lost('subscription');
  return subscription;
}

/** A subscription with the payment that its payer still has to complete, if any. */
export async function readStart(step: Step, id: string): Promise<PaymentStart> {
  const subscription = await readSubscription(step, id);
  const intent = await step.first(sql<IntentRow>`select * from sandbox.intent
    where subscription_id = ${id} and status in ('open', 'requires_action') order by seq desc`);
  const { id: intentId = null, client_secret: clientSecret = null, kind: secretKind = null } = intent ?? {};
  return { subscription, clientSecret, secretKind, requiresAction: intent !== undefined, intentId };
}
