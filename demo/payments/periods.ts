import { sql } from 'kysely';
import { chargeable } from '#contract/subscriptions/currency.ts';
import { type Money, type PaymentErrorCode, type Plan, planMonths } from '#contract/subscriptions/plan.ts';
import { PaymentError, type PaymentProvider } from '../../server/src/features/subscriptions/providers/provider.ts';
import { type Db, inTransaction } from '../../server/src/platform/db/db.ts';
import { secondsAfter } from '../../server/src/platform/process/clock.ts';
import { bankAnswer, laterRefusal } from './bank.ts';
import { anchorFrom, periodEndOf, unusedShare } from './billing-period.ts';
import { emit, emitSubscription, forgetEvents } from './events.ts';
import {
  forgetKeys,
  lockSubscription,
  onSubscription,
  sandboxNow,
  type SandboxParts,
  type Step,
  underKey,
} from './parts.ts';
import { aboutInvoice, openIntent, openInvoice, priceFor, settleInvoice, termsFrom } from './payments.ts';
import { dropChange, endSubscription, readStart, unfinishedSeconds } from './subscriptions.ts';
import { type CardRow, change, first, type InvoiceRow, type SubscriptionRow } from './tables.ts';

/** The days of an unpaid period on which payment is tried; after the last one the subscription ends. */
const tryDays = [0, 3, 5, 7];

/** Plans that change, and what happens by itself as time passes. */
export const periodCommands = (parts: SandboxParts) => {
  const { db, clock, prices } = parts;
  return {
    /** Retries outside the schedule; rejects with the refusal's code. */
    async payOpenInvoice(id) {
      const refused = await onSubscription(parts, id, async (step, subscription) => {
        const invoice = await owedInvoice(step.tx, id);
        return invoice === undefined ? null : await charge(step, subscription, invoice);
      });
      // Thrown after the transaction, so that the refusal is stored.
      if (refused !== null) throw new PaymentError(refused);
    },

    /** `invalid` for a subscription that cannot change or is another customer's. */
    async previewChange({ customerId, subscriptionId, plan }) {
      const own = sql<SubscriptionRow>`select * from sandbox.subscription
        where id = ${subscriptionId} and customer_id = ${customerId}`;
      const subscription = await first(db, own);
      if (subscription === undefined || !isChangeable(subscription)) throw new PaymentError('invalid');
      return await dueFor({ tx: db, at: await sandboxNow(db, clock) }, subscription, prices[plan]);
    },

    /** An earlier change that waits for its payer is cancelled. */
    changePlan: (wish, key) =>
      underKey(parts, key, { command: 'changePlan', ...wish }, async (step) => {
        const { subscriptionId, plan, prorate } = wish;
        const subscription = await lockSubscription(step.tx, subscriptionId);
        if (!isChangeable(subscription)) throw new PaymentError('invalid');
        await dropChange(step.tx, subscriptionId);
        if (prorate) await upgrade(step, subscription, plan);
        else await beginPeriod(step, subscription, termsFrom(step, subscription, plan));
        return await readStart(step.tx, subscriptionId, step.at);
      }),

    /** When the next automatic event is due: a renewal, a retry, the end of a trial, cancelled period or abandoned payment. */
    async nextDue(): Promise<Date | null> {
      const next = sql<{ due_at: Date | null }>`select min(due_at) as due_at from sandbox.subscription`;
      return (await first(db, next))?.due_at ?? null;
    },

    /** Processes everything that is due, in order and dated when it was due; skips what another process is working on. */
    async tick(): Promise<void> {
      const now = await sandboxNow(db, clock);
      let isBusy = true;
      while (isBusy) {
        isBusy = await inTransaction(db, async (tx) => {
          const next = sql<SubscriptionRow>`select * from sandbox.subscription where due_at <= ${now}
            order by due_at, id limit 1 for update skip locked`;
          const subscription = await first(tx, next);
          if (subscription?.due_at == null) return false;
          await doDue({ tx, prices, at: subscription.due_at }, subscription);
          return true;
        });
      }
      await forgetKeys(db, now);
      await forgetEvents(db, clock.now());
    },
  } satisfies Partial<PaymentProvider> & Record<string, unknown>;
};

const isChangeable = ({ status }: SubscriptionRow) => status === 'active' || status === 'trialing';

/** When a subscription is charged again. */
const renewalOf = ({ paused_until, period_end }: SubscriptionRow): Date => paused_until ?? period_end;

/** The open invoice of a subscription's current period, or undefined. */
const owedInvoice = (tx: Db, id: string): Promise<InvoiceRow | undefined> =>
  first(
    tx,
    sql`select * from sandbox.invoice where subscription_id = ${id} and status = 'open' and purpose = 'period'`,
  );

/** The card of a subscription, or else its customer's default. */
const payingCard = (tx: Db, { payment_method_id, customer_id }: SubscriptionRow): Promise<CardRow | undefined> =>
  first(
    tx,
    sql`select * from sandbox.payment_method where customer_id = ${customer_id}
      and case when ${payment_method_id}::text is null then is_default else id = ${payment_method_id} end`,
  );

type Terms = Pick<SubscriptionRow, 'plan' | 'price_minor' | 'currency' | 'anchor_at' | 'period_start' | 'period_end'>;

/** Starts a period of a locked subscription and charges its card; past due if that fails. */
async function beginPeriod(
  step: Step,
  { id }: SubscriptionRow,
  terms: Terms & Partial<SubscriptionRow>,
): Promise<void> {
  const { plan, price_minor: amountMinor, currency, period_start, period_end } = terms;
  const due = { paused_until: null, failed_tries: 0, due_at: period_end };
  const subscription = await change(step.tx, 'subscription', id, { ...terms, ...due });
  const total = { amountMinor, currency };
  const invoice = await openInvoice(step, subscription, { purpose: 'period', plan, total, period_start, period_end });
  await tryOwed(step, subscription, invoice);
}

