import type { MessageDescriptor } from '@lingui/core';
import { msg } from '@lingui/core/runtime-macro';
import { sql } from 'kysely';
import { isUpgrade, type Money, monthsAfter, type PauseMonths, type Plan } from '#contract/subscriptions/plan.ts';
import type { BodyOf } from '#contract/endpoint.ts';
import type { updateSubscription } from '#contract/subscriptions/subscriptions.ts';
import { AppError, notFound } from '#platform/http/app-error.ts';
import type { Db } from '#platform/db/db.ts';
import type { Deps } from '../../../deps.ts';
import { addJob } from '#platform/jobs/jobs.ts';
import { eachInTurn } from '#platform/jobs/turns.ts';
import { isLost, Lost, type PaymentStart } from '../providers/provider.ts';
import { providerOf } from '../providers/payments.ts';
import { isCurrent } from '../policy.ts';
import {
  customerOf,
  keepAskedChange,
  liveSubscription,
  ownSubscription,
  setPendingPlan,
  setStartsNow,
  stateOf,
  type SubscriptionRow,
  subscriptionsOf,
  toStarted,
} from '../subscriptions.ts';
import { syncSubscription } from '../sync.ts';
import { requireNoWithdrawal } from './buy.ts';
import { endIfLost, keptCards } from './customers.ts';

type Known = SubscriptionRow & { provider_id: string };

/** The caller's subscription that was started or paid; 404 if there is none. */
async function requireLive(db: Db, accountId: string): Promise<Known> {
  const row = await liveSubscription(db, accountId);
  if (row === undefined || row.provider_id === null) throw notFound();
  return row as Known;
}

const conflict = (text: MessageDescriptor) => new AppError('CONFLICT', text);

/**
 * A subscription that may be changed or paused. Throws 404 without one, and 409 during a trial or a pause, with an open payment or after a
 * cancellation.
 */
async function requireChangeable(db: Db, accountId: string): Promise<Known> {
  const row = await requireLive(db, accountId);
  if (row.status === 'incomplete') throw notFound();
  if (row.status === 'trialing') throw conflict(msg`You can do this once your trial is over`);
  if (row.paused_until !== null) throw conflict(msg`Your premium is paused. Resume it first.`);
  if (row.status !== 'active') throw conflict(msg`You have an open payment. Please pay it first.`);
  if (row.cancel_at_period_end) throw conflict(msg`Your premium is canceled. Undo the cancellation first.`);
  return row;
}

/** What a change of plan costs now and when it takes effect. Throws 409 for the current plan. */
export async function preview(
  deps: Deps,
  accountId: string,
  plan: Plan,
): Promise<{ plan: Plan; amountDueNow: Money; effectiveAt: Date; isImmediate: boolean }> {
  const provider = providerOf(deps);
  const row = await requireChangeable(deps.db, accountId);
  if (row.plan === plan) throw samePlan();
  if (!isUpgrade(row.plan, plan)) {
    const effectiveAt = row.paid_through ?? (await provider.now());
    return { plan, amountDueNow: { amountMinor: 0, currency: row.currency }, effectiveAt, isImmediate: false };
  }
  const customerId = await customerOf(deps.db, provider.name, accountId);
  if (customerId === null) throw notFound();
  const amountDueNow = await provider.previewChange({ customerId, subscriptionId: row.provider_id, plan });
  return { plan, amountDueNow, effectiveAt: await provider.now(), isImmediate: true };
}

const samePlan = () => new AppError('CONFLICT', msg`You already have this plan`);

/**
 * Changes the plan: to a longer one immediately, for the difference; to a shorter one when the paid period ends. Choosing the current plan
 * undoes a waiting change, or throws 409 if there is none. A declined card (422) leaves everything unchanged.
 */
export async function update(
  deps: Deps,
  accountId: string,
  { plan, startNow }: BodyOf<typeof updateSubscription>,
): Promise<ReturnType<typeof toStarted>> {
  const row = await requireChangeable(deps.db, accountId);
  if (row.plan === plan && row.pending_plan === null) throw samePlan();
  if (row.plan !== plan && isUpgrade(row.plan, plan)) {
    if (startNow !== true) await requireNoWithdrawal(deps.db, accountId, await providerOf(deps).now());
    await setStartsNow(deps.db, row.id, plan, startNow);
    return await upgrade(deps, row, plan);
  }
  await setPendingPlan(deps.db, row.id, row.plan === plan ? null : plan, await providerOf(deps).now());
  return toStarted(await requireLive(deps.db, accountId), null);
}

