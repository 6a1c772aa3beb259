import { sql } from 'kysely';
import type { Deps } from '../../../deps.ts';
import type { Caller } from '#platform/session/caller.ts';
import { fullName } from '#platform/session/own-user.ts';
import { inTransaction } from '#platform/db/db.ts';
import { isLost, type ProviderPaymentMethod } from '../providers/provider.ts';
import { presentOf, providerOf } from '../providers/payments.ts';
import { customerOf, entitle, liveSubscription, lockPayer } from '../subscriptions.ts';
import { isLive } from '../policy.ts';
import { syncSubscription } from '../sync.ts';

/**
 * Makes a call for the caller's customer, who is created if there is none. A customer that the provider no longer knows is replaced, and
 * the call is repeated.
 */
export async function withCustomer<T>(
  deps: Deps,
  caller: Caller,
  call: (customerId: string) => Promise<T>,
): Promise<T> {
  const known = await customerOf(deps.db, providerOf(deps).name, caller.accountId);
  const customerId = known ?? (await createCustomer(deps, caller, null));
  try {
    return await call(customerId);
  } catch (error) {
    if (!isLost(error, 'customer')) throw error;
    deps.log.warn('a customer is unknown to the payment provider and is replaced');
    return await call(await createCustomer(deps, caller, customerId));
  }
}

/**
 * Creates the caller's customer, or the one that replaces `lost`. The idempotency key contains the lost one, since the provider would
 * answer the first key with it again.
 */
async function createCustomer(deps: Deps, caller: Caller, lost: string | null): Promise<string> {
  const provider = providerOf(deps);
  const { accountId, email, firstName, lastName } = caller;
  const created = await provider.ensureCustomer(
    { accountId, email, name: fullName(firstName, lastName) },
    lost === null ? `customer:${accountId}` : `customer:${accountId}:after:${lost}`,
  );
  await deps.db
    .insertInto('payment_customer')
    .values({ account_id: accountId, provider: provider.name, customer_id: created, created_at: deps.clock.now() })
    .onConflict((conflict) =>
      conflict
        .columns(['account_id', 'provider'])
        .doUpdateSet({
          customer_id: created,
          former_ids: sql`payment_customer.former_ids || payment_customer.customer_id`,
        })
        .where('payment_customer.customer_id', '=', lost),
    )
    .execute();
  return (await customerOf(deps.db, provider.name, accountId)) ?? created;
}

/** An account's customer and stored cards; none, without calling the provider, if they never bought anything. */
export async function keptCards(
  deps: Deps,
  accountId: string,
): Promise<{ customerId: string | null; cards: ProviderPaymentMethod[] }> {
  const provider = providerOf(deps);
  const customerId = await customerOf(deps.db, provider.name, accountId);
  if (customerId === null) return { customerId, cards: [] };
  try {
    return { customerId, cards: await provider.listPaymentMethods(customerId) };
  } catch (error) {
    if (isLost(error, 'customer')) return { customerId, cards: [] };
    throw error;
  }
}

/**
 * Reads an account's live subscription again, and ends it here if the provider has no such subscription: nothing would renew it, and it
 * would prevent its owner from buying another one. Paid time is kept. Returns whether it has ended.
 */
export async function endIfLost(deps: Deps, accountId: string): Promise<boolean> {
  const row = await liveSubscription(deps.db, accountId);
  if (row?.provider_id == null) return false;
  const { id, provider_id } = row;
  try {
    const kept = await syncSubscription(deps, provider_id);
    return kept !== null && !isLive(kept.status);
  } catch (error) {
    if (!isLost(error, 'subscription')) throw error;
  }
  const now = await presentOf(deps);
  deps.log.warn('a subscription is unknown to the payment provider and has ended');
  await inTransaction(deps.db, async (tx) => {
    if (!(await lockPayer(tx, accountId))) return;
    await sql`update subscription
      set status = case when ever_paid or trial_start is not null then 'canceled' else 'incomplete_expired' end,
        canceled_at = coalesce(canceled_at, ${now}), ended_at = ${now}, updated_at = ${now},
        pending_plan = null, paused_until = null, renewal_open_until = null
      where id = ${id}::uuid and status in ('incomplete', 'trialing', 'active', 'past_due', 'unpaid', 'paused')`.execute(
      tx,
    );
    await entitle(tx, accountId, now);
  });
  return true;
}
