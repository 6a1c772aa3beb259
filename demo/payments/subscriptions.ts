import { sql } from 'kysely';
import { monthsAfter, planMonths } from '#contract/subscriptions/plan.ts';
import {
  Lost,
  PaymentError,
  type PaymentProvider,
  type PaymentStart,
  type ProviderSubscription,
} from '../../server/src/features/subscriptions/providers/provider.ts';
import type { Db } from '../../server/src/platform/db/db.ts';
import { secondsAfter } from '../../server/src/platform/process/clock.ts';
import { emitSubscription } from './events.ts';
import {
  keptCard,
  lockCustomer,
  newId,
  onSubscription,
  sandboxNow,
  type SandboxParts,
  type Step,
  underKey,
} from './parts.ts';
import { openIntent, openInvoice } from './payments.ts';
import { change, first, insert, type IntentRow, type SubscriptionRow } from './tables.ts';

/** How long a payer has to finish a payment. */
export const unfinishedSeconds = 23 * 3600;
/** The longest time to wait for a renewal, which is tried within a minute. */
const renewalOpenSeconds = 3600;

/** Subscriptions that start, end, pause and are read. */
export const subscriptionCommands = (parts: SandboxParts) =>
  ({
    /** With its first invoice and the intent to pay it; for a trial, the intent only stores a card. */
    createSubscription: (wish, key) =>
      underKey(parts, key, { command: 'createSubscription', ...wish }, (step) => create(step, wish)),

    async openPayment(id) {
      const start = await readStart(parts.db, id, await sandboxNow(parts.db, parts.clock));
      if (!start.requiresAction) throw new PaymentError('invalid');
      return start;
    },

    getSubscription: async (id) => readSubscription(parts.db, id, await sandboxNow(parts.db, parts.clock)),

    setCancelAtPeriodEnd: (id, atPeriodEnd) =>
      onSubscription(parts, id, async (step, subscription) => {
        const { status, cancel_at_period_end: isSet, period_end, paused_until } = subscription;
        if (status !== 'active' && status !== 'trialing' && status !== 'past_due') throw new PaymentError('invalid');
        // The period is over, although the subscription has not been ended yet.
        if (isSet && period_end <= step.at) throw new PaymentError('invalid');
        if (isSet === atPeriodEnd) return;
        const canceled_at = atPeriodEnd ? step.at : null;
        const due = paused_until === null ? {} : { due_at: period_end };
        const ending = { cancel_at_period_end: atPeriodEnd, canceled_at, paused_until: null, ...due };
        await change(step.tx, 'subscription', id, ending);
        await emitSubscription(step, 'updated', subscription);
      }),

    pause: (id, until) =>
      onSubscription(parts, id, async (step, subscription) => {
        const { status, cancel_at_period_end: isEnding, period_end } = subscription;
        if (status !== 'active' || isEnding || period_end <= step.at) throw new PaymentError('invalid');
        await dropChange(step.tx, id);
        await change(step.tx, 'subscription', id, { paused_until: until, due_at: until ?? period_end });
        await emitSubscription(step, 'updated', subscription);
      }),

    cancelNow: (id) =>
      onSubscription(parts, id, async (step, subscription) => {
        if (subscription.due_at !== null) await endSubscription(step, subscription, 'canceled');
      }),

    giveUp: (id) =>
      onSubscription(parts, id, async (step, subscription) => {
        if (subscription.status === 'incomplete') await endSubscription(step, subscription, 'incomplete_expired');
      }),
  }) satisfies Partial<PaymentProvider>;

async function create(step: Step, wish: Parameters<PaymentProvider['createSubscription']>[0]): Promise<PaymentStart> {
  const { tx, prices, at } = step;
  const { customerId, plan, trialDays, paymentMethodId } = wish;
  await lockCustomer(tx, customerId);
  if (paymentMethodId !== null && (await keptCard(tx, customerId, paymentMethodId)) === undefined)
    throw new PaymentError('invalid');
  const total = prices[plan];
  const trialEnd = secondsAfter(at, trialDays * 86_400);
  const period_end = trialDays > 0 ? trialEnd : monthsAfter(at, planMonths[plan]);
  const subscription = await insert(tx, 'subscription', {
    id: newId('sub'),
    customer_id: customerId,
    status: 'incomplete',
    plan,
    price_minor: total.amountMinor,
    currency: total.currency,
    created_at: at,
    anchor_at: trialEnd,
    period_start: at,
    period_end,
    payment_method_id: paymentMethodId,
    due_at: secondsAfter(at, unfinishedSeconds),
  });
  const period = { purpose: 'start', plan, total, period_start: at, period_end } as const;
  const invoice = trialDays > 0 ? null : await openInvoice(step, subscription, period);
  await openIntent(step, customerId, { subscription_id: subscription.id, invoice_id: invoice?.id ?? null });
  await emitSubscription(step, 'created', subscription);
  return await readStart(tx, subscription.id, at);
}

