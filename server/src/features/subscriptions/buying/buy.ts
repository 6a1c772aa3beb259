import type { MessageDescriptor } from '@lingui/core';
import { msg } from '@lingui/core/runtime-macro';
import type { BodyOf } from '#contract/endpoint.ts';
import { paymentErrorTexts, type Plan } from '#contract/subscriptions/plan.ts';
import type {
  confirmSubscription,
  createSubscription,
  PaymentMethodView,
  SetupIntentView,
} from '#contract/subscriptions/subscriptions.ts';
import { AppError, notFound } from '#platform/http/app-error.ts';
import type { CallContext } from '#platform/http/mount.ts';
import type { Caller } from '#platform/session/caller.ts';
import { isUuid } from '#platform/db/uuid.ts';
import { type Db, inTransaction } from '#platform/db/db.ts';
import { secondsAfter } from '#platform/process/clock.ts';
import type { Deps } from '../../../deps.ts';
import {
  isLost,
  PaymentError,
  type PaymentProvider,
  type PaymentStart,
  type ProviderIntent,
} from '../providers/provider.ts';
import { providerOf } from '../providers/payments.ts';
import {
  accountOfCustomer,
  customerOf,
  hadTrial,
  liveSubscription,
  lockPayer,
  ownSubscription,
  setStartsNow,
  type SubscriptionRow,
  toPaymentMethod,
  toStarted,
} from '../subscriptions.ts';
import { isRefusedTrial, syncSubscription } from '../sync.ts';
import { endIfLost, keptCards, withCustomer } from './customers.ts';
import { newToken } from '#platform/config/secrets.ts';

type Wish = BodyOf<typeof createSubscription>;

/** Calls to the provider in progress, by row: concurrent requests for the same thing share one call. */
export type Flights = Map<string, Promise<PaymentStart>>;

/**
 * Starts premium: stores a row that grants nothing, then creates the provider's subscription under a key of that row; it waits for its
 * payment. A repeated request returns the same subscription, with the same secret; another plan replaces it. Throws 409 for members who
 * have premium, 404 for another member's card.
 */
export async function begin(
  { deps, caller }: CallContext,
  flights: Flights,
  wish: Wish,
): Promise<ReturnType<typeof toStarted>> {
  const provider = providerOf(deps);
  await settle(deps, provider, caller.accountId, wish.plan);
  const present = await provider.now();
  const row = await inTransaction(deps.db, (tx) => reserve(deps, tx, caller, { wish, now: present }));
  const start = await shared(flights, row.id, () => startAtProvider(deps, caller, row, wish));
  const kept = await syncSubscription(deps, start.subscription.id);
  if (kept === null) throw notFound();
  return toStarted(kept, start);
}

/**
 * Reads the state of a subscription that grants nothing, since it may have been paid by now. An unfinished one for another plan is first
 * canceled at the provider, which knows whether it has just been paid.
 */
async function settle(deps: Deps, provider: PaymentProvider, accountId: string, plan: Plan): Promise<void> {
  const row = await liveSubscription(deps.db, accountId);
  if (row?.provider_id == null) return;
  if (row.status !== 'incomplete' && row.paid_through !== null && row.paid_through > (await provider.now())) return;
  if (row.status === 'incomplete' && row.plan !== plan) {
    await provider.giveUp(row.provider_id).catch((error: unknown) => {
      if (!isLost(error, 'subscription')) throw error;
    });
  }
  await endIfLost(deps, accountId);
}

const withdrawalSeconds = 365 * 86_400;

/**
 * 409 if the account withdrew within a year. Otherwise premium would be free for people who withdraw every two weeks; people who ask to
 * start at once pay for the days they use.
 */
export async function requireNoWithdrawal(tx: Db, accountId: string, now: Date): Promise<void> {
  const withdrawn = await tx
    .selectFrom('premium_refund')
    .select('id')
    .where('account_id', '=', accountId)
    .where('is_withdrawal', '=', true)
    .where('started_at', '>', secondsAfter(now, -withdrawalSeconds))
    .executeTakeFirst();
  if (withdrawn !== undefined)
    throw new AppError(
      'CONFLICT',
      msg`You withdrew from premium within the last year. To buy it again, choose “Start now”.`,
    );
}

