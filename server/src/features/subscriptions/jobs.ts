import { type RawBuilder, sql } from 'kysely';
import * as z from 'zod/mini';
import { secondsAfter } from '#platform/process/clock.ts';
import type { Deps } from '../../deps.ts';
import type { Db } from '#platform/db/db.ts';
import { accountPayload, type Declaration, job } from '#platform/jobs/job.ts';
import type { Ticker } from '#platform/jobs/jobs.ts';
import { updateWhere } from '#platform/jobs/due-rows.ts';
import { eachInTurn, inTurn, pagesOf } from '#platform/jobs/turns.ts';
import { forgetJob } from '#platform/people/forget.ts';
import type { Reactions } from '../../events.ts';
import { PaymentError, type PaymentProvider } from './providers/provider.ts';
import { keepCardOf } from './buying/buy.ts';
import { applyPendingPlans, stopRenewal } from './buying/change.ts';
import { accountOfCustomer, stateOf, subscriptionsOf, sweepEntitlements } from './subscriptions.ts';
import { presentOf } from './providers/payments.ts';
import { isCurrent, isLive } from './policy.ts';
import { payRefund } from './refunds/refund.ts';
import { remindOfResumption, syncSubscription } from './sync.ts';

/** Ends expired premium, starts pauses and announces their end, after the provider has processed what is due. */
async function keepTime(deps: Deps): Promise<void> {
  await deps.payments?.tick?.();
  const now = await presentOf(deps);
  await inTurn(
    () => sweepEntitlements(deps.db, now),
    () => remindOfResumption(deps, now),
  );
}

/**
 * Reads the subscriptions of a provider's customer again, including ended ones with paid time left or with a payment that was returned,
 * since the shop may have won a dispute about it.
 */
async function syncCustomer(deps: Deps, customerId: string | null): Promise<void> {
  const accountId = customerId === null ? null : await accountOfCustomer(deps.db, customerId);
  const rows = accountId === null ? [] : await subscriptionsOf(deps.db, accountId);
  const now = await presentOf(deps);
  const returned = accountId === null ? new Set() : await withReturnedPayment(deps.db, accountId);
  for (const row of rows)
    if (row.provider_id !== null && (isLive(row.status) || isCurrent(stateOf(row), now) || returned.has(row.id)))
      await syncSubscription(deps, row.provider_id);
}

/** The subscriptions of an account with a payment that was returned. */
async function withReturnedPayment(db: Db, accountId: string): Promise<Set<string | null>> {
  const rows = await db
    .selectFrom('invoice')
    .select('subscription_id')
    .where('account_id', '=', accountId)
    .where('status', '=', 'refunded')
    .execute();
  return new Set(rows.map(({ subscription_id }) => subscription_id));
}

/** Deletes customers at the provider whose accounts were deleted. */
async function forgetCustomers({ db }: Deps, provider: PaymentProvider): Promise<void> {
  const gone = await db.selectFrom('customer_cleanup').selectAll().where('provider', '=', provider.name).execute();
  const forget = async ({ customer_id }: { customer_id: string }) => {
    await provider.deleteCustomer(customer_id);
    await db.deleteFrom('customer_cleanup').where('customer_id', '=', customer_id).execute();
  };
  await eachInTurn(gone, forget, { round: 'subscriptions.customerCleanup', keyOf: (row) => row.customer_id });
}

/**
 * Subscriptions that renew although their owner can't use them. Staff count from the purchase, as the time at which they became staff is
 * not stored.
 */
const renewing = ({ payments }: Deps) => sql`
  select a.id::text as key, jsonb_build_object('accountId', a.id) as payload,
    coalesce(a.leaving_since, a.deactivated_at, s.created_at) as since
  from subscription s join account a on a.id = s.account_id
  where (not a.is_active or a.leaving_since is not null or a.staff_role is not null)
    and s.provider = ${payments?.name ?? null} and s.provider_id is not null and ${isLiveRow}
    and (not s.cancel_at_period_end or s.status not in ('active', 'trialing'))`;

const unpaidRefund = sql`select id::text as key, jsonb_build_object('refundId', id) as payload, started_at as since
  from premium_refund where paid_at is null and provider_subscription is not null`;

const unkeptCard = sql`select setup_intent_id as key, jsonb_build_object('setupIntentId', setup_intent_id) as payload,
  received_at as since from provider_event where setup_intent_id is not null`;

/** A job that calls the payment provider; without one, it does nothing. */
const paymentJob = <P>(
  declared: Omit<Declaration<P>, 'run' | 'slots'>,
  work: (deps: Deps, provider: PaymentProvider, payload: P) => unknown,
) =>
  job<P>({
    ...declared,
    slots: 'outside',
    run: (deps, payload) => (deps.payments === null ? undefined : work(deps, deps.payments, payload)),
  });

const reconciled = { sweptBy: 'subscriptions.reconcile' };

