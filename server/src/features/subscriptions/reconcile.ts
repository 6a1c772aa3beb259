import { type RawBuilder, sql } from 'kysely';
import type { Deps } from '../../deps.ts';
import type { Db } from '../../platform/db/db.ts';
import { updateWhere } from '../../platform/jobs/due-rows.ts';
import { eachInTurn, pagesOf } from '../../platform/jobs/turns.ts';
import { secondsAfter } from '../../platform/process/clock.ts';
import { PaymentError, type PaymentProvider } from './providers/provider.ts';
import { syncSubscription } from './sync.ts';

const readAtOnce = 200;
const abandonedHours = 23;
// Banks decide a dispute within four months.
const disputeDays = 150;
const noId = '00000000-0000-0000-0000-000000000000';
const isLive = sql<boolean>`status in ('incomplete', 'trialing', 'active', 'past_due', 'unpaid', 'paused')`;

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
  const isOpenToChange = sql<boolean>`not ${isLive} and (${isPaidThrough} or ${isReturned})`;
  const readAll = (name: string, isWanted: RawBuilder<boolean>) =>
    eachInTurn(providerIds(deps.db, provider, isWanted), ({ provider_id }) => readAgain(deps, provider_id), {
      round: `subscriptions.reconcile ${name}`,
      keyOf: ({ id }) => id,
    });
  const steps = [
    () => updateWhere(deps.db, 'subscription', giveUp, isAbandoned),
    () => readAll('live', isLive),
    () => readAll('ended', isOpenToChange),
  ];
  await eachInTurn(steps, (step) => step());
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
