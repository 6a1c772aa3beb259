import type { SubscriptionView } from '#contract/subscriptions/subscriptions.ts';
import type { Db } from '../../platform/db/db.ts';
import { subscriptionsOf } from './queries.ts';
import { toSubscription } from './views.ts';

/** A subscription and whose it is, or undefined. */
export async function anySubscription(
  db: Db,
  id: string,
): Promise<{ accountId: string; subscription: SubscriptionView } | undefined> {
  const row = await db.selectFrom('subscription').selectAll().where('id', '=', id).executeTakeFirst();
  return row && { accountId: row.account_id, subscription: toSubscription(row) };
}

/** All that an account ever subscribed to, newest first; null for an account that is not there. */
export async function subscriptionsFor(db: Db, accountId: string): Promise<SubscriptionView[] | null> {
  const account = await db.selectFrom('account').select('id').where('id', '=', accountId).executeTakeFirst();
  return account === undefined ? null : (await subscriptionsOf(db, accountId)).map(toSubscription);
}