async function reserve(
  deps: Deps,
  tx: Db,
  caller: Caller,
  { wish: { plan, startNow = false }, now }: { wish: Wish; now: Date },
): Promise<SubscriptionRow> {
  const { accountId } = caller;
  if (!(await lockPayer(tx, accountId))) throw notFound();
  if (!startNow) await requireNoWithdrawal(tx, accountId, now);
  const live = await liveSubscription(tx, accountId);
  if (live !== undefined) {
    if (live.status === 'past_due' || live.status === 'unpaid')
      throw new AppError('CONFLICT', msg`Your last payment is still open. You can pay it in your settings.`);
    if (live.status === 'paused')
      throw new AppError('CONFLICT', msg`Your premium is paused. Resume it in your settings.`);
    if (live.status !== 'incomplete') throw new AppError('CONFLICT', msg`You already have premium. See your settings.`);
    if (live.plan === plan) {
      await setStartsNow(tx, live.id, plan, startNow);
      return live;
    }
    if (live.provider_id !== null)
      throw new AppError('CONFLICT', msg`Another payment has just started. Please try again.`);
    await tx
      .updateTable('subscription')
      .set({ status: 'incomplete_expired', ended_at: now, updated_at: now })
      .where('id', '=', live.id)
      .execute();
  }
  const { prices, trialDays, withdrawalCountries } = deps.config.payments;
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
      // In case of doubt, the buyer's choice counts.
      withdrawable: caller.country === null || (withdrawalCountries?.includes(caller.country) ?? true),
      starts_now: startNow ? [plan] : [],
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
  caller: Caller,
  row: SubscriptionRow,
  { paymentMethodId }: Wish,
): Promise<PaymentStart> {
  const provider = providerOf(deps);
  return await withCustomer(deps, caller, async (customerId) => {
    if (paymentMethodId !== undefined) {
      const methods = await provider.listPaymentMethods(customerId);
      if (!methods.some(({ id }) => id === paymentMethodId)) throw notFound();
    }
    if (row.provider_id !== null) return await provider.openPayment(row.provider_id);
    return await provider.createSubscription(
      { customerId, plan: row.plan, trialDays: row.trial_days, paymentMethodId: null },
      `subscription:${row.id}:${customerId}`,
    );
  });
}

/** The caller's cards; empty, without calling the provider, if they never bought anything. */
export async function cardsOf(deps: Deps, accountId: string): Promise<PaymentMethodView[]> {
  return deps.payments === null ? [] : (await keptCards(deps, accountId)).cards.map(toPaymentMethod);
}

/** Starts to store a card. */
export async function beginCard(deps: Deps, caller: Caller): Promise<SetupIntentView> {
  const key = `card:${newToken()}`;
  return await withCustomer(deps, caller, (customerId) =>
    providerOf(deps).createSetupIntent(customerId, `${key}:${customerId}`),
  );
}

/** Makes the card of a finished setup the one that pays, and immediately pays any open amount with it. */
async function keepCard(deps: Deps, { customerId, paymentMethodId }: ProviderIntent): Promise<void> {
  if (paymentMethodId === null) return;
  await providerOf(deps).setDefaultPaymentMethod(customerId, paymentMethodId);
  const accountId = await accountOfCustomer(deps.db, customerId);
  if (accountId !== null) await payDebt(deps, accountId);
}

/** Retries the payment of a failed renewal. If the old card is declined again, that is reported as usual. */
async function payDebt(deps: Deps, accountId: string): Promise<void> {
  const row = await liveSubscription(deps.db, accountId);
  if (row?.provider_id == null || (row.status !== 'past_due' && row.status !== 'unpaid')) return;
  try {
    await providerOf(deps).payOpenInvoice(row.provider_id);
  } finally {
    await syncSubscription(deps, row.provider_id);
  }
}

/** Makes one of the caller's cards the one that pays. Throws 404 for another member's card, 422 if it is declined for an open amount. */
export async function chooseCard(deps: Deps, caller: Caller, id: string): Promise<PaymentMethodView[]> {
  const customerId = await ownCard(deps, caller, id);
  await providerOf(deps).setDefaultPaymentMethod(customerId, id);
  await payDebt(deps, caller.accountId);
  return await cardsOf(deps, caller.accountId);
}

