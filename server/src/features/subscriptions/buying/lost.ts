import { sql } from 'kysely';
import type { Deps } from '../../../deps.ts';
import { inTransaction } from '../../../platform/db/db.ts';
import { isLive } from '../policy.ts';
import { isLost } from '../providers/provider.ts';
import { presentOf } from '../providers/payments.ts';
import { entitle, liveSubscription, lockPayer } from '../subscriptions.ts';
import { syncSubscription } from '../sync.ts';

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
