import { isUpgrade, type Money, type Plan } from '#contract/subscriptions/plan.ts';
import type { StartedPayment } from '#contract/subscriptions/subscriptions.ts';
import { AppError, notFound } from '../../../platform/http/app-error.ts';
import type { Db } from '../../../platform/db/db.ts';
import type { Deps } from '../../../deps.ts';
import { addJob } from '../../../platform/jobs/jobs.ts';
import type { PaymentStart } from '../providers/provider.ts';
import { providerOf } from '../providers/payments.ts';
import { isCurrent } from '../policy.ts';
import {
  customerOf,
  keepAskedChange,
  liveSubscription,
  setPendingPlan,
  stateOf,
  type SubscriptionRow,
  subscriptionsOf,
  toStarted,
} from '../subscriptions.ts';
import { syncSubscription } from '../sync.ts';

type Known = SubscriptionRow & { provider_id: string };

/** What the caller subscribed to and began to pay; 404 for nothing. */
async function requireLive(db: Db, accountId: string): Promise<Known> {
  const row = await liveSubscription(db, accountId);
  if (row === undefined || row.provider_id === null) throw notFound();
  return row as Known;
}

/** A subscription whose plan may be changed; 404 without one, 409 for one that is not in order. */
async function requireChangeable(db: Db, accountId: string): Promise<Known> {
  const row = await requireLive(db, accountId);
  if (row.status === 'incomplete') throw notFound();
  const conflict = (words: string) => new AppError('CONFLICT', words);
  if (row.status === 'trialing') throw conflict('You can change the plan once your trial is over');
  if (row.status !== 'active') throw conflict('A payment is open. Please settle it first.');
  if (row.cancel_at_period_end) throw conflict('Your premium is cancelled. Take that back first.');
  return row;
}

/** What a change of plan costs now and when it takes effect; 409 for the current plan. */
export async function preview(
  deps: Deps,
  accountId: string,
  plan: Plan,
): Promise<{ plan: Plan; amountDueNow: Money; effectiveAt: string; isImmediate: boolean }> {
  const provider = providerOf(deps);
  const row = await requireChangeable(deps.db, accountId);
  if (row.plan === plan) throw samePlan();
  if (!isUpgrade(row.plan, plan)) {
    const effectiveAt = (row.paid_through ?? (await provider.now())).toISOString();
    return { plan, amountDueNow: { amountMinor: 0, currency: row.currency }, effectiveAt, isImmediate: false };
  }
  const customerId = await customerOf(deps.db, provider.name, accountId);
  if (customerId === null) throw notFound();
  const amountDueNow = await provider.previewChange({ customerId, subscriptionId: row.provider_id, plan });
  return { plan, amountDueNow, effectiveAt: (await provider.now()).toISOString(), isImmediate: true };
}

const samePlan = () => new AppError('CONFLICT', 'You have this plan already');

/**
 * Changes the plan: a longer one at once, for the difference; a shorter one when the paid period ends. The plan one has takes
 * a waiting change back, else 409. A refused card (422) leaves everything as it was.
 */
export async function update(deps: Deps, accountId: string, plan: Plan): Promise<StartedPayment> {
  const row = await requireChangeable(deps.db, accountId);
  if (row.plan === plan && row.pending_plan === null) throw samePlan();
  if (row.plan !== plan && isUpgrade(row.plan, plan)) return await upgrade(deps, row, plan);
  await setPendingPlan(deps.db, row.id, row.plan === plan ? null : plan, await providerOf(deps).now());
  return toStarted(await requireLive(deps.db, accountId), null);
}

async function upgrade(deps: Deps, row: Known, plan: Plan): Promise<StartedPayment> {
  const customerId = await requireCard(deps, row);
  const due = await providerOf(deps).previewChange({ customerId, subscriptionId: row.provider_id, plan });
  await keepAskedChange(deps.db, row.id, plan, due.amountMinor);
  const { start, kept } = await change(deps, row, plan, true);
  if (start.requiresAction) return toStarted(kept, start);
  await setPendingPlan(deps.db, row.id, null, kept.updated_at);
  return toStarted({ ...kept, pending_plan: null }, null);
}

/**
 * Changes the plan at the provider and reads what came of it. Asked twice at once it is one change, since both have one key; the
 * next key is for when the new plan is written down, or the card was refused.
 */
async function change(
  deps: Deps,
  row: Known,
  plan: Plan,
  prorate: boolean,
): Promise<{ start: PaymentStart; kept: SubscriptionRow }> {
  // Without the plan: of two changes at once one has its way, and the other is refused.
  const key = `change:${row.id}:${row.change_count}`;
  try {
    const start = await providerOf(deps).changePlan({ subscriptionId: row.provider_id, plan, prorate }, key);
    const kept = await syncSubscription(deps, row.provider_id);
    if (kept === null) throw notFound();
    return { start, kept };
  } finally {
    await deps.db
      .updateTable('subscription')
      .set({ change_count: row.change_count + 1 })
      .where('id', '=', row.id)
      .where('change_count', '=', row.change_count)
      .execute();
  }
}

