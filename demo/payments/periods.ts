import { chargeable } from '#contract/subscriptions/currency.ts';
import { type Money, type PaymentErrorCode, type Plan, planMonths } from '#contract/subscriptions/plan.ts';
import { secondsAfter } from '../../server/src/platform/process/clock.ts';
import { type Db, inTransaction } from '../../server/src/platform/db/db.ts';
import {
  PaymentError,
  type PaymentProvider,
  type PaymentStart,
} from '../../server/src/features/subscriptions/providers/provider.ts';
import { bankAnswer, laterRefusal, lockSubscription, paidUntil, payingCard, readStart } from './rows.ts';
import { forgetKeys, sandboxNow, type SandboxParts, underKey } from './parts.ts';
import { emit, emitSubscription, forgetEvents } from './events.ts';
import { openIntent, openInvoice, owedInvoice, priceFor, settleInvoice, termsFrom } from './payments.ts';
import type { InvoiceRow, SubscriptionRow } from './tables.ts';
import { dropChange, endSubscription, unfinishedSeconds } from './subscriptions.ts';
import { anchorFrom, periodEndOf, unusedShare } from './billing-period.ts';

/** The days of an unpaid period on which payment is tried; after the last one the subscription ends. */
const tryDays = [0, 3, 5, 7];

type Prices = SandboxParts['prices'];

/** Starts a period of a locked subscription and charges its card; past due if that fails. */
async function beginPeriod(
  tx: Db,
  prices: Prices,
  { id }: SubscriptionRow,
  terms: Pick<SubscriptionRow, 'plan' | 'price_minor' | 'currency' | 'anchor_at' | 'period_start' | 'period_end'> &
    Partial<Pick<SubscriptionRow, 'trial_end'>>,
  at: Date,
): Promise<void> {
  const subscription = await tx
    .updateTable('sandbox.subscription')
    .set({ ...terms, paused_until: null, failed_tries: 0, due_at: terms.period_end })
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirstOrThrow();
  const { plan, price_minor: amountMinor, currency, period_start, period_end } = terms;
  const invoice = await openInvoice(
    tx,
    subscription,
    { purpose: 'period', plan, total: { amountMinor, currency }, period_start, period_end },
    at,
  );
  await tryOwed(tx, prices, subscription, invoice, at);
}

/** One payment attempt of an unpaid period. */
async function tryOwed(
  tx: Db,
  prices: Prices,
  subscription: SubscriptionRow,
  invoice: InvoiceRow,
  at: Date,
): Promise<void> {
  if ((await charge(tx, prices, subscription, invoice, at)) === null) return;
  const failed = subscription.failed_tries + 1;
  const nextDay = tryDays[failed];
  if (nextDay === undefined) return await endSubscription(tx, subscription, 'canceled', at);
  const due_at = secondsAfter(subscription.period_start, nextDay * 86_400);
  await tx
    .updateTable('sandbox.subscription')
    .set({ status: 'past_due', failed_tries: failed, due_at })
    .where('id', '=', subscription.id)
    .execute();
  await emitSubscription(tx, 'updated', subscription, at);
}

/** Charges an invoice's total to the card of its subscription; returns the code of a refusal, or null. */
async function charge(
  tx: Db,
  prices: Prices,
  subscription: SubscriptionRow,
  invoice: InvoiceRow,
  at: Date,
): Promise<PaymentErrorCode | null> {
  const card = await payingCard(tx, subscription);
  const declined = card === undefined ? 'card_declined' : laterRefusal(card.token);
  if (card !== undefined && declined === null) {
    await settleInvoice(tx, prices, invoice.id, card, at);
    return null;
  }
  const known = await tx
    .updateTable('sandbox.intent')
    .set({ declined })
    .where('invoice_id', '=', invoice.id)
    .executeTakeFirst();
  const { id: subscription_id, customer_id } = subscription;
  if (known.numUpdatedRows === 0n)
    await openIntent(tx, { customer_id, subscription_id, invoice_id: invoice.id, declined }, at);
  const about = { objectId: invoice.id, customerId: customer_id, subscriptionId: subscription_id };
  await emit(tx, 'invoice.payment_failed', about, at);
  return declined;
}

/** Retries the open payment of a subscription outside the schedule; rejects with the refusal's code. */
export async function payOpenInvoice({ db, clock, prices }: SandboxParts, id: string): Promise<void> {
  const refused = await inTransaction(db, async (tx) => {
    const subscription = await lockSubscription(tx, id);
    const invoice = await owedInvoice(tx, id);
    return invoice === undefined ? null : await charge(tx, prices, subscription, invoice, await sandboxNow(tx, clock));
  });
  // Thrown after the transaction, so that the refusal is stored.
  if (refused !== null) throw new PaymentError(refused);
}

const isChangeable = ({ status }: SubscriptionRow) => status === 'active' || status === 'trialing';