/** Removes one of the caller's cards. Throws 404 for another member's card, 409 for the one that pays for the next period. */
export async function removeCard(deps: Deps, caller: Caller, id: string): Promise<PaymentMethodView[]> {
  const customerId = await ownCard(deps, caller, id);
  const [cards, row] = await Promise.all([
    cardsOf(deps, caller.accountId),
    liveSubscription(deps.db, caller.accountId),
  ]);
  const goesOn = row !== undefined && row.status !== 'incomplete' && !row.cancel_at_period_end;
  if (goesOn && cards.find(({ _id }) => _id === id)?.isDefault === true)
    throw new AppError('CONFLICT', msg`This card pays for your premium. Choose another one first.`);
  await providerOf(deps).removePaymentMethod(customerId, id);
  return await cardsOf(deps, caller.accountId);
}

async function ownCard(deps: Deps, { accountId }: Caller, id: string): Promise<string> {
  const { customerId, cards } = await keptCards(deps, accountId);
  if (customerId === null || !cards.some((card) => card.id === id)) throw notFound();
  return customerId;
}

/** Handles a setup that the provider reports as finished, even if its owner has left the page. */
export async function keepCardOf(deps: Deps, setupIntentId: string): Promise<void> {
  const intent = await providerOf(deps).getIntent(setupIntentId);
  if (intent.kind === 'setup' && intent.status === 'succeeded')
    await keepCard(deps, intent).catch((error: unknown) => {
      // A card that is declined for an open amount is stored anyway.
      if (!(error instanceof PaymentError) || error.code === 'unavailable') throw error;
    });
  const kept = deps.db.updateTable('provider_event').set({ setup_intent_id: null });
  await kept.where('setup_intent_id', '=', setupIntentId).execute();
}

type Named = BodyOf<typeof confirmSubscription>;

/**
 * Reads from the provider how one of the caller's payments went; the caller only names it. Throws 404 for a subscription that isn't theirs
 * or an intent that isn't part of it, and 422 while it is unpaid, with the reason if there is one.
 */
export async function confirm(deps: Deps, caller: Caller, named: Named): Promise<SubscriptionRow> {
  const provider = providerOf(deps);
  const row = isUuid(named.subscriptionId)
    ? await ownSubscription(deps.db, caller.accountId, named.subscriptionId)
    : undefined;
  if (row?.provider_id == null) throw notFound();
  const intent = await ownIntent(deps, provider, row, named);
  if (intent.kind === 'setup' && intent.status === 'succeeded') await keepCard(deps, intent);
  const kept = await syncSubscription(deps, row.provider_id);
  if (kept === null) throw notFound();
  if (intent.status === 'succeeded' && (kept.status === 'active' || kept.status === 'trialing')) {
    if (kept.paid_through === null)
      throw unfinished(msg`This payment doesn't match what we asked for. Please contact support.`);
    return kept;
  }
  if (await isRefusedTrial(deps.db, kept))
    throw new AppError('PAYMENT_DECLINED', msg`This card has already had a free trial. You can start without one.`);
  if (intent.declined !== null) throw new AppError('PAYMENT_DECLINED', paymentErrorTexts[intent.declined]);
  if (intent.status === 'succeeded' && kept.status !== 'incomplete') return kept;
  if (intent.status === 'canceled') throw unfinished(msg`This payment was canceled. Please start again.`);
  throw unfinished(
    intent.status === 'processing'
      ? msg`Your bank is still processing this payment. Premium starts once it goes through.`
      : msg`This payment isn't complete yet.`,
  );
}

const unfinished = (text: MessageDescriptor) => new AppError('PAYMENT_UNFINISHED', text);

async function ownIntent(
  deps: Deps,
  provider: PaymentProvider,
  row: SubscriptionRow,
  { paymentIntentId, setupIntentId }: Named,
): Promise<ProviderIntent> {
  const id = paymentIntentId ?? setupIntentId ?? '';
  const [customerId, said, intent] = await Promise.all([
    customerOf(deps.db, provider.name, row.account_id),
    provider.getSubscription(row.provider_id ?? ''),
    provider.getIntent(id).catch(() => null),
  ]);
  const isOwn = intent !== null && customerId !== null && intent.customerId === customerId;
  const isAsked = setupIntentId === undefined ? said.latestIntentId === id : intent?.kind === 'setup';
  if (!isOwn || !isAsked) throw notFound();
  return intent;
}
