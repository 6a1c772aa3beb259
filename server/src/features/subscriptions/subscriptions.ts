import { type RawBuilder, type Selectable, sql } from 'kysely';
import type { Plan } from '#contract/subscriptions/plan.ts';
import type { Db } from '#platform/db/db.ts';
import { updateWhere, writeWhere } from '#platform/jobs/due-rows.ts';
import { inTurn } from '#platform/jobs/turns.ts';
import type { Database } from '#platform/db/schema.ts';
import { placed } from './grants/policy.ts';
import { entitledUntil, type SubscriptionState } from './policy.ts';
import type { PaymentMethodView } from '#contract/subscriptions/subscriptions.ts';
import type { PaymentStart, ProviderPaymentMethod } from './providers/provider.ts';

export type SubscriptionRow = Selectable<Database['subscription']>;
type ProviderName = SubscriptionRow['provider'];

const liveStatuses = ['incomplete', 'trialing', 'active', 'past_due', 'unpaid', 'paused'] as const;

/** Locks an account until the transaction ends, so that changes are made one at a time. Returns false if there is no such account. */
export async function lockPayer(tx: Db, accountId: string): Promise<boolean> {
  const { rows } = await sql`select id from account where id = ${accountId}::uuid for no key update`.execute(tx);
  return rows.length > 0;
}

/** The account's subscription that has not ended. */
export async function liveSubscription(db: Db, accountId: string): Promise<SubscriptionRow | undefined> {
  return await db
    .selectFrom('subscription')
    .selectAll()
    .where('account_id', '=', accountId)
    .where('status', 'in', liveStatuses)
    .executeTakeFirst();
}

/** A subscription of this account. */
export async function ownSubscription(db: Db, accountId: string, id: string): Promise<SubscriptionRow | undefined> {
  return await db
    .selectFrom('subscription')
    .selectAll()
    .where('id', '=', id)
    .where('account_id', '=', accountId)
    .executeTakeFirst();
}

/** All subscriptions of an account, newest first. */
export async function subscriptionsOf(db: Db, accountId: string): Promise<SubscriptionRow[]> {
  return await db
    .selectFrom('subscription')
    .selectAll()
    .where('account_id', '=', accountId)
    .orderBy('created_at', 'desc')
    .orderBy('id')
    .execute();
}

/** Whether this account ever had a trial. */
export async function hadTrial(tx: Db, accountId: string): Promise<boolean> {
  const row = await tx
    .selectFrom('subscription')
    .select('id')
    .where('account_id', '=', accountId)
    .where('trial_start', 'is not', null)
    .executeTakeFirst();
  return row !== undefined;
}

/** The provider's customer id of an account, or null if there is none yet. */
export async function customerOf(db: Db, provider: ProviderName, accountId: string): Promise<string | null> {
  const row = await db
    .selectFrom('payment_customer')
    .select('customer_id')
    .where('account_id', '=', accountId)
    .where('provider', '=', provider)
    .executeTakeFirst();
  return row?.customer_id ?? null;
}

/** The account of a provider's customer, including replaced ones, or null for one that is not (or no longer) ours. */
export async function accountOfCustomer(db: Db, customerId: string): Promise<string | null> {
  const row = await db
    .selectFrom('payment_customer')
    .select('account_id')
    .where(
      sql<boolean>`(customer_id = ${customerId} or (former_ids <> '{}' and former_ids @> array[${customerId}::text]))`,
    )
    .executeTakeFirst();
  return row?.account_id ?? null;
}

/** A number for a read that is about to start; of two reads, the higher number wins. */
export async function nextTicket(db: Db): Promise<string> {
  const { rows } = await sql<{ ticket: string }>`select nextval('subscription_sync_ticket') as ticket`.execute(db);
  return rows[0]?.ticket ?? '0';
}

/** Stores the plan with which a subscription continues, or that the plan stays. */
export async function setPendingPlan(db: Db, id: string, plan: Plan | null, now: Date): Promise<void> {
  await db.updateTable('subscription').set({ pending_plan: plan, updated_at: now }).where('id', '=', id).execute();
}

/** Stores whether the buyer of a plan asks for it to start at once. */
export async function setStartsNow(db: Db, id: string, plan: Plan, startNow = false): Promise<void> {
  const others = sql`array_remove(starts_now, ${plan}::text)`;
  await sql`update subscription set starts_now = ${startNow ? sql`${others} || ${plan}::text` : others}
    where id = ${id}::uuid`.execute(db);
}