/** The new price minus the paid but unused part of the old one at `now`; never below zero. */
async function dueFor(db: Db, subscription: SubscriptionRow, price: Money, now: Date): Promise<Money> {
  const { id, price_minor, period_start, period_end } = subscription;
  const paid = await paidUntil(db, id);
  const isPaid = paid !== null && paid >= period_end;
  const unused = isPaid ? price_minor * unusedShare(period_start, period_end, now) : 0;
  const credit = chargeable(unused, price.currency);
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
    else await beginPeriod(tx, parts.prices, subscription, termsFrom(subscription, plan, parts.prices, now), now);
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
  const price = priceFor(subscription, plan, prices);
  const total = await dueFor(tx, subscription, price, now);
  const { period_start, period_end } = termsFrom(subscription, plan, prices, now);
  const invoice = await openInvoice(
    tx,
    subscription,
    {
      purpose: 'change',
      plan,
      total,
      credit_minor: price.amountMinor - total.amountMinor,
      period_start,
      period_end,
    },
    now,
  );
  const said = total.amountMinor === 0 ? 'pays' : bankAnswer(card.token, 'kept');
  if (said === 'pays') return await settleInvoice(tx, prices, invoice.id, card, now);
  if (said !== 'asks') throw new PaymentError(said);

  const { id, customer_id } = subscription;
  const asked = { customer_id, subscription_id: id, invoice_id: invoice.id, asked_about: card.id };
  await openIntent(tx, asked, now);
  const unfinishedUntil = secondsAfter(now, unfinishedSeconds);
  const renewsAt = renewalOf(subscription);
  const due_at = unfinishedUntil < renewsAt ? unfinishedUntil : renewsAt;
  await tx.updateTable('sandbox.subscription').set({ due_at }).where('id', '=', id).execute();
  const about = { objectId: invoice.id, customerId: customer_id, subscriptionId: id };
  await emit(tx, 'invoice.payment_action_required', about, now);
}

/** When the next automatic event is due, or null. */
export async function nextDue(db: Db): Promise<Date | null> {
  const next = await db
    .selectFrom('sandbox.subscription')
    .select('due_at')
    .where('due_at', 'is not', null)
    .orderBy('due_at')
    .limit(1)
    .executeTakeFirst();
  return next?.due_at ?? null;
}

/** Processes everything that is due, in order and dated when it was due; skips what another process is working on. */
export async function tick({ db, clock, prices }: SandboxParts): Promise<void> {
  const now = await sandboxNow(db, clock);
  let isBusy = true;
  while (isBusy) isBusy = await inTransaction(db, (tx) => doNextDue(tx, prices, now));
  await forgetKeys(db, now);
  await forgetEvents(db, clock.now());
}

async function doNextDue(tx: Db, prices: Prices, now: Date): Promise<boolean> {
  const subscription = await tx
    .selectFrom('sandbox.subscription')
    .selectAll()
    .where('due_at', '<=', now)
    .orderBy('due_at')
    .orderBy('id')
    .limit(1)
    .forUpdate()
    .skipLocked()
    .executeTakeFirst();
  if (subscription?.due_at == null) return false;
  await doDue(tx, prices, subscription, subscription.due_at);
  return true;
}

async function doDue(tx: Db, prices: Prices, subscription: SubscriptionRow, at: Date): Promise<void> {
  switch (subscription.status) {
    case 'incomplete':
      return await endSubscription(tx, subscription, 'incomplete_expired', at);
    case 'past_due': {
      const invoice = await owedInvoice(tx, subscription.id);
      if (invoice === undefined) throw new Error(`${subscription.id} is past due and owes nothing`);
      return await tryOwed(tx, prices, subscription, invoice, at);
    }
    case 'active':
    case 'trialing':
      return await endPeriod(tx, prices, subscription, at);
    case 'canceled':
    case 'incomplete_expired':
      return;
  }
}

/** When a subscription is charged again. */
const renewalOf = ({ paused_until, period_end }: SubscriptionRow): Date => paused_until ?? period_end;

/** The end of a period, or of an unfinished plan change if that is earlier. */
async function endPeriod(tx: Db, prices: Prices, subscription: SubscriptionRow, at: Date): Promise<void> {
  const { id, status, plan, price_minor, currency, period_end, cancel_at_period_end } = subscription;
  const renewsAt = renewalOf(subscription);
  await dropChange(tx, subscription);
  if (at < renewsAt) {
    await tx.updateTable('sandbox.subscription').set({ due_at: renewsAt }).where('id', '=', id).execute();
    return await emitSubscription(tx, 'updated', subscription, at);
  }
  const isUncovered = status === 'trialing' && (await payingCard(tx, subscription)) === undefined;
  if (cancel_at_period_end || isUncovered) return await endSubscription(tx, subscription, 'canceled', period_end);
  const anchor_at = anchorFrom(subscription.anchor_at, renewsAt);
  const next = {
    plan,
    price_minor,
    currency,
    anchor_at,
    period_start: renewsAt,
    period_end: periodEndOf(anchor_at, renewsAt, planMonths[plan]),
  };
  await beginPeriod(tx, prices, subscription, next, at);
}