/** The background jobs of subscriptions. */
export const subscriptionJobs = [
  paymentJob(
    { name: 'subscriptions.sync', payload: z.object({ providerId: z.string() }), sweep: reconciled },
    (deps, _, { providerId }) => syncSubscription(deps, providerId),
  ),
  paymentJob(
    { name: 'subscriptions.syncCustomer', payload: z.object({ customerId: z.string() }), sweep: reconciled },
    (deps, _, { customerId }) => syncCustomer(deps, customerId),
  ),
  paymentJob(
    { name: 'subscriptions.syncCharge', payload: z.object({ chargeId: z.string() }), sweep: reconciled },
    async (deps, provider, { chargeId }) => syncCustomer(deps, await provider.customerOfCharge(chargeId)),
  ),
  paymentJob(
    {
      name: 'subscriptions.keepCard',
      payload: z.object({ setupIntentId: z.string() }),
      sweep: { owed: () => unkeptCard },
    },
    (deps, _, { setupIntentId }) => keepCardOf(deps, setupIntentId),
  ),
  job({
    name: 'account.leaving',
    payload: accountPayload,
    sweep: { sweptBy: 'subscriptions.stopRenewing' },
    slots: 'outside',
    run: stopRenewal,
  }),
  job({
    name: 'subscriptions.stopRenewing',
    payload: accountPayload,
    sweep: { owed: renewing },
    slots: 'outside',
    run: stopRenewal,
  }),
  paymentJob(
    {
      name: 'subscriptions.payRefund',
      payload: z.object({ refundId: z.string() }),
      sweep: { owed: () => unpaidRefund },
    },
    (deps, provider, { refundId }) => payRefund(deps, provider, refundId),
  ),
  job({ name: 'subscriptions.keepTime', cron: '* * * * *', run: keepTime }),
  paymentJob({ name: 'subscriptions.applyPendingPlans', cron: '* * * * *' }, async (deps, provider) =>
    applyPendingPlans(deps, await provider.now()),
  ),
  paymentJob({ name: 'subscriptions.customerCleanup', cron: '* * * * *' }, forgetCustomers),
  paymentJob({ name: 'subscriptions.reconcile', cron: '41 2 * * *' }, reconcile),
  forgetJob('subscriptions.cleanUp', '53 3 * * *'),
];

export const subscriptionTickers = (deps: Deps): Ticker[] => [
  { name: 'premium', everyMs: 30_000, run: () => keepTime(deps) },
];

/** Ends a leaving member's subscriptions. */
export const subscriptionReactions: Reactions = {
  // A job ends their subscriptions at the provider.
  async accountsEnding(tx, { accountIds }) {
    await sql`insert into customer_cleanup (customer_id, provider)
      select unnest(customer_id || former_ids), provider from payment_customer
      where account_id = any (${accountIds}::uuid[])
      on conflict do nothing`.execute(tx);
  },
};

const readAtOnce = 200;
const abandonedHours = 23;
// Banks decide a dispute within four months.
const disputeDays = 150;
const noId = '00000000-0000-0000-0000-000000000000';
const isLiveRow = sql<boolean>`status in ('incomplete', 'trialing', 'active', 'past_due', 'unpaid', 'paused')`;

/**
 * Reads every subscription that is live, still paid for, or whose payment was returned recently from the provider, in case a message was
 * lost, such as one about a refund after the cancellation, or a dispute that was won. Started subscriptions that never reached the provider
 * are given up.
 */
export async function reconcile(deps: Deps, provider: PaymentProvider): Promise<void> {
  const now = await provider.now();
  const isAbandoned = sql`status = 'incomplete' and provider_id is null
    and created_at <= ${secondsAfter(now, -abandonedHours * 3600)}`;
  const giveUp = sql`status = 'incomplete_expired', ended_at = updated_at`;
  const isPaidThrough = sql<boolean>`paid_through > ${now}`;
  const isReturned = sql<boolean>`exists (select from invoice i where i.subscription_id = subscription.id
    and i.status = 'refunded' and i.refunded_at > ${secondsAfter(now, -disputeDays * 86_400)})`;
  const isOpenToChange = sql<boolean>`not ${isLiveRow} and (${isPaidThrough} or ${isReturned})`;
  const readAll = (name: string, isWanted: RawBuilder<boolean>) =>
    eachInTurn(providerIds(deps.db, provider, isWanted), ({ provider_id }) => readAgain(deps, provider_id), {
      round: `subscriptions.reconcile ${name}`,
      keyOf: ({ id }) => id,
    });
  await inTurn(
    () => updateWhere(deps.db, 'subscription', giveUp, isAbandoned),
    () => readAll('live', isLiveRow),
    () => readAll('ended', isOpenToChange),
  );
}

interface Known {
  id: string;
  provider_id: string;
}

function providerIds(db: Db, provider: PaymentProvider, isWanted: RawBuilder<boolean>): AsyncGenerator<Known> {
  return pagesOf<Known>(async (after) => {
    const { rows } = await sql<Known>`
      select id, provider_id from subscription where ${isWanted} and id > ${after?.id ?? noId}::uuid
        and provider = ${provider.name} and provider_id is not null
      order by id limit ${readAtOnce}`.execute(db);
    return rows;
  });
}

/** Reads one subscription again. One that the provider refuses to show is left unchanged. */
async function readAgain(deps: Deps, providerId: string): Promise<void> {
  try {
    await syncSubscription(deps, providerId);
  } catch (error) {
    if (!(error instanceof PaymentError) || error.code === 'unavailable') throw error;
    deps.log.warn({ code: error.code }, 'a subscription could not be read');
  }
}
