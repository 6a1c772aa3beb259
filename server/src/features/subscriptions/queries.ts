import { sql, type Selectable } from 'kysely';
import type { Plan } from '#contract/subscriptions/plan.ts';
import type { Db } from '../../platform/db/db.ts';
import type { SubscriptionTable } from './tables.ts';

export type SubscriptionRow = Selectable<SubscriptionTable>;
type ProviderName = SubscriptionRow['provider'];

const liveStatuses = ['incomplete', 'trialing', 'active', 'past_due', 'unpaid', 'paused'] as const;

/** One at a time for each account: holds it until the transaction ends; false when there is no such account. */
export async function lockPayer(tx: Db, accountId: string): Promise<boolean> {
  const { rows } = await sql`select id from account where id = ${accountId}::uuid for no key update`.execute(tx);
  return rows.length > 0;
}

/** The subscription of an account that stands or goes on. */
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

/** The provider's name for an account, or null before there is one. */
export async function customerOf(db: Db, provider: ProviderName, accountId: string): Promise<string | null> {
  const row = await db
    .selectFrom('payment_customer')
    .select('customer_id')
    .where('account_id', '=', accountId)
    .where('provider', '=', provider)
    .executeTakeFirst();
  return row?.customer_id ?? null;
}

/** The account behind a provider's customer, or null for one that is not (or no longer) ours. */
export async function accountOfCustomer(db: Db, customerId: string): Promise<string | null> {
  const row = await db
    .selectFrom('payment_customer')
    .select('account_id')
    .where('customer_id', '=', customerId)
    .executeTakeFirst();
  return row?.account_id ?? null;
}

/** A number for a reading that is about to begin; of two readings the higher number counts. */
export async function nextTicket(db: Db): Promise<string> {
  const { rows } = await sql<{ ticket: string }>`select nextval('subscription_sync_ticket') as ticket`.execute(db);
  return rows[0]?.ticket ?? '0';
}

/** Writes down the plan a subscription goes on with, or that it stays as it is. */
export async function setPendingPlan(db: Db, id: string, plan: Plan | null, now: Date): Promise<void> {
  await db.updateTable('subscription').set({ pending_plan: plan, updated_at: now }).where('id', '=', id).execute();
}