async function upgrade(deps: Deps, row: Known, plan: Plan): Promise<ReturnType<typeof toStarted>> {
  const customerId = await requireCard(deps, row);
  const due = await providerOf(deps).previewChange({ customerId, subscriptionId: row.provider_id, plan });
  await keepAskedChange(deps.db, row.id, plan, due.amountMinor);
  const { start, kept } = await change(deps, row, plan, true);
  if (start.requiresAction) return toStarted(kept, start);
  await setPendingPlan(deps.db, row.id, null, kept.updated_at);
  return toStarted({ ...kept, pending_plan: null }, null);
}

/**
 * Changes the plan at the provider and reads the result. Two concurrent requests make one change, since both use the same key; the next key
 * is used once the new plan is stored or the card was declined.
 */
async function change(
  deps: Deps,
  row: Known,
  plan: Plan,
  prorate: boolean,
): Promise<{ start: PaymentStart; kept: SubscriptionRow }> {
  // The key doesn't contain the plan, so that of two concurrent changes, one is made and the other is rejected.
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

/**
 * Pauses premium for some months from the end of the paid period. Repeating it changes nothing. Throws 409 if a change of plan would be
 * rejected, and while a renewal is being paid.
 */
export async function pause(deps: Deps, accountId: string, months: PauseMonths): Promise<SubscriptionRow> {
  const provider = providerOf(deps);
  const held = await requireLive(deps.db, accountId);
  const endOf = ({ paid_through, anchor_day }: Known) =>
    paid_through && monthsAfter(paid_through, months, anchor_day ?? undefined);
  if (held.paused_until !== null && held.paused_until.getTime() === endOf(held)?.getTime()) return held;
  const row = await requireChangeable(deps.db, accountId);
  const until = endOf(row);
  if (until === null || row.paid_through === null || row.paid_through <= (await provider.now()))
    throw conflict(msg`Your renewal is being paid right now. Please try again in a few minutes.`);
  await provider.pause(row.provider_id, until);
  return (await syncSubscription(deps, row.provider_id)) ?? row;
}

/**
 * Ends a pause. If there is paid time left, premium just renews at its end again. Otherwise the next period is charged now, and a declined
 * card (422) or a question from the bank leaves the pause. Does nothing without a pause.
 */
export async function resume(deps: Deps, accountId: string): Promise<ReturnType<typeof toStarted>> {
  const provider = providerOf(deps);
  const known = await requireLive(deps.db, accountId);
  if (known.status === 'incomplete') throw notFound();
  // The pause may have ended by itself just now.
  const row = (await syncSubscription(deps, known.provider_id)) ?? known;
  if (row.paused_until === null) return toStarted(row, null);
  if (row.paid_through !== null && row.paid_through > (await provider.now())) {
    await provider.pause(known.provider_id, null);
    return toStarted((await syncSubscription(deps, known.provider_id)) ?? row, null);
  }
  await requireCard(deps, row);
  const { start, kept } = await change(
    deps,
    { ...row, provider_id: known.provider_id },
    row.pending_plan ?? row.plan,
    true,
  );
  return toStarted(kept, start.requiresAction ? start : null);
}

/** Ends premium when the paid period ends; an unpaid, overdue or paused subscription ends immediately. Repeating it changes nothing. */
export async function cancel(deps: Deps, accountId: string): Promise<SubscriptionRow> {
  const provider = providerOf(deps);
  const row = await requireLive(deps.db, accountId);
  const isPaused = row.paused_until !== null && row.paid_through !== null && row.paid_through <= (await provider.now());
  try {
    if ((row.status === 'active' || row.status === 'trialing') && !isPaused) {
      if (!row.cancel_at_period_end) await provider.setCancelAtPeriodEnd(row.provider_id, true);
    } else {
      await provider.cancelNow(row.provider_id);
    }
    return (await syncSubscription(deps, row.provider_id)) ?? row;
  } catch (error) {
    if (!isLost(error, 'subscription') || !(await endIfLost(deps, accountId))) throw error;
    return (await ownSubscription(deps.db, accountId, row.id)) ?? row;
  }
}

/** Runs a command. If the provider no longer has its subscription or customer, the subscription ends and the caller gets a 409. */
export async function onLiving<T>(deps: Deps, accountId: string, command: () => Promise<T>): Promise<T> {
  try {
    return await command();
  } catch (error) {
    if (error instanceof Lost && (await endIfLost(deps, accountId))) throw subscribeAgain();
    throw error;
  }
}

/** The customer, if a stored card could pay. Throws 409 if none could. */
async function requireCard(deps: Deps, { account_id }: SubscriptionRow): Promise<string> {
  const { customerId, cards } = await keptCards(deps, account_id);
  if (customerId === null || cards.length === 0)
    throw new AppError('CONFLICT', msg`You have no card to pay with. Please add one first.`);
  return customerId;
}

/** Undoes a cancellation before it takes effect. Throws 409 afterwards, and 404 without a cancellation. */
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

const subscribeAgain = () => new AppError('CONFLICT', msg`Your premium has ended. Please subscribe again.`);

async function goneOrNone(db: Db, accountId: string): Promise<AppError> {
  const ended = (await subscriptionsOf(db, accountId)).some(({ status }) => status === 'canceled');
  return ended ? subscribeAgain() : notFound();
}

// The provider must know about it before it renews the old plan.
const leadSeconds = 2 * 60;
const nextRenewal = sql<Date>`coalesce(paused_until, paid_through)`;

/** Makes the scheduled changes whose period ends within two minutes of `now`; those that fail are tried again by the next run. */
export async function applyPendingPlans(deps: Deps, now: Date): Promise<void> {
  const due = await deps.db
    .selectFrom('subscription')
    .selectAll()
    .where('pending_plan', 'is not', null)
    .where((eb) => eb(nextRenewal, '<=', new Date(now.getTime() + leadSeconds * 1000)))
    .where('status', 'in', ['active', 'paused'])
    .where('cancel_at_period_end', '=', false)
    .where('provider', '=', providerOf(deps).name)
    .where('provider_id', 'is not', null)
    .orderBy(nextRenewal)
    .execute();
  const apply = async (row: SubscriptionRow) => {
    if (row.pending_plan !== null) await change(deps, row as Known, row.pending_plan, false);
  };
  await eachInTurn(due, apply, { round: 'subscriptions.applyPendingPlans', keyOf: ({ id }) => id });
}

/** When the next scheduled change takes effect, or null. */
export async function nextPendingPlan(db: Db): Promise<Date | null> {
  const row = await db
    .selectFrom('subscription')
    .select(nextRenewal.as('at'))
    .where('pending_plan', 'is not', null)
    .where('status', 'in', ['active', 'paused'])
    .where('cancel_at_period_end', '=', false)
    .orderBy(nextRenewal)
    .executeTakeFirst();
  return row?.at == null ? null : new Date(row.at.getTime() - leadSeconds * 1000);
}

/** Ends premium with the paid period for accounts that are leaving. It runs in a job, since it calls the provider. */
export async function stopRenewing(tx: Db, accountId: string): Promise<void> {
  await addJob(tx, 'subscriptions.stopRenewing', { accountId }, { jobKey: `subscriptions.stopRenewing ${accountId}` });
}

/** Runs that job. Does nothing if the subscription doesn't renew, or if the account is active again: the job may be retried days later. */
export async function stopRenewal(deps: Deps, { accountId }: { accountId: string }): Promise<void> {
  const account = await deps.db
    .selectFrom('account')
    .select(['is_active', 'leaving_since', 'staff_role'])
    .where('id', '=', accountId)
    .executeTakeFirst();
  if (account?.is_active === true && account.leaving_since === null && account.staff_role === null) return;
  const row = await liveSubscription(deps.db, accountId);
  if (row === undefined || deps.payments === null || row.provider !== deps.payments.name) return;
  if (isCurrent(stateOf(row), deps.clock.now()) || row.status === 'incomplete') await cancel(deps, accountId);
}
