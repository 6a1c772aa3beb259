import { createHash } from 'node:crypto';
import { sandboxCards, type SandboxToken, sandboxTokens } from '#contract/subscriptions/payments-sandbox.ts';
import type { PaymentErrorCode } from '#contract/subscriptions/plan.ts';
import {
  Lost,
  PaymentError,
  type PaymentStart,
  type ProviderSubscription,
} from '../../server/src/features/subscriptions/providers/provider.ts';
import { sql } from 'kysely';
import { secondsAfter } from '../../server/src/platform/process/clock.ts';
import type { Db } from '../../server/src/platform/db/db.ts';
import type { CardRow, SubscriptionRow } from './tables.ts';

const yearsValid = 4;

const refusals: Partial<Record<SandboxToken, PaymentErrorCode>> = {
  tok_declined: 'card_declined',
  tok_insufficient: 'insufficient_funds',
  tok_expired: 'expired_card',
};

/** The bank's answer while the payer is present: it pays, asks for confirmation, or refuses with a code. */
export function bankAnswer(token: SandboxToken, card: 'entered' | 'kept'): 'pays' | 'asks' | PaymentErrorCode {
  if (token === 'tok_challenge') return 'asks';
  return (card === 'entered' ? refusals[token] : laterRefusal(token)) ?? 'pays';
}

/** The code with which a stored card is refused when the payer is absent, or null. */
export function laterRefusal(token: SandboxToken): PaymentErrorCode | null {
  return token === 'tok_renewal_fails' ? 'card_declined' : (refusals[token] ?? null);
}

export function isSandboxToken(word: string): word is SandboxToken {
  return (sandboxTokens as readonly string[]).includes(word);
}

/** The stored data of a test card at `now`; a card number always has the same fingerprint. */
export function cardFacts(token: SandboxToken, now: Date) {
  const card = sandboxCards.find((one) => one.token === token);
  if (card === undefined) throw new PaymentError('invalid');
  return {
    brand: card.number.startsWith('5') ? 'mastercard' : 'visa',
    last4: card.number.slice(-4),
    exp_month: 12,
    exp_year: now.getUTCFullYear() + yearsValid,
    fingerprint: createHash('sha256').update(card.number).digest('hex').slice(0, 16),
  };
}

/** The longest time to wait for a renewal, which is tried within a minute. */
const renewalOpenSeconds = 3600;

/** Locks a customer until the transaction ends; `invalid` if unknown or deleted. Lock customers before subscriptions. */
export async function lockCustomer(tx: Db, customerId: string): Promise<void> {
  const customer = await tx
    .selectFrom('sandbox.customer')
    .select('id')
    .where('id', '=', customerId)
    .where('deleted_at', 'is', null)
    // Does not block inserts that reference it.
    .forNoKeyUpdate()
    .executeTakeFirst();
  if (customer === undefined) throw new Lost('customer');
}

/** Like `lockCustomer`, including every subscription that has not ended. */
export async function lockWithSubscriptions(tx: Db, customerId: string): Promise<SubscriptionRow[]> {
  await lockCustomer(tx, customerId);
  return await tx
    .selectFrom('sandbox.subscription')
    .selectAll()
    .where('customer_id', '=', customerId)
    .where('due_at', 'is not', null)
    .orderBy('id')
    .forUpdate()
    .execute();
}

/** Locks a subscription until the transaction ends; `invalid` for an unknown one. */
export async function lockSubscription(tx: Db, id: string): Promise<SubscriptionRow> {
  const subscription = await tx
    .selectFrom('sandbox.subscription')
    .selectAll()
    .where('id', '=', id)
    .forUpdate()
    .executeTakeFirst();
  if (subscription === undefined) throw new Lost('subscription');
  return subscription;
}

/** A customer's stored card, or undefined. */
export function keptCard(db: Db, customerId: string, id: string): Promise<CardRow | undefined> {
  return db
    .selectFrom('sandbox.payment_method')
    .selectAll()
    .where('id', '=', id)
    .where('customer_id', '=', customerId)
    .executeTakeFirst();
}

/** The card of a subscription, or else its customer's default. */
export function payingCard(
  db: Db,
  { payment_method_id, customer_id }: Pick<SubscriptionRow, 'payment_method_id' | 'customer_id'>,
): Promise<CardRow | undefined> {
  return db
    .selectFrom('sandbox.payment_method')
    .selectAll()
    .where('customer_id', '=', customer_id)
    .where((eb) => (payment_method_id === null ? eb('is_default', '=', true) : eb('id', '=', payment_method_id)))
    .executeTakeFirst();
}

/** The end of the last period that was paid and not refunded, or null. */
export async function paidUntil(db: Db, subscriptionId: string): Promise<Date | null> {
  const invoice = await db
    .selectFrom('sandbox.invoice')
    .select('period_end')
    .where('subscription_id', '=', subscriptionId)
    .where('status', '=', 'paid')
    .orderBy('seq', 'desc')
    .limit(1)
    .executeTakeFirst();
  return invoice?.period_end ?? null;
}

/** A subscription as seen from outside at `now`; `invalid` for an unknown one. One statement, so the result is consistent. */
export async function readSubscription(db: Db, id: string, now: Date): Promise<ProviderSubscription> {
  const row = await db
    .selectFrom('sandbox.subscription as s')
    .selectAll('s')
    .select((eb) => [
      eb
        .selectFrom('sandbox.invoice as i')
        .select('i.period_end')
        .whereRef('i.subscription_id', '=', 's.id')
        .where('i.status', '=', 'paid')
        .orderBy('i.seq', 'desc')
        .limit(1)
        .as('paid_until'),
      eb
        .selectFrom('sandbox.intent as i')
        .select('i.id')
        .whereRef('i.subscription_id', '=', 's.id')
        .orderBy('i.seq', 'desc')
        .limit(1)
        .as('latest_intent_id'),
      eb
        .selectFrom('sandbox.payment_method as m')
        .select('m.fingerprint')
        .whereRef('m.customer_id', '=', 's.customer_id')
        .where(
          sql<boolean>`case when s.payment_method_id is null then m.is_default else m.id = s.payment_method_id end`,
        )
        .as('fingerprint'),
    ])
    .where('s.id', '=', id)
    .executeTakeFirst();
  if (row === undefined) throw new Lost('subscription');
  const isRenewing =
    (row.status === 'active' || row.status === 'trialing') &&
    !row.cancel_at_period_end &&
    row.paused_until === null &&
    row.period_end <= now;
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
    latestIntentId: row.latest_intent_id,
    cardFingerprint: row.fingerprint,
  };
}

/** A subscription with what its payer still has to do, if anything. */
export async function readStart(db: Db, id: string, now: Date): Promise<PaymentStart> {
  const subscription = await readSubscription(db, id, now);
  const intent = await db
    .selectFrom('sandbox.intent')
    .select(['id', 'client_secret', 'kind'])
    .where('subscription_id', '=', id)
    .where('status', 'in', ['open', 'requires_action'])
    .orderBy('seq', 'desc')
    .executeTakeFirst();
  if (intent === undefined)
    return { subscription, clientSecret: null, secretKind: null, requiresAction: false, intentId: null };
  return {
    subscription,
    clientSecret: intent.client_secret,
    secretKind: intent.kind,
    requiresAction: true,
    intentId: intent.id,
  };
}
