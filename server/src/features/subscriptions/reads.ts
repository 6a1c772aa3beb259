import { sql } from 'kysely';
import { paginate } from '#contract/paging.ts';
import type { Seller } from '#platform/config/payments.ts';
import type { Deps } from '../../deps.ts';
import type { Db } from '#platform/db/db.ts';
import type { Caller } from '#platform/session/caller.ts';
import { fullName } from '#platform/session/own-user.ts';
import { dayOf } from '#platform/process/clock.ts';
import { grantsOf } from './grants/reads.ts';
import { isCurrent } from './policy.ts';
import { receiptOf } from './receipt/receipt.ts';
import { withWithdrawal } from './refunds/withdraw.ts';
import { stateOf, subscriptionsOf, toInvoice, toSubscription } from './subscriptions.ts';

/** The subscription an account has at `now`, or null. A subscription that was never paid or has ended doesn't count. */
export async function currentSubscription(deps: Deps, accountId: string, now: Date) {
  const row = (await subscriptionsOf(deps.db, accountId)).find((each) => isCurrent(stateOf(each), now));
  return row === undefined ? null : await withWithdrawal(deps.db, deps, row, now);
}

/**
 * An account's invoices, without drafts and without those of a subscription that was never paid.
 */
function shownInvoices(db: Db, accountId: string) {
  return db
    .selectFrom('invoice')
    .where('account_id', '=', accountId)
    .where('status', '<>', 'draft')
    .where((eb) =>
      eb.or([
        eb('status', 'in', ['paid', 'refunded']),
        eb.exists(
          eb
            .selectFrom('subscription')
            .select('subscription.id')
            .whereRef('subscription.id', '=', 'invoice.subscription_id')
            .where('subscription.ever_paid', '=', true),
        ),
      ]),
    );
}

/** One page of an account's invoices, newest first, without drafts. */
export async function invoicesPage(db: Db, accountId: string, page: number, limit: number) {
  const own = shownInvoices(db, accountId);
  const { total } = await own.select((eb) => eb.fn.countAll<string>().as('total')).executeTakeFirstOrThrow();
  const rows = await own
    .selectAll()
    .orderBy('created_at', 'desc')
    .orderBy(sql`number collate "C"`, 'desc')
    .limit(limit)
    .offset((page - 1) * limit)
    .execute();
  return { invoices: rows.map(toInvoice), pagination: paginate(page, limit, Number(total)) };
}

/** One of the caller's invoices and the content of its receipt; null if it is unknown or another account's. */
export async function ownInvoice(
  db: Db,
  { accountId, firstName, lastName, email }: Caller,
  id: string,
  seller: Seller,
) {
  const row = await shownInvoices(db, accountId).selectAll().where('id', '=', id).executeTakeFirst();
  if (row === undefined) return null;
  const customer = { name: fullName(firstName, lastName), email };
  return { invoice: toInvoice(row), receipt: receiptOf(row, customer, seller) };
}

/** What is stored about an account's premium, for its owner: of gifts, not who gave them and why. */
export async function premiumData(db: Db, accountId: string) {
  const subscriptions = (await subscriptionsOf(db, accountId)).map((row) => ({
    ...toSubscription(row),
    startsNow: row.starts_now,
  }));
  const rows = await db
    .selectFrom('invoice')
    .selectAll()
    .where('account_id', '=', accountId)
    .orderBy('created_at')
    .execute();
  const gifts = (await grantsOf(db, accountId)).map(({ reason: _, by: __, ...gift }) => gift);
  const refunds = await db
    .selectFrom('premium_refund')
    .select(['days', 'amount_minor as amountMinor', 'currency', 'is_withdrawal as isWithdrawal'])
    .select(['started_at as startedAt', 'paid_at as paidAt'])
    .where('account_id', '=', accountId)
    .orderBy('started_at')
    .execute();
  return { subscriptions, invoices: rows.map(toInvoice), gifts, refunds };
}

/** The figures of premium at `now`, from the counters; money in `currency`, churn of the month in UTC. */
export async function readRevenue(db: Db, currency: string, now: Date) {
  const month = dayOf(now).slice(0, 7);
  const { rows } = await sql<{ kind: string; key: string; value: string }>`
    select kind, key, sum(value) as value from (
      select kind, key, value from statistic where kind = 'premium' or (kind = 'churned' and key = ${month})
      union all
      select kind, key, delta from statistic_delta where kind = 'premium' or (kind = 'churned' and key = ${month})
    ) figures group by kind, key`.execute(db);
  const values = new Map(rows.map(({ kind, key, value }) => [`${kind} ${key}`, Number(value)]));
  const figure = (name: string) => values.get(name) ?? 0;
  return {
    active: figure('premium active'),
    trialing: figure('premium trialing'),
    pastDue: figure('premium past_due'),
    paused: figure('premium paused'),
    monthlyRecurring: { amountMinor: figure(`premium monthlyMinor ${currency}`), currency },
    churnedThisMonth: figure(`churned ${month}`),
    asOf: now,
  };
}

/** The owner of an invoice; null for an unknown one, and once the account is deleted. */
export async function payerOf(db: Db, invoiceId: string): Promise<string | null> {
  const row = await db.selectFrom('invoice').select('account_id').where('id', '=', invoiceId).executeTakeFirst();
  return row?.account_id ?? null;
}

/** A subscription and its owner, or undefined. */
export async function anySubscription(db: Db, id: string) {
  const row = await db.selectFrom('subscription').selectAll().where('id', '=', id).executeTakeFirst();
  return row && { accountId: row.account_id, subscription: toSubscription(row) };
}

/** All subscriptions an account ever had, newest first; null for an unknown account. */
export async function subscriptionsFor(db: Db, accountId: string) {
  const account = await db.selectFrom('account').select('id').where('id', '=', accountId).executeTakeFirst();
  return account === undefined ? null : (await subscriptionsOf(db, accountId)).map(toSubscription);
}
