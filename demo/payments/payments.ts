import { type Money, type PaymentErrorCode, type Plan, planMonths } from '#contract/subscriptions/plan.ts';
import { type Db, inTransaction } from '../../server/src/platform/db/db.ts';
import {
  Lost,
  PaymentError,
  type ProviderIntent,
  type ProviderInvoice,
} from '../../server/src/features/subscriptions/providers/provider.ts';
import { type IntentAnswer, newId, sandboxNow, type SandboxParts, underKey } from './parts.ts';
import { emit, emitSubscription } from './events.ts';
import { bankAnswer, cardFacts, isSandboxToken, keptCard, lockCustomer, lockSubscription } from './rows.ts';
import type { CardRow, IntentRow, InvoiceRow, SubscriptionRow } from './tables.ts';
import type { SandboxToken } from '#contract/subscriptions/payments-sandbox.ts';
import { periodEndOf } from './billing-period.ts';
import { randomBytes, timingSafeEqual } from 'node:crypto';
import { hashToken } from '../../server/src/platform/config/secrets.ts';

/** An unpaid invoice over `total` for a period of a subscription. */
export function openInvoice(
  tx: Db,
  { id, customer_id }: Pick<SubscriptionRow, 'id' | 'customer_id'>,
  invoice: Pick<InvoiceRow, 'purpose' | 'plan' | 'period_start' | 'period_end'> & {
    total: Money;
    credit_minor?: number;
  },
  at: Date,
): Promise<InvoiceRow> {
  const { total, ...rest } = invoice;
  return tx
    .insertInto('sandbox.invoice')
    .values({
      ...rest,
      id: newId('in'),
      customer_id,
      subscription_id: id,
      status: 'open',
      total_minor: total.amountMinor,
      currency: total.currency,
      created_at: at,
    })
    .returningAll()
    .executeTakeFirstOrThrow();
}

/** The open invoice of a subscription's current period, or undefined. */
export function owedInvoice(tx: Db, subscriptionId: string): Promise<InvoiceRow | undefined> {
  return tx
    .selectFrom('sandbox.invoice')
    .selectAll()
    .where('subscription_id', '=', subscriptionId)
    .where('status', '=', 'open')
    .where('purpose', '=', 'period')
    .executeTakeFirst();
}

/** Invoices of a customer, newest first; `invalid` for an unknown customer or `startingAfter`. */
export async function listInvoices(
  db: Db,
  customerId: string,
  { limit, startingAfter }: { limit: number; startingAfter?: string },
): Promise<{ data: ProviderInvoice[]; hasMore: boolean }> {
  const customer = await db.selectFrom('sandbox.customer').select('id').where('id', '=', customerId).executeTakeFirst();
  if (customer === undefined) throw new Lost('customer');
  const ofCustomer = db.selectFrom('sandbox.invoice').selectAll().where('customer_id', '=', customerId);
  const last = startingAfter === undefined ? null : await ofCustomer.where('id', '=', startingAfter).executeTakeFirst();
  if (last === undefined) throw new PaymentError('invalid');
  const rows = await ofCustomer
    .$if(last !== null, (query) =>
      query.where((eb) =>
        eb(eb.refTuple('created_at', 'seq'), '<', eb.tuple(last?.created_at ?? new Date(), last?.seq ?? 0)),
      ),
    )
    .orderBy('created_at', 'desc')
    .orderBy('seq', 'desc')
    .limit(limit + 1)
    .execute();
  return { data: rows.slice(0, limit).map(toInvoice), hasMore: rows.length > limit };
}

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

/** Refunds a paid invoice; false if there is nothing to refund. */
export function refundInvoice({ db, clock }: SandboxParts, id: string): Promise<boolean> {
  return inTransaction(db, async (tx) => {
    const invoice = await tx.selectFrom('sandbox.invoice').selectAll().where('id', '=', id).executeTakeFirst();
    if (invoice === undefined) return false;
    const subscription = await lockSubscription(tx, invoice.subscription_id);
    const refunded = await tx
      .updateTable('sandbox.invoice')
      .set({ status: 'refunded' })
      .where('id', '=', id)
      .where('status', '=', 'paid')
      .where('total_minor', '>', 0)
      .executeTakeFirst();
    if (refunded.numUpdatedRows === 0n) return false;
    const now = await sandboxNow(tx, clock);
    const about = { objectId: id, customerId: invoice.customer_id, subscriptionId: subscription.id };
    await emit(tx, 'charge.refunded', about, now);
    await emitSubscription(tx, 'updated', subscription, now);
    return true;
  });
}

