import type { PaymentErrorCode } from '#contract/subscriptions/plan.ts';
import { secondsAfter } from '../../server/src/platform/process/clock.ts';
import { inTransaction, type Db } from '../../server/src/platform/db/db.ts';
import { PaymentError } from '../../server/src/features/subscriptions/providers/provider.ts';
import { laterRefusal } from './cards.ts';
import { sandboxNow } from './clock.ts';
import { emit, emitSubscription } from './events.ts';
import { openIntent } from './intents.ts';
import { openInvoice, owedInvoice } from './invoices.ts';
import type { SandboxParts } from './parts.ts';
import { settleInvoice } from './payments.ts';
import { lockSubscription, payingCard } from './rows.ts';
import type { InvoiceRow, SubscriptionRow } from './tables.ts';
import { endSubscription } from './subscriptions.ts';

/** The days of an unpaid period on which payment is tried; after the last the subscription ends. */
const tryDays = [0, 3, 5, 7];

type Prices = SandboxParts['prices'];

/** Starts a period of a locked subscription and charges its card; past due if that fails. */
export async function beginPeriod(
  tx: Db,
  prices: Prices,
  { id }: SubscriptionRow,
  terms: Pick<SubscriptionRow, 'plan' | 'price_minor' | 'currency' | 'anchor_at' | 'period_start' | 'period_end'> &
    Partial<Pick<SubscriptionRow, 'trial_end'>>,
  at: Date,
): Promise<void> {
  const subscription = await tx
    .updateTable('sandbox.subscription')
    .set({ ...terms, failed_tries: 0, due_at: terms.period_end })
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
export async function tryOwed(
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
