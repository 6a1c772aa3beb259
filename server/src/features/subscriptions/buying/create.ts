import type { BodyOf } from '#contract/endpoint.ts';
import type { Plan } from '#contract/subscriptions/plan.ts';
import type { createSubscription, StartedPayment } from '#contract/subscriptions/subscriptions.ts';
import { AppError, notFound } from '../../../platform/http/app-error.ts';
import type { Caller } from '../../../platform/session/caller.ts';
import { inTransaction, type Db } from '../../../platform/db/db.ts';
import type { Deps } from '../../../deps.ts';
import { fullName } from '../../../platform/session/own-user.ts';
import type { PaymentProvider, PaymentStart } from '../providers/provider.ts';
import { providerOf } from './paying.ts';
import { customerOf, hadTrial, liveSubscription, lockPayer, type SubscriptionRow } from '../queries.ts';
import { syncSubscription } from '../sync.ts';
import { toStarted } from '../views.ts';

type Wish = BodyOf<typeof createSubscription>;

/** What is being asked of the provider now, by the row it is for: many requests for one thing are one. */
export type Flights = Map<string, Promise<PaymentStart>>;

/**
 * Begins premium: a row that gives nothing, then the provider's subscription under a key of that row, which waits for its
 * payment. Asking again returns the same one, with the same secret; another plan replaces it. `claim` takes the
 * request's key. 409 for who has premium, 404 for a card that is not theirs.
 */
export async function begin(
  deps: Deps,
  flights: Flights,
  caller: Caller,
  wish: Wish,
  claim: (tx: Db) => Promise<void>,
): Promise<StartedPayment> {
  const provider = providerOf(deps);
  await settle(deps, caller.accountId, wish.plan);
  const present = await provider.now();
  const row = await inTransaction(deps.db, async (tx) => {
    await claim(tx);
    return await reserve(deps, tx, caller, wish, present);
  });
  const start = await shared(flights, row.id, () => startAtProvider(deps, provider, caller, row, wish));
  const kept = await syncSubscription(deps, start.subscription.id);
  if (kept === null) throw notFound();
  return toStarted(kept, start);
}

/**
 * Learns how an unfinished one stands, since it may have been paid by now; one of another plan is given up first, at the
 * provider, who knows whether it was paid in that very moment.
 */
async function settle(deps: Deps, accountId: string, plan: Plan): Promise<void> {
  const row = await liveSubscription(deps.db, accountId);
  if (row?.status !== 'incomplete' || row.provider_id === null) return;
  if (row.plan !== plan) await providerOf(deps).giveUp(row.provider_id);
  await syncSubscription(deps, row.provider_id);
}

async function reserve(deps: Deps, tx: Db, caller: Caller, { plan }: Wish, now: Date): Promise<SubscriptionRow> {
  const { accountId } = caller;
  if (!(await lockPayer(tx, accountId))) throw notFound();
  const live = await liveSubscription(tx, accountId);
  if (live !== undefined) {
    if (live.status === 'past_due' || live.status === 'unpaid')
      throw new AppError('CONFLICT', 'Your last payment is still open. You can pay it in your settings.');
    if (live.status !== 'incomplete') throw new AppError('CONFLICT', 'You have premium already; see your settings');
    if (live.plan === plan) return live;
    if (live.provider_id !== null)
      throw new AppError('CONFLICT', 'Another payment has just started. Please try again.');
    await tx
      .updateTable('subscription')
      .set({ status: 'incomplete_expired', ended_at: now, updated_at: now })
      .where('id', '=', live.id)
      .execute();
  }
  const { prices, trialDays } = deps.config.payments;
  return await tx
    .insertInto('subscription')
    .values({
      account_id: accountId,
      provider: providerOf(deps).name,
      plan,
      status: 'incomplete',
      price_minor: prices[plan].amountMinor,
      currency: prices[plan].currency,
      trial_days: trialDays > 0 && !(await hadTrial(tx, accountId)) ? trialDays : 0,
      created_at: now,
      updated_at: now,
    })
    .returningAll()
    .executeTakeFirstOrThrow();
}

async function shared(flights: Flights, key: string, work: () => Promise<PaymentStart>): Promise<PaymentStart> {
  const running = flights.get(key) ?? work().finally(() => flights.delete(key));
  flights.set(key, running);
  return await running;
}

async function startAtProvider(
  deps: Deps,
  provider: PaymentProvider,
  caller: Caller,
  row: SubscriptionRow,
  { paymentMethodId }: Wish,
): Promise<PaymentStart> {
  const customerId = await customerFor(deps, caller);
  if (paymentMethodId !== undefined) {
    const methods = await provider.listPaymentMethods(customerId);
    if (!methods.some(({ id }) => id === paymentMethodId)) throw notFound();
  }
  if (row.provider_id !== null) return await provider.openPayment(row.provider_id);
  return await provider.createSubscription(
    { customerId, plan: row.plan, trialDays: row.trial_days, paymentMethodId: null },
    `subscription:${row.id}`,
  );
}

/** The caller's customer at the provider, made where there is none. */
export async function customerFor(deps: Deps, caller: Caller): Promise<string> {
  const provider = providerOf(deps);
  const known = await customerOf(deps.db, provider.name, caller.accountId);
  if (known !== null) return known;
  const { accountId, email, firstName, lastName } = caller;
  const customerId = await provider.ensureCustomer(
    { accountId, email, name: fullName(firstName, lastName) },
    `customer:${accountId}`,
  );
  await deps.db
    .insertInto('payment_customer')
    .values({
      account_id: accountId,
      provider: provider.name,
      customer_id: customerId,
      created_at: deps.clock.now(),
    })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
  return customerId;
}