/** Stores a test card for a customer. */
async function keepToken(tx: Db, customerId: string, token: SandboxToken, now: Date): Promise<CardRow> {
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

/** What a new period of a plan costs: the agreed price for the plan a subscription has. */
export function priceFor(subscription: SubscriptionRow, plan: Plan, prices: SandboxParts['prices']): Money {
  const { price_minor: amountMinor, currency } = subscription;
  return plan === subscription.plan ? { amountMinor, currency } : prices[plan];
}

/** The subscription after changing to `plan` at `now`, with a new first period. */
export function termsFrom(subscription: SubscriptionRow, plan: Plan, prices: SandboxParts['prices'], now: Date) {
  const { trial_end } = subscription;
  const price = priceFor(subscription, plan, prices);
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
    .set({ status: 'paid', paid_at: at, card_brand: card.brand, card_last4: card.last4 })
    .where('id', '=', invoiceId)
    .returningAll()
    .executeTakeFirstOrThrow();
  await tx
    .updateTable('sandbox.intent')
    .set({ status: 'succeeded', declined: null, asked_about: null, payment_method_id: card.id })
    .where('invoice_id', '=', invoiceId)
    .execute();
  const before = await lockSubscription(tx, invoice.subscription_id);
  const terms = invoice.purpose === 'change' ? termsFrom(before, invoice.plan, prices, at) : before;
  const { plan, price_minor, currency, anchor_at, period_start, period_end, trial_end } = terms;
  await tx.updateTable('sandbox.invoice').set({ period_start, period_end }).where('id', '=', invoiceId).execute();
  await tx
    .updateTable('sandbox.subscription')
    .set({ plan, price_minor, currency, anchor_at, period_start, period_end, trial_end })
    .set({ status: 'active', failed_tries: 0, due_at: period_end, paused_until: null })
    .where('id', '=', before.id)
    .execute();
  const about = { objectId: invoiceId, customerId: before.customer_id, subscriptionId: before.id };
  await emit(tx, 'invoice.paid', about, at);
  await emitSubscription(tx, 'updated', before, at);
}

/** Starts a trial once its card is stored; the trial counts from the creation of the subscription. */
async function keepTrial(tx: Db, subscriptionId: string, now: Date): Promise<void> {
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

type Asked = Pick<IntentRow, 'customer_id' | 'subscription_id' | 'invoice_id'> &
  Partial<Pick<IntentRow, 'declined' | 'asked_about'>>;

/** Creates an intent to pay an invoice or, without one, to store a card. */
export function openIntent(tx: Db, asked: Asked, at: Date): Promise<IntentRow> {
  const kind = asked.invoice_id === null ? 'setup' : 'payment';
  const id = newId(kind === 'setup' ? 'seti' : 'pi');
  return tx
    .insertInto('sandbox.intent')
    .values({
      declined: null,
      asked_about: null,
      ...asked,
      id,
      kind,
      client_secret: `${id}_secret_${randomBytes(18).toString('hex')}`,
      status: asked.asked_about == null ? 'open' : 'requires_action',
      payment_method_id: null,
      created_at: at,
    })
    .returningAll()
    .executeTakeFirstOrThrow();
}

/** Creates an intent to store a customer's card. */
export function createSetupIntent(
  parts: SandboxParts,
  customerId: string,
  key: string,
): Promise<{ clientSecret: string; setupIntentId: string }> {
  return underKey(parts, key, { command: 'createSetupIntent', customerId }, async (tx, now) => {
    await lockCustomer(tx, customerId);
    const asked = { customer_id: customerId, subscription_id: null, invoice_id: null };
    const { id, client_secret } = await openIntent(tx, asked, now);
    return { clientSecret: client_secret, setupIntentId: id };
  });
}

/** The state of an intent; `invalid` for an unknown one. */
export async function getIntent(db: Db, id: string): Promise<ProviderIntent> {
  const row = await db.selectFrom('sandbox.intent').selectAll().where('id', '=', id).executeTakeFirst();
  if (row === undefined) throw new PaymentError('invalid');
  const { kind, customer_id, status, declined, payment_method_id } = row;
  return { id, kind, customerId: customer_id, status, declined, paymentMethodId: payment_method_id };
}

/** Implements `PaymentSandbox.answerIntent`. A succeeded or cancelled intent does not change. */
export async function answerIntent(
  { db, clock, prices }: SandboxParts,
  id: string,
  clientSecret: string,
  answer: IntentAnswer,
): Promise<ProviderIntent['status'] | null> {
  const result = await inTransaction(db, async (tx) => {
    const intent = await lockIntent(tx, id, clientSecret);
    if (intent === null) return null;
    if (intent.status !== 'open' && intent.status !== 'requires_action') return intent.status;
    if ('challenge' in answer && intent.asked_about === null) return intent.status;
    const now = await sandboxNow(tx, clock);
    const given = 'token' in answer ? answer.token : (intent.asked_about ?? '');
    const kept = await keptCard(tx, intent.customer_id, given);
    const token = kept?.token ?? given;
    if (!isSandboxToken(token)) throw new PaymentError('invalid');
    const said = 'token' in answer ? bankAnswer(token, 'entered') : bankAfter(answer.challenge);
    if (said === 'asks') return await askBank(tx, intent, given, now);
    if (said !== 'pays') return await decline(tx, intent, said, now);
    const card = kept ?? (await keepToken(tx, intent.customer_id, token, now));
    await succeed(tx, prices, intent, card, now);
    return 'succeeded';
  });
  // Thrown after the transaction, so that the refusal is stored.
  if (result instanceof PaymentError) throw result;
  return result;
}

const bankAfter = (challenge: 'approve' | 'refuse') => (challenge === 'approve' ? 'pays' : 'authentication_failed');

/** Locks an intent with its customer and subscription, always in that order; null for an unknown one or a wrong secret. */
async function lockIntent(tx: Db, id: string, clientSecret: string): Promise<IntentRow | null> {
  const found = await tx.selectFrom('sandbox.intent').selectAll().where('id', '=', id).executeTakeFirst();
  if (found === undefined || !timingSafeEqual(hashToken(found.client_secret), hashToken(clientSecret))) return null;
  await tx.selectFrom('sandbox.customer').select('id').where('id', '=', found.customer_id).forNoKeyUpdate().execute();
  if (found.subscription_id !== null) await lockSubscription(tx, found.subscription_id);
  return await tx.selectFrom('sandbox.intent').selectAll().where('id', '=', id).forUpdate().executeTakeFirstOrThrow();
}

const aboutOf = ({ id, invoice_id, customer_id, subscription_id }: IntentRow) => ({
  objectId: invoice_id ?? id,
  customerId: customer_id,
  subscriptionId: subscription_id,
});

async function askBank(tx: Db, intent: IntentRow, given: string, now: Date): Promise<'requires_action'> {
  await tx
    .updateTable('sandbox.intent')
    .set({ status: 'requires_action', asked_about: given, declined: null })
    .where('id', '=', intent.id)
    .execute();
  if (intent.kind === 'payment') await emit(tx, 'invoice.payment_action_required', aboutOf(intent), now);
  return 'requires_action';
}

async function decline(tx: Db, intent: IntentRow, declined: PaymentErrorCode, now: Date): Promise<PaymentError> {
  await tx
    .updateTable('sandbox.intent')
    .set({ status: 'open', asked_about: null, declined })
    .where('id', '=', intent.id)
    .execute();
  if (intent.kind === 'payment') await emit(tx, 'invoice.payment_failed', aboutOf(intent), now);
  return new PaymentError(declined);
}

async function succeed(
  tx: Db,
  prices: SandboxParts['prices'],
  intent: IntentRow,
  card: CardRow,
  now: Date,
): Promise<void> {
  if (intent.subscription_id !== null) await makeDefault(tx, card, [intent.subscription_id]);
  if (intent.invoice_id !== null) {
    await settleInvoice(tx, prices, intent.invoice_id, card, now);
    return;
  }
  await tx
    .updateTable('sandbox.intent')
    .set({ status: 'succeeded', asked_about: null, declined: null, payment_method_id: card.id })
    .where('id', '=', intent.id)
    .execute();
  await emit(tx, 'setup_intent.succeeded', aboutOf(intent), now);
  if (intent.subscription_id !== null) await keepTrial(tx, intent.subscription_id, now);
}
