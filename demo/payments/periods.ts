import { sql } from 'kysely';
import { chargeable } from '#contract/subscriptions/currency.ts';
import { type Money, type Plan, planMonths } from '#contract/subscriptions/plan.ts';
import { PaymentError, type PaymentProvider } from '../../server/src/features/subscriptions/providers/provider.ts';
import { inTransaction } from '#platform/db/db.ts';
import { secondsAfter } from '#platform/process/clock.ts';
import { bankAnswer, laterRefusal } from './bank.ts';
import { anchorFrom, periodEndOf, unusedShare } from './billing-period.ts';
import { inStep, sandboxNow, type SandboxParts, Step, underKey } from './parts.ts';
import { openIntent, openInvoice, priceFor, settleInvoice, termsFrom } from './payments.ts';
import { dropChange, endSubscription, readStart, unfinishedSeconds } from './subscriptions.ts';
import type { CardRow, InvoiceRow, SubscriptionRow } from './tables.ts';

/** The days of an unpaid period on which payment is tried; after the last one the subscription ends. */
const tryDays = [0, 3, 5, 7];
const keyDays = 1;
const deliveredDays = 30;

/** Commands that change plans, and what happens automatically as time passes. */
export const periodCommands = (parts: SandboxParts) => {
  const { db, clock, prices } = parts;
  return {
    /** Retries outside the schedule; rejects with the refusal's code. */
    async payOpenInvoice(id) {
      const refused = await inStep(parts, async (step) => {
        const subscription = await step.lockSubscription(id);
        const invoice = await owedInvoice(step, id);
        return invoice === undefined ? null : await charge(step, subscription, invoice);
      });
      // Thrown after the transaction, so that the refusal is stored.
      if (refused !== null) throw new PaymentError(refused);
    },

    /** `invalid` for a subscription that cannot change or is another customer's. */
    previewChange: ({ customerId, subscriptionId, plan }) =>
      inStep(parts, async (step) => {
        const subscription = await step.first(sql<SubscriptionRow>`select * from sandbox.subscription
          where id = ${subscriptionId} and customer_id = ${customerId}`);
        if (subscription === undefined || !isChangeable(subscription)) throw new PaymentError('invalid');
        return await dueFor(step, subscription, prices[plan]);
      }),

    /** An earlier change that waits for its payer is cancelled. */
    changePlan: (wish, key) =>
      underKey(parts, key, { command: 'changePlan', ...wish }, async (step) => {
        const { subscriptionId, plan, prorate } = wish;
        const subscription = await step.lockSubscription(subscriptionId);
        if (!isChangeable(subscription)) throw new PaymentError('invalid');
        await dropChange(step, subscriptionId);
        if (prorate) await upgrade(step, subscription, plan);
        else await beginPeriod(step, termsFrom(step, subscription, plan));
        return await readStart(step, subscriptionId);
      }),

    /** Moves the clock forward and does nothing else; false for a time in the past. */
    async moveClock(to: Date): Promise<boolean> {
      const ahead = to.getTime() - clock.now().getTime();
      const move = sql`update sandbox.clock set ahead_ms = ${ahead} where ahead_ms <= ${ahead}`;
      return ((await move.execute(db)).numAffectedRows ?? 0n) > 0n;
    },

    /** When the next automatic event is due: a renewal, a retry, the end of a trial, cancelled period or abandoned payment. */
    nextDue: (): Promise<Date | null> =>
      inStep(parts, async (step) => {
        const next = sql<{ due_at: Date | null }>`select min(due_at) as due_at from sandbox.subscription`;
        return (await step.first(next))?.due_at ?? null;
      }),

    /** Processes everything that is due, in order and dated when it was due; skips what another process is working on. */
    async tick(): Promise<void> {
      const now = await sandboxNow(db, clock);
      let isBusy = true;
      while (isBusy) {
        isBusy = await inTransaction(db, async (tx) => {
          const next = sql<SubscriptionRow & { due_at: Date }>`select * from sandbox.subscription where due_at <= ${now}
            order by due_at, id limit 1 for update skip locked`;
          const [subscription] = (await next.execute(tx)).rows;
          if (subscription !== undefined) await doDue(new Step(tx, prices, subscription.due_at), subscription);
          return subscription !== undefined;
        });
      }
      const ago = (from: Date, days: number) => secondsAfter(from, -days * 86_400);
      await sql`delete from sandbox.idempotency where created_at <= ${ago(now, keyDays)}`.execute(db);
      await sql`delete from sandbox.event where delivered_at <= ${ago(clock.now(), deliveredDays)}`.execute(db);
    },
  } satisfies Partial<PaymentProvider> & Record<string, unknown>;
};

const isChangeable = ({ status }: SubscriptionRow) => status === 'active' || status === 'trialing';