/** Ends premium when the paid period ends; what was never paid, or is owed, ends at once. Again changes nothing. */
export async function cancel(deps: Deps, accountId: string): Promise<SubscriptionRow> {
  const provider = providerOf(deps);
  const row = await requireLive(deps.db, accountId);
  if (row.status === 'active' || row.status === 'trialing') {
    if (!row.cancel_at_period_end) await provider.setCancelAtPeriodEnd(row.provider_id, true);
  } else {
    await provider.cancelNow(row.provider_id);
  }
  return (await syncSubscription(deps, row.provider_id)) ?? row;
}

/** The customer, who keeps a card that could pay; 409 for none. */
async function requireCard(deps: Deps, { account_id }: SubscriptionRow): Promise<string> {
  const customerId = await customerOf(deps.db, providerOf(deps).name, account_id);
  const cards = customerId === null ? [] : await providerOf(deps).listPaymentMethods(customerId);
  if (customerId === null || cards.length === 0)
    throw new AppError('CONFLICT', 'No card is kept that could pay. Please add one first.');
  return customerId;
}

/** Undoes a cancellation before it takes effect; afterwards 409, and 404 without one. */
export async function reactivate(deps: Deps, accountId: string): Promise<SubscriptionRow> {
  const provider = providerOf(deps);
  const row = await liveSubscription(deps.db, accountId);
  if (row?.provider_id == null || row.status === 'incomplete') throw await goneOrNone(deps.db, accountId);
  if (!row.cancel_at_period_end) return row;
  const before = await syncSubscription(deps, row.provider_id);
  if (before?.cancel_at_period_end !== true || before.status === 'canceled') throw subscribeAgain();
  await requireCard(deps, row);
  await provider.setCancelAtPeriodEnd(row.provider_id, false);
  return (await syncSubscription(deps, row.provider_id)) ?? row;
}

const subscribeAgain = () => new AppError('CONFLICT', 'Your premium has ended. Please subscribe again.');

async function goneOrNone(db: Db, accountId: string): Promise<AppError> {
  const ended = (await subscriptionsOf(db, accountId)).some(({ status }) => status === 'canceled');
  return ended ? subscribeAgain() : notFound();
}

// The provider must hear of it before it renews the old plan.
const leadSeconds = 2 * 60;
const atOnce = 100;

/** Brings waiting changes about whose period is over within two minutes of `now`; one that fails is tried again, and keeps no other back. */
export async function applyPendingPlans(deps: Deps, now: Date): Promise<void> {
  const due = await deps.db
    .selectFrom('subscription')
    .selectAll()
    .where('pending_plan', 'is not', null)
    .where('paid_through', '<=', new Date(now.getTime() + leadSeconds * 1000))
    .where('status', '=', 'active')
    .where('cancel_at_period_end', '=', false)
    .where('provider', '=', providerOf(deps).name)
    .orderBy('paid_through')
    .limit(atOnce)
    .execute();
  for (const row of due.filter((each): each is Known => each.provider_id !== null)) {
    if (row.pending_plan === null) continue;
    await change(deps, row, row.pending_plan, false).catch((error: unknown) => {
      deps.log.warn({ err: error }, 'a scheduled change of plan failed');
    });
  }
}

/** When the next scheduled change takes effect, or null. */
export async function nextPendingPlan(db: Db): Promise<Date | null> {
  const row = await db
    .selectFrom('subscription')
    .select('paid_through')
    .where('pending_plan', 'is not', null)
    .where('status', '=', 'active')
    .where('cancel_at_period_end', '=', false)
    .orderBy('paid_through')
    .executeTakeFirst();
  return row?.paid_through == null ? null : new Date(row.paid_through.getTime() - leadSeconds * 1000);
}

/** Lets premium end with the period that is paid for, for accounts on their way out: a job, since the provider is asked. */
export async function stopRenewing(tx: Db, accountId: string): Promise<void> {
  await addJob(tx, 'subscriptions.stopRenewing', { accountId });
}

/** What the job does; nothing where nothing renews. */
export async function stopRenewal(deps: Deps, accountId: string): Promise<void> {
  const row = await liveSubscription(deps.db, accountId);
  if (row === undefined || deps.payments === null || row.provider !== deps.payments.name) return;
  if (isCurrent(stateOf(row), deps.clock.now()) || row.status === 'incomplete') await cancel(deps, accountId);
}