/** Ends a locked subscription and cancels its open invoices and intents. */
export async function endSubscription(
  step: Step,
  subscription: SubscriptionRow,
  status: 'canceled' | 'incomplete_expired',
): Promise<void> {
  const { tx, at } = step;
  const { id, canceled_at } = subscription;
  await change(tx, 'subscription', id, { status, canceled_at: canceled_at ?? at, due_at: null });
  await sql`update sandbox.invoice set status = case purpose when 'period' then 'uncollectible' else 'void' end
    where subscription_id = ${id} and status = 'open'`.execute(tx);
  await cancelIntents(tx, id);
  await emitSubscription(step, status === 'canceled' ? 'deleted' : 'updated', subscription);
}

/** Cancels a change of this subscription that waits for its payer, if there is one. */
export async function dropChange(tx: Db, id: string): Promise<void> {
  const dropped = await first(
    tx,
    sql`update sandbox.invoice set status = 'void'
      where subscription_id = ${id} and status = 'open' and purpose = 'change' returning id`,
  );
  if (dropped !== undefined) await cancelIntents(tx, id);
}

async function cancelIntents(tx: Db, subscriptionId: string): Promise<void> {
  await sql`update sandbox.intent set status = 'canceled', asked_about = null
    where subscription_id = ${subscriptionId} and status in ('open', 'requires_action')`.execute(tx);
}

/** A subscription as seen from outside at `now`; `invalid` for an unknown one. One statement, so the result is consistent. */
async function readSubscription(db: Db, id: string, now: Date): Promise<ProviderSubscription> {
  type Read = SubscriptionRow & { paid_until: Date | null; latest_intent: string | null; fingerprint: string | null };
  const row = await first(
    db,
    sql<Read>`select s.*,
      (select period_end from sandbox.invoice i where i.subscription_id = s.id and i.status = 'paid' order by seq desc limit 1) as paid_until,
      (select i.id from sandbox.intent i where i.subscription_id = s.id order by seq desc limit 1) as latest_intent,
      (select fingerprint from sandbox.payment_method m where m.customer_id = s.customer_id
        and case when s.payment_method_id is null then m.is_default else m.id = s.payment_method_id end) as fingerprint
      from sandbox.subscription s where s.id = ${id}`,
  );
  if (row === undefined) throw new Lost('subscription');
  const isLive = row.status === 'active' || row.status === 'trialing';
  const isRenewing = isLive && !row.cancel_at_period_end && row.paused_until === null && row.period_end <= now;
  return {
    id: row.id,
    customerId: row.customer_id,
    status: row.status,
    plan: row.plan,
    price: { amountMinor: row.price_minor, currency: row.currency },
    currentPeriodStart: row.period_start,
    currentPeriodEnd: row.period_end,
    anchorDay: row.anchor_at.getUTCDate(),
    paidThrough: row.paid_until ?? row.trial_end,
    renewalOpenUntil: isRenewing ? secondsAfter(row.period_end, renewalOpenSeconds) : null,
    pausedUntil: row.status === 'active' ? row.paused_until : null,
    cancelAtPeriodEnd: row.cancel_at_period_end,
    canceledAt: row.canceled_at,
    trialStart: row.trial_start,
    trialEnd: row.trial_end,
    createdAt: row.created_at,
    latestIntentId: row.latest_intent,
    cardFingerprint: row.fingerprint,
  };
}

/** A subscription with what its payer still has to do, if anything. */
export async function readStart(db: Db, id: string, now: Date): Promise<PaymentStart> {
  const subscription = await readSubscription(db, id, now);
  const open = sql<IntentRow>`select * from sandbox.intent
    where subscription_id = ${id} and status in ('open', 'requires_action') order by seq desc`;
  const {
    id: intentId = null,
    client_secret: clientSecret = null,
    kind: secretKind = null,
  } = (await first(db, open)) ?? {};
  return { subscription, clientSecret, secretKind, requiresAction: intentId !== null, intentId };
}
