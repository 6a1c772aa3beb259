import { monthsAfter, planMonths } from '#contract/subscriptions/plan.ts';
import { secondsAfter } from '../../server/src/platform/process/clock.ts';
import { inTransaction, type Db } from '../../server/src/platform/db/db.ts';
import {
  PaymentError,
  type PaymentProvider,
  type PaymentStart,
} from '../../server/src/features/subscriptions/providers/provider.ts';
import { newId, sandboxNow, type SandboxParts, underKey } from './parts.ts';
import { emitSubscription } from './events.ts';
import { openIntent, openInvoice } from './payments.ts';
import { keptCard, lockCustomer, lockSubscription, readStart } from './rows.ts';
import type { SubscriptionRow } from './tables.ts';

/** How long a payer has to finish a payment. */
export const unfinishedSeconds = 23 * 3600;

type Wish = Parameters<PaymentProvider['createSubscription']>[0];

/** Creates a subscription with its first invoice and the intent to pay it; for a trial, the intent only stores a card. */
export function createSubscription(parts: SandboxParts, wish: Wish, key: string): Promise<PaymentStart> {
  return underKey(parts, key, { command: 'createSubscription', ...wish }, async (tx, now) => {
    const { customerId, plan, trialDays, paymentMethodId } = wish;
    await lockCustomer(tx, customerId);
    if (paymentMethodId !== null && (await keptCard(tx, customerId, paymentMethodId)) === undefined)
      throw new PaymentError('invalid');
    const total = parts.prices[plan];
    const trialEnd = secondsAfter(now, trialDays * 86_400);
    const period_end = trialDays > 0 ? trialEnd : monthsAfter(now, planMonths[plan]);
    const subscription = await tx
      .insertInto('sandbox.subscription')
      .values({
        id: newId('sub'),
        customer_id: customerId,
        status: 'incomplete',
        plan,
        price_minor: total.amountMinor,
        currency: total.currency,
        created_at: now,
        anchor_at: trialEnd,
        period_start: now,
        period_end,
        payment_method_id: paymentMethodId,
        due_at: secondsAfter(now, unfinishedSeconds),
      })
      .returningAll()
      .executeTakeFirstOrThrow();
    const period = { purpose: 'start', plan, total, period_start: now, period_end } as const;
    const invoice = trialDays > 0 ? null : await openInvoice(tx, subscription, period, now);
    const asked = { customer_id: customerId, subscription_id: subscription.id, invoice_id: invoice?.id ?? null };
    await openIntent(tx, asked, now);
    await emitSubscription(tx, 'created', subscription, now);
    return await readStart(tx, subscription.id, now);
  });
}

/** The unfinished payment of a subscription; `invalid` if there is none. */
export async function openPayment({ db, clock }: SandboxParts, id: string): Promise<PaymentStart> {
  const start = await readStart(db, id, await sandboxNow(db, clock));
  if (!start.requiresAction) throw new PaymentError('invalid');
  return start;
}

/** Sets whether a subscription ends with its period; `invalid` if it was never paid or has ended. */
export function setCancelAtPeriodEnd({ db, clock }: SandboxParts, id: string, atPeriodEnd: boolean): Promise<void> {
  return inTransaction(db, async (tx) => {
    const subscription = await lockSubscription(tx, id);
    const { status, cancel_at_period_end: isSet, period_end } = subscription;
    const now = await sandboxNow(tx, clock);
    if (status !== 'active' && status !== 'trialing' && status !== 'past_due') throw new PaymentError('invalid');
    // The period is over, although the subscription has not been ended yet.
    if (isSet && period_end <= now) throw new PaymentError('invalid');
    if (isSet === atPeriodEnd) return;
    await tx
      .updateTable('sandbox.subscription')
      .set({ cancel_at_period_end: atPeriodEnd, canceled_at: atPeriodEnd ? now : null, paused_until: null })
      .$if(subscription.paused_until !== null, (query) => query.set({ due_at: period_end }))
      .where('id', '=', id)
      .execute();
    await emitSubscription(tx, 'updated', subscription, now);
  });
}

/** Implements `PaymentProvider.pause`; a change that waits for its payer is cancelled. */
export function pause({ db, clock }: SandboxParts, id: string, until: Date | null): Promise<void> {
  return inTransaction(db, async (tx) => {
    const subscription = await lockSubscription(tx, id);
    const { status, cancel_at_period_end: isEnding, period_end } = subscription;
    const now = await sandboxNow(tx, clock);
    if (status !== 'active' || isEnding || period_end <= now) throw new PaymentError('invalid');
    await dropChange(tx, subscription);
    await tx
      .updateTable('sandbox.subscription')
      .set({ paused_until: until, due_at: until ?? period_end })
      .where('id', '=', id)
      .execute();
    await emitSubscription(tx, 'updated', subscription, now);
  });
}

/** Ends a subscription immediately; does nothing if it has ended already. */
export function cancelNow({ db, clock }: SandboxParts, id: string): Promise<void> {
  return inTransaction(db, async (tx) => {
    const subscription = await lockSubscription(tx, id);
    if (subscription.due_at !== null) await endSubscription(tx, subscription, 'canceled', await sandboxNow(tx, clock));
  });
}

/** Ends an unpaid subscription. */
export function giveUp({ db, clock }: SandboxParts, id: string): Promise<void> {
  return inTransaction(db, async (tx) => {
    const subscription = await lockSubscription(tx, id);
    if (subscription.status === 'incomplete')
      await endSubscription(tx, subscription, 'incomplete_expired', await sandboxNow(tx, clock));
  });
}

/** Ends a locked subscription and cancels its open invoices and intents. */
export async function endSubscription(
  tx: Db,
  subscription: SubscriptionRow,
  status: 'canceled' | 'incomplete_expired',
  at: Date,
): Promise<void> {
  const { id } = subscription;
  await tx
    .updateTable('sandbox.subscription')
    .set({ status, canceled_at: subscription.canceled_at ?? at, due_at: null })
    .where('id', '=', id)
    .execute();
  await tx
    .updateTable('sandbox.invoice')
    .set((eb) => ({
      status: eb
        .case()
        .when('purpose', '=', 'period')
        .then('uncollectible' as const)
        .else('void' as const)
        .end(),
    }))
    .where('subscription_id', '=', id)
    .where('status', '=', 'open')
    .execute();
  await cancelIntents(tx, id);
  await emitSubscription(tx, status === 'canceled' ? 'deleted' : 'updated', subscription, at);
}

/** Cancels a change that waits for its payer; returns whether there was one. */
export async function dropChange(tx: Db, { id }: Pick<SubscriptionRow, 'id'>): Promise<boolean> {
  const dropped = await tx
    .updateTable('sandbox.invoice')
    .set({ status: 'void' })
    .where('subscription_id', '=', id)
    .where('status', '=', 'open')
    .where('purpose', '=', 'change')
    .executeTakeFirst();
  if (dropped.numUpdatedRows === 0n) return false;
  await cancelIntents(tx, id);
  return true;
}

async function cancelIntents(tx: Db, subscriptionId: string): Promise<void> {
  await tx
    .updateTable('sandbox.intent')
    .set({ status: 'canceled', asked_about: null })
    .where('subscription_id', '=', subscriptionId)
    .where('status', 'in', ['open', 'requires_action'])
    .execute();
}
