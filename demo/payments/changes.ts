import type { Money, Plan } from '#contract/subscriptions/plan.ts';
import { secondsAfter } from '../../server/src/platform/process/clock.ts';
import type { Db } from '../../server/src/platform/db/db.ts';
import { unusedShare } from '../../server/src/features/subscriptions/providers/billing-period.ts';
import {
  PaymentError,
  type PaymentProvider,
  type PaymentStart,
} from '../../server/src/features/subscriptions/providers/provider.ts';
import { bankAnswer } from './cards.ts';
import { sandboxNow } from './clock.ts';
import { emit } from './events.ts';
import { openIntent } from './intents.ts';
import { openInvoice } from './invoices.ts';
import { underKey } from './keys.ts';
import type { SandboxParts } from './parts.ts';
import { settleInvoice, termsFrom } from './payments.ts';
import { beginPeriod } from './renewals.ts';
import { lockSubscription, paidUntil, payingCard, readStart } from './rows.ts';
import type { SubscriptionRow } from './tables.ts';
import { dropChange, unfinishedSeconds } from './subscriptions.ts';

const isChangeable = ({ status }: SubscriptionRow) => status === 'active' || status === 'trialing';

/** The new price minus the paid but unused part of the old one at `now`; never below zero. */
async function dueFor(db: Db, subscription: SubscriptionRow, price: Money, now: Date): Promise<Money> {
  const { id, price_minor, period_start, period_end } = subscription;
  const paid = await paidUntil(db, id);
  const isPaid = paid !== null && paid >= period_end;
  const credit = isPaid ? Math.round(price_minor * unusedShare(period_start, period_end, now)) : 0;
  return { ...price, amountMinor: Math.max(0, price.amountMinor - credit) };
}

/** What a change would cost now; `invalid` for a subscription that cannot change or is another customer's. */
export async function previewChange(
  { db, clock, prices }: SandboxParts,
  { customerId, subscriptionId, plan }: { customerId: string; subscriptionId: string; plan: Plan },
): Promise<Money> {
  const subscription = await db
    .selectFrom('sandbox.subscription')
    .selectAll()
    .where('id', '=', subscriptionId)
    .where('customer_id', '=', customerId)
    .executeTakeFirst();
  if (subscription === undefined || !isChangeable(subscription)) throw new PaymentError('invalid');
  return await dueFor(db, subscription, prices[plan], await sandboxNow(db, clock));
}

/** Implements `PaymentProvider.changePlan`; an earlier change that waits for its payer is cancelled. */
export function changePlan(
  parts: SandboxParts,
  change: Parameters<PaymentProvider['changePlan']>[0],
  key: string,
): Promise<PaymentStart> {
  return underKey(parts, key, { command: 'changePlan', ...change }, async (tx, now) => {
    const { subscriptionId, plan, prorate } = change;
    const subscription = await lockSubscription(tx, subscriptionId);
    if (!isChangeable(subscription)) throw new PaymentError('invalid');
    await dropChange(tx, subscription);
    if (prorate) await upgrade(tx, parts, subscription, plan, now);
    else await beginPeriod(tx, parts.prices, subscription, termsFrom(subscription, plan, parts.prices[plan], now), now);
    return await readStart(tx, subscriptionId, now);
  });
}

/** Charges the difference now; if the bank asks for confirmation, the change takes effect with the payment. */
async function upgrade(
  tx: Db,
  { prices }: SandboxParts,
  subscription: SubscriptionRow,
  plan: Plan,
  now: Date,
): Promise<void> {
  const card = await payingCard(tx, subscription);
  if (card === undefined) throw new PaymentError('invalid');
  const total = await dueFor(tx, subscription, prices[plan], now);
  const { period_start, period_end } = termsFrom(subscription, plan, prices[plan], now);
  const invoice = await openInvoice(
    tx,
    subscription,
    { purpose: 'change', plan, total, period_start, period_end },
    now,
  );
  const said = total.amountMinor === 0 ? 'pays' : bankAnswer(card.token, 'kept');
  if (said === 'pays') return await settleInvoice(tx, prices, invoice.id, card, now);
  if (said !== 'asks') throw new PaymentError(said);

  const { id, customer_id } = subscription;
  const asked = { customer_id, subscription_id: id, invoice_id: invoice.id, asked_about: card.id };
  await openIntent(tx, asked, now);
  const unfinishedUntil = secondsAfter(now, unfinishedSeconds);
  const due_at = unfinishedUntil < subscription.period_end ? unfinishedUntil : subscription.period_end;
  await tx.updateTable('sandbox.subscription').set({ due_at }).where('id', '=', id).execute();
  const about = { objectId: invoice.id, customerId: customer_id, subscriptionId: id };
  await emit(tx, 'invoice.payment_action_required', about, now);
}