/** Stores what a change to a longer plan will charge immediately; of several requests, the smallest amount. */
export async function keepAskedChange(db: Db, id: string, plan: Plan, amountMinor: number): Promise<void> {
  await sql`update subscription
    set asked_changes = asked_changes
      || jsonb_build_object(${plan}::text, least((asked_changes ->> ${plan}::text)::int, ${amountMinor}::int))
    where id = ${id}::uuid`.execute(db);
}

/**
 * Gives an account the premium that its subscriptions and the team's gifts grant at `now`. Only this function and the sweep below decide it.
 * The caller holds the lock on the account.
 */
export async function entitle(tx: Db, accountId: string, now: Date): Promise<void> {
  const paid = (await subscriptionsOf(tx, accountId)).map((row) => ({
    since: row.period_start ?? row.created_at,
    until: entitledUntil(stateOf(row))?.getTime() ?? 0,
  }));
  const running = paid.filter(({ until }) => until > now.getTime()).map(({ since }) => since.getTime());
  const paidSince = running.length === 0 ? null : new Date(Math.min(...running));
  const free = await withCredit(tx, accountId, new Date(Math.max(0, ...paid.map(({ until }) => until))), now);
  const gift = await placeGifts(tx, accountId, { until: free, paidSince }, now);
  const until = new Date(Math.max(free.getTime(), gift));
  await setEntitlement(tx, accountId, until > now ? until : null);
}

/** Moves the account's gifts after what it pays for; returns when the last one ends. */
async function placeGifts(tx: Db, accountId: string, before: Parameters<typeof placed>[1], now: Date): Promise<number> {
  const left = await unfinishedGifts(
    tx,
    accountId,
    before.paidSince !== null && before.paidSince < now ? before.paidSince : now,
  );
  const gifts = placed(left, before, now);
  const former = new Map(left.map((gift) => [gift.id, gift]));
  for (const { id, starts_at, ends_at } of gifts)
    if (
      former.get(id)?.starts_at.getTime() !== starts_at.getTime() ||
      former.get(id)?.ends_at.getTime() !== ends_at.getTime()
    )
      await tx.updateTable('premium_grant').set({ starts_at, ends_at }).where('id', '=', id).execute();
  return gifts.at(-1)?.ends_at.getTime() ?? 0;
}

/** The gifts that end after `at` and weren't revoked, in their order. */
export async function unfinishedGifts(db: Db, accountId: string, at: Date) {
  return await db
    .selectFrom('premium_grant')
    .select(['id', 'starts_at', 'ends_at'])
    .where('account_id', '=', accountId)
    .where('revoked_at', 'is', null)
    .where('ends_at', '>', at)
    .orderBy('starts_at')
    .orderBy('id')
    .execute();
}

/** What is left of returned premium. It is used up after the paid time, which ends at `paid`, and before gifts. Returns the end of both. */
async function withCredit(tx: Db, accountId: string, paid: Date, now: Date): Promise<Date> {
  const left = await creditLeft(tx, accountId, now);
  if (left === 0) return paid;
  const startsAt = paid > now ? paid : now;
  await saveCredit(tx, accountId, startsAt, left);
  return new Date(startsAt.getTime() + left);
}

async function creditLeft(tx: Db, accountId: string, now: Date): Promise<number> {
  const row = await tx
    .selectFrom('premium_credit')
    .select(['starts_at', 'ms'])
    .where('account_id', '=', accountId)
    .executeTakeFirst();
  const used = row === undefined ? 0 : Math.max(0, now.getTime() - row.starts_at.getTime());
  return Math.max(0, Number(row?.ms ?? 0) - used);
}

async function saveCredit(tx: Db, accountId: string, startsAt: Date, ms: number): Promise<void> {
  const values = { starts_at: startsAt, ms };
  await tx
    .insertInto('premium_credit')
    .values({ account_id: accountId, ...values })
    .onConflict((conflict) => conflict.column('account_id').doUpdateSet(values))
    .execute();
}

/** Returns the premium that an account could not use in these spans of time, within the running transaction. */
export async function giveBack(
  tx: Db,
  accountId: string,
  spans: readonly { from: Date; until: Date }[],
  now: Date,
): Promise<void> {
  if (!(await lockPayer(tx, accountId))) return;
  const held = (await subscriptionsOf(tx, accountId)).map((row) => ({
    from: row.created_at.getTime(),
    until: entitledUntil(stateOf(row))?.getTime() ?? 0,
  }));
  const overlaps = spans.flatMap(({ from, until }) =>
    held.map((time) => Math.min(time.until, until.getTime()) - Math.max(time.from, from.getTime())),
  );
  const lost = overlaps.reduce((sum, ms) => sum + Math.max(0, ms), 0);
  if (lost === 0) return;
  await addCredit(tx, accountId, lost, now);
  await entitle(tx, accountId, now);
}