/** One payment attempt of an unpaid period. */
async function tryOwed(step: Step, subscription: SubscriptionRow, invoice: InvoiceRow): Promise<void> {
  if ((await charge(step, subscription, invoice)) === null) return;
  const failed_tries = subscription.failed_tries + 1;
  const nextDay = tryDays[failed_tries];
  if (nextDay === undefined) return await endSubscription(step, subscription, 'canceled');
  const due_at = secondsAfter(subscription.period_start, nextDay * 86_400);
  await change(step.tx, 'subscription', subscription.id, { status: 'past_due', failed_tries, due_at });
  await emitSubscription(step, 'updated', subscription);
}

/** Charges an invoice's total to the card of its subscription; returns the code of a refusal, or null. */
async function charge(
  step: Step,
  subscription: SubscriptionRow,
  invoice: InvoiceRow,
): Promise<PaymentErrorCode | null> {
  const { tx } = step;
  const card = await payingCard(tx, subscription);
  const declined = card === undefined ? 'card_declined' : laterRefusal(card.token);
  if (card !== undefined && declined === null) {
    await settleInvoice(step, invoice, card);
    return null;
  }
  const { id: subscription_id, customer_id } = subscription;
  const known = sql`update sandbox.intent set declined = ${declined} where invoice_id = ${invoice.id} returning id`;
  if ((await first(tx, known)) === undefined)
    await openIntent(step, customer_id, { subscription_id, invoice_id: invoice.id, declined });
  await emit(step, 'invoice.payment_failed', aboutInvoice(subscription, invoice.id));
  return declined;
}

/** The new price minus the paid but unused part of the old one; never below zero. */
async function dueFor(
  { tx, at }: Pick<Step, 'tx' | 'at'>,
  subscription: SubscriptionRow,
  price: Money,
): Promise<Money> {
  const { id, price_minor, period_start, period_end } = subscription;
  const paid = sql<{ until: Date }>`select period_end as until from sandbox.invoice
    where subscription_id = ${id} and status = 'paid' order by seq desc limit 1`;
  const until = (await first(tx, paid))?.until;
  const unused =
    until !== undefined && until >= period_end ? price_minor * unusedShare(period_start, period_end, at) : 0;
  return { ...price, amountMinor: Math.max(0, price.amountMinor - chargeable(unused, price.currency)) };
}

/** Charges the difference now; if the bank asks for confirmation, the change takes effect with the payment. */
async function upgrade(step: Step, subscription: SubscriptionRow, plan: Plan): Promise<void> {
  const { tx, at } = step;
  const card = await payingCard(tx, subscription);
  if (card === undefined) throw new PaymentError('invalid');
  const price = priceFor(step, subscription, plan);
  const total = await dueFor(step, subscription, price);
  const { period_start, period_end } = termsFrom(step, subscription, plan);
  const credit_minor = price.amountMinor - total.amountMinor;
  const asked = { purpose: 'change', plan, total, credit_minor, period_start, period_end } as const;
  const invoice = await openInvoice(step, subscription, asked);
  const said = total.amountMinor === 0 ? 'pays' : bankAnswer(card.token, 'kept');
  if (said === 'pays') return await settleInvoice(step, invoice, card);
  if (said !== 'asks') throw new PaymentError(said);

  const { id, customer_id } = subscription;
  await openIntent(step, customer_id, { subscription_id: id, invoice_id: invoice.id, asked_about: card.id });
  const [unfinishedUntil, renewsAt] = [secondsAfter(at, unfinishedSeconds), renewalOf(subscription)];
  await change(tx, 'subscription', id, { due_at: unfinishedUntil < renewsAt ? unfinishedUntil : renewsAt });
  await emit(step, 'invoice.payment_action_required', aboutInvoice(subscription, invoice.id));
}

async function doDue(step: Step, subscription: SubscriptionRow): Promise<void> {
  switch (subscription.status) {
    case 'incomplete':
      return await endSubscription(step, subscription, 'incomplete_expired');
    case 'past_due': {
      const invoice = await owedInvoice(step.tx, subscription.id);
      if (invoice === undefined) throw new Error(`${subscription.id} is past due and owes nothing`);
      return await tryOwed(step, subscription, invoice);
    }
    case 'active':
    case 'trialing':
      return await endPeriod(step, subscription);
    case 'canceled':
    case 'incomplete_expired':
      return;
  }
}

/** The end of a period, or of an unfinished plan change if that is earlier. */
async function endPeriod(step: Step, subscription: SubscriptionRow): Promise<void> {
  const { tx, at } = step;
  const { id, status, plan, price_minor, currency, period_end, cancel_at_period_end } = subscription;
  const renewsAt = renewalOf(subscription);
  await dropChange(tx, id);
  if (at < renewsAt) {
    await change(tx, 'subscription', id, { due_at: renewsAt });
    return await emitSubscription(step, 'updated', subscription);
  }
  const isUncovered = status === 'trialing' && (await payingCard(tx, subscription)) === undefined;
  if (cancel_at_period_end || isUncovered)
    return await endSubscription({ ...step, at: period_end }, subscription, 'canceled');
  const anchor_at = anchorFrom(subscription.anchor_at, renewsAt);
  const period = { period_start: renewsAt, period_end: periodEndOf(anchor_at, renewsAt, planMonths[plan]) };
  await beginPeriod(step, subscription, { plan, price_minor, currency, anchor_at, ...period });
}