/** When a subscription is charged again. */
const renewalOf = ({ paused_until, period_end }: SubscriptionRow): Date => paused_until ?? period_end;

/** The open invoice of a subscription's current period, or undefined. */
const owedInvoice = (step: Step, id: string): Promise<InvoiceRow | undefined> =>
  step.first(sql`select * from sandbox.invoice
    where subscription_id = ${id} and status = 'open' and purpose = 'period'`);

/** The card of a subscription, or else its customer's default. */
const payingCard = (step: Step, { payment_method_id: id, customer_id }: SubscriptionRow) =>
  step.first(sql<CardRow>`select * from sandbox.payment_method
    where customer_id = ${customer_id} and case when ${id}::text is null then is_default else id = ${id} end`);

/** Starts the period that a locked subscription is to have, and charges its card; past due if that fails. */
async function beginPeriod(step: Step, next: SubscriptionRow): Promise<void> {
  const { plan, price_minor: amountMinor, currency, period_start, period_end } = next;
  const due = { paused_until: null, failed_tries: 0, due_at: period_end };
  const subscription = await step.change('subscription', next.id, { ...next, ...due });
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
  await step.change('subscription', subscription.id, { status: 'past_due', failed_tries, due_at });
  await step.emitSubscription('updated', subscription);
}

/** Charges an invoice's total to the card of its subscription; returns the code of a refusal, or null. */
async function charge(step: Step, subscription: SubscriptionRow, invoice: InvoiceRow) {
  const card = await payingCard(step, subscription);
  const declined = card === undefined ? 'card_declined' : laterRefusal(card.token);
  if (card !== undefined && declined === null) {
    await settleInvoice(step, invoice, card);
    return null;
  }
  const { id: subscription_id, customer_id } = subscription;
  const known = sql`update sandbox.intent set declined = ${declined} where invoice_id = ${invoice.id} returning id`;
  if ((await step.first(known)) === undefined)
    await openIntent(step, customer_id, { subscription_id, invoice_id: invoice.id, declined });
  await step.emit('invoice.payment_failed', invoice);
  return declined;
}

/** The new price minus the unused part of the last payment, at least zero. */
async function dueFor(step: Step, subscription: SubscriptionRow, price: Money): Promise<Money> {
  const { id, price_minor, period_start, period_end } = subscription;
  const paid = sql<{ until: Date }>`select period_end as until from sandbox.invoice
    where subscription_id = ${id} and status = 'paid' order by seq desc limit 1`;
  const { until = period_start } = (await step.first(paid)) ?? {};
  const unused = until < period_end ? 0 : price_minor * unusedShare(period_start, period_end, step.at);
  return { ...price, amountMinor: Math.max(0, price.amountMinor - chargeable(unused, price.currency)) };
}

/** Charges the difference now; if the bank asks for confirmation, the change takes effect with the payment. */
async function upgrade(step: Step, subscription: SubscriptionRow, plan: Plan): Promise<void> {
  const card = await payingCard(step, subscription);
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
  const [unfinishedUntil, renewsAt] = [secondsAfter(step.at, unfinishedSeconds), renewalOf(subscription)];
  await step.change('subscription', id, { due_at: unfinishedUntil < renewsAt ? unfinishedUntil : renewsAt });
  await step.emit('invoice.payment_action_required', invoice);
}

async function doDue(step: Step, subscription: SubscriptionRow): Promise<void> {
  const { id, status } = subscription;
  if (status === 'incomplete') return await endSubscription(step, subscription, 'incomplete_expired');
  if (status !== 'past_due') return await endPeriod(step, subscription);
  const invoice = await owedInvoice(step, id);
  if (invoice === undefined) throw new Error(`${id} is past due and owes nothing`);
  await tryOwed(step, subscription, invoice);
}

/** The end of a period, or of an unfinished plan change if that is earlier. */
async function endPeriod(step: Step, subscription: SubscriptionRow): Promise<void> {
  const { id, status, plan, period_end, cancel_at_period_end } = subscription;
  const renewsAt = renewalOf(subscription);
  await dropChange(step, id);
  if (step.at < renewsAt) {
    await step.change('subscription', id, { due_at: renewsAt });
    return await step.emitSubscription('updated', subscription);
  }
  const isUncovered = status === 'trialing' && (await payingCard(step, subscription)) === undefined;
  if (cancel_at_period_end || isUncovered)
    return await endSubscription(new Step(step.tx, step.prices, period_end), subscription, 'canceled');
  const anchor_at = anchorFrom(subscription.anchor_at, renewsAt);
  const period = { period_start: renewsAt, period_end: periodEndOf(anchor_at, renewsAt, planMonths[plan]) };
  await beginPeriod(step, { ...subscription, anchor_at, ...period });
}
