import { sql } from 'kysely';
import { secondsAfter } from '../../platform/process/clock.ts';
import type { Deps } from '../../deps.ts';
import { PaymentError, type PaymentProvider } from './providers/provider.ts';
import { syncSubscription } from './sync.ts';

const atOnce = 200;
const abandonedHours = 23;

/** Asks the provider for every live subscription, in case a message was lost, and forgets started ones that never reached it. */
export async function reconcile(deps: Deps, provider: PaymentProvider): Promise<void> {
  const abandoned = secondsAfter(await provider.now(), -abandonedHours * 3600);
  await sql`update subscription set status = 'incomplete_expired', ended_at = updated_at
    where status = 'incomplete' and provider_id is null and created_at <= ${abandoned}`.execute(deps.db);
  let last = '00000000-0000-0000-0000-000000000000';
  for (;;) {
    const rows = await deps.db
      .selectFrom('subscription')
      .select(['id', 'provider_id'])
      .where('id', '>', last)
      .where('status', 'in', ['incomplete', 'trialing', 'active', 'past_due', 'unpaid', 'paused'])
      .where('provider', '=', provider.name)
      .where('provider_id', 'is not', null)
      .orderBy('id')
      .limit(atOnce)
      .execute();
    for (const { id, provider_id } of rows) {
      last = id;
      if (provider_id !== null) await readAnew(deps, provider_id);
    }
    if (rows.length < atOnce) return;
  }
}

/** One that cannot be read is left for the next night; a provider that is not there ends the round. */
async function readAnew(deps: Deps, providerId: string): Promise<void> {
  try {
    await syncSubscription(deps, providerId);
  } catch (error) {
    if (!(error instanceof PaymentError) || error.code === 'unavailable') throw error;
    deps.log.warn({ code: error.code }, 'a subscription could not be read');
  }
}
