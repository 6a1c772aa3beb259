import type { SandboxToken } from '#contract/subscriptions/payments-sandbox.ts';
import { planMonths, type Money, type Plan } from '#contract/subscriptions/plan.ts';
import type { Db } from '../../server/src/platform/db/db.ts';
import { periodEndOf } from '../../server/src/features/subscriptions/providers/billing-period.ts';
import { cardFacts } from './cards.ts';
import { emit, emitSubscription } from './events.ts';
import { newId, type SandboxParts } from './parts.ts';
import { lockSubscription } from './rows.ts';
import type { CardRow, SubscriptionRow } from './tables.ts';

/** Stores a test card for a customer. */
export async function keepToken(tx: Db, customerId: string, token: SandboxToken, now: Date): Promise<CardRow> {
  const card = await tx
    .insertInto('sandbox.payment_method')
    .values({ id: newId('pm'), customer_id: customerId, token, ...cardFacts(token, now), created_at: now })
    .returningAll()
    .executeTakeFirstOrThrow();
  const about = { objectId: card.id, customerId, subscriptionId: null };
  await emit(tx, 'payment_method.attached', about, now);
  return card;
}

/** Makes a card its customer's default, and that of the subscriptions. */
export async function makeDefault(
  tx: Db,
  { id, customer_id }: Pick<CardRow, 'id' | 'customer_id'>,
  subscriptionIds: string[],
): Promise<void> {
  const cards = tx.updateTable('sandbox.payment_method').where('customer_id', '=', customer_id);
  await cards.set({ is_default: false }).where('is_default', '=', true).execute();
  await cards.set({ is_default: true }).where('id', '=', id).execute();
  if (subscriptionIds.length === 0) return;
  await tx
    .updateTable('sandbox.subscription')
    .set({ payment_method_id: id })
    .where('id', 'in', subscriptionIds)
    .execute();
}

/** The subscription after changing to `plan` at `now`, with a new first period. */
export function termsFrom({ trial_end }: Pick<SubscriptionRow, 'trial_end'>, plan: Plan, price: Money, now: Date) {
  return {
    plan,
    price_minor: price.amountMinor,
    currency: price.currency,
    anchor_at: now,
    period_start: now,
    period_end: periodEndOf(now, now, planMonths[plan]),
    trial_end: trial_end !== null && trial_end > now ? now : trial_end,
  };
}

/** Records that an open invoice was paid with `card` and updates its subscription. */
export async function settleInvoice(
  tx: Db,
  prices: SandboxParts['prices'],
  invoiceId: string,
  card: CardRow,
  at: Date,
): Promise<void> {
  const invoice = await tx
    .updateTable('sandbox.invoice')
    .set({ status: 'paid', paid_at: at })
    .where('id', '=', invoiceId)
    .returningAll()
    .executeTakeFirstOrThrow();
  await tx
    .updateTable('sandbox.intent')
    .set({ status: 'succeeded', declined: null, asked_about: null, payment_method_id: card.id })
    .where('invoice_id', '=', invoiceId)
    .execute();
  const before = await lockSubscription(tx, invoice.subscription_id);
  const terms = invoice.purpose === 'change' ? termsFrom(before, invoice.plan, prices[invoice.plan], at) : before;
  const { plan, price_minor, currency, anchor_at, period_start, period_end, trial_end } = terms;
  await tx.updateTable('sandbox.invoice').set({ period_start, period_end }).where('id', '=', invoiceId).execute();
  await tx
    .updateTable('sandbox.subscription')
    .set({ plan, price_minor, currency, anchor_at, period_start, period_end, trial_end })
    .set({ status: 'active', failed_tries: 0, due_at: period_end })
    .where('id', '=', before.id)
    .execute();
  const about = { objectId: invoiceId, customerId: before.customer_id, subscriptionId: before.id };
  await emit(tx, 'invoice.paid', about, at);
  await emitSubscription(tx, 'updated', before, at);
}

/** Starts a trial once its card is stored; the trial counts from the creation of the subscription. */
export async function keepTrial(tx: Db, subscriptionId: string, now: Date): Promise<void> {
  const trial = await tx
    .updateTable('sandbox.subscription')
    .set((eb) => ({
      status: 'trialing',
      trial_start: eb.ref('period_start'),
      trial_end: eb.ref('period_end'),
      due_at: eb.ref('period_end'),
    }))
    .where('id', '=', subscriptionId)
    .returning(['id', 'customer_id'])
    .executeTakeFirstOrThrow();
  await emitSubscription(tx, 'updated', trial, now);
}