/** Adds premium that could not be used, in milliseconds. The caller holds the lock on the account and calls `entitle` afterwards. */
export async function addCredit(tx: Db, accountId: string, ms: number, now: Date): Promise<void> {
  if (ms > 0) await saveCredit(tx, accountId, now, (await creditLeft(tx, accountId, now)) + ms);
}

/** Gives an account premium until a time, or ends it with null. `account.is_vip` mirrors it for all other readers. */
export async function setEntitlement(tx: Db, accountId: string, until: Date | null): Promise<void> {
  const change =
    until === null
      ? sql`delete from entitlement where account_id = ${accountId}::uuid`
      : sql`insert into entitlement (account_id, until) values (${accountId}::uuid, ${until})
          on conflict (account_id) do update set until = excluded.until`;
  await sql`
    with changed as (${change})
    update account set is_vip = ${until !== null}::boolean
    where id = ${accountId}::uuid and is_vip <> ${until !== null}::boolean`.execute(tx);
}

// A renewal that is paid on time is reported some seconds after the old period's end.
const lagSeconds = 30;
const endedAtOnce = 500;

/** Ends premium that has expired at `now`, at most half a minute late, and starts the pauses that are due. */
export async function sweepEntitlements(db: Db, now: Date): Promise<void> {
  const isPauseDue = sql`paused_until > ${now} and status = 'active' and paid_through <= ${now}`;
  const endPremium = (which: RawBuilder<unknown>) => sql`
    with ended as (delete from entitlement where ${which} returning account_id)
    update account a set is_vip = false from ended where a.id = ended.account_id`;
  await inTurn(
    () => updateWhere(db, 'subscription', sql`status = 'paused', updated_at = ${now}`, isPauseDue),
    () => writeWhere(db, { table: 'entitlement', isDue: isExpired(now), most: endedAtOnce, write: endPremium }),
  );
}

const isExpired = (now: Date) => sql`until <= ${now}::timestamptz - make_interval(secs => ${lagSeconds})`;

/** The columns that determine premium. */
export function stateOf(row: SubscriptionRow): SubscriptionState {
  const { paid_through: paid, refunded_from: refunded } = row;
  return {
    status: row.status,
    paidThrough: paid !== null && refunded !== null && refunded < paid ? refunded : paid,
    trialEnd: row.trial_end,
    renewalOpenUntil: row.renewal_open_until,
  };
}

/** A subscription as its owner and administrators see it; its period is the paid one. */
export function toSubscription(row: SubscriptionRow) {
  return {
    _id: row.id,
    plan: row.plan,
    status: row.status,
    price: { amountMinor: row.price_minor, currency: row.currency },
    currentPeriodStart: row.paid_through === null ? null : row.period_start,
    currentPeriodEnd: stateOf(row).paidThrough,
    anchorDay: row.anchor_day,
    cancelAtPeriodEnd: row.cancel_at_period_end,
    pendingPlan: row.cancel_at_period_end ? null : row.pending_plan,
    pausedUntil: row.paused_until,
    createdAt: row.created_at,
    updatedAt: row.updated_at,
    canceledAt: row.canceled_at,
    trialStart: row.trial_start,
    trialEnd: row.trial_end,
  };
}

/** A started payment with what its payer needs to complete it. Without `start`, there is nothing to complete. */
export function toStarted(row: SubscriptionRow, start: PaymentStart | null) {
  const { clientSecret = null, secretKind = null, requiresAction = false, intentId = null } = start ?? {};
  return {
    subscription: toSubscription(row),
    subscriptionId: row.id,
    clientSecret,
    secretKind,
    requiresAction,
    paymentIntentId: secretKind === 'setup' ? null : intentId,
    setupIntentId: secretKind === 'setup' ? intentId : null,
  };
}

/** A card as its owner sees it, without anything that could be used to pay. */
export function toPaymentMethod(method: ProviderPaymentMethod): PaymentMethodView {
  const { id, brand, last4, expMonth, expYear, isDefault } = method;
  return { _id: id, brand, last4, expMonth, expYear, isDefault };
}

/** An invoice as its owner sees it. */
export function toInvoice(row: Selectable<Database['invoice']>) {
  return {
    _id: row.id,
    number: row.number,
    status: row.status,
    plan: row.plan,
    total: { amountMinor: row.total_minor, currency: row.currency },
    created: row.created_at,
    period_start: row.period_start,
    period_end: row.period_end,
    paidAt: row.paid_at,
    hostedUrl: row.hosted_url,
  };
}
