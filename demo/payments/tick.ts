import { planMonths } from '#contract/subscriptions/plan.ts';
import { inTransaction, type Db } from '../../server/src/platform/db/db.ts';
import { periodEndOf } from '../../server/src/features/subscriptions/providers/billing-period.ts';
import { sandboxNow } from './clock.ts';
import { emitSubscription, forgetEvents } from './events.ts';
import { owedInvoice } from './invoices.ts';
import { forgetKeys } from './keys.ts';
import type { SandboxParts } from './parts.ts';
import { beginPeriod, tryOwed } from './renewals.ts';
import { payingCard } from './rows.ts';
import type { SubscriptionRow } from './tables.ts';
import { dropChange, endSubscription } from './subscriptions.ts';

type Prices = SandboxParts['prices'];

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

/** The end of a period, or of an unfinished plan change if that is earlier. */
async function endPeriod(tx: Db, prices: Prices, subscription: SubscriptionRow, at: Date): Promise<void> {
  const { id, status, plan, price_minor, currency, anchor_at, period_end, cancel_at_period_end } = subscription;
  await dropChange(tx, subscription);
  if (at < period_end) {
    await tx.updateTable('sandbox.subscription').set({ due_at: period_end }).where('id', '=', id).execute();
    return await emitSubscription(tx, 'updated', subscription, at);
  }
  const isUncovered = status === 'trialing' && (await payingCard(tx, subscription)) === undefined;
  if (cancel_at_period_end || isUncovered) return await endSubscription(tx, subscription, 'canceled', period_end);
  const next = {
    plan,
    price_minor,
    currency,
    anchor_at,
    period_start: period_end,
    period_end: periodEndOf(anchor_at, period_end, planMonths[plan]),
  };
  await beginPeriod(tx, prices, subscription, next, at);
}
