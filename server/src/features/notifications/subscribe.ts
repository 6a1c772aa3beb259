import { sql } from 'kysely';
import type { BodyOf } from '#contract/endpoint.ts';
import type { subscribePush } from '#contract/notifications.ts';
import { invalid } from '../../platform/http/app-error.ts';
import type { CommandContext } from '../../platform/http/mount.ts';
import { requireSession } from '../../platform/session/sessions.ts';

/**
 * Subscribes the caller's device until its session ends. It replaces another account's subscription on the same device. Throws 400 for an
 * endpoint that isn't a browser vendor's, and 401 if the session has just ended.
 */
export async function subscribe(
  { tx, deps, caller, now }: CommandContext,
  { endpoint, keys }: BodyOf<typeof subscribePush>,
): Promise<void> {
  if (!deps.push.isAllowed(endpoint)) throw invalid('endpoint', "We can't send notifications to this address");
  await requireSession(tx, caller.sessionId);
  // Serialises concurrent subscriptions of the same device.
  await sql`select pg_advisory_xact_lock(hashtextextended(${endpoint}, 11))`.execute(tx);
  const former = await tx
    .deleteFrom('push_subscription')
    .where('endpoint', '=', endpoint)
    .returning(['p256dh', 'auth', 'refused_since'])
    .executeTakeFirst();
  // A page sends the same subscription at each visit.
  const isSame = former?.p256dh === keys.p256dh && former.auth === keys.auth;
  const content = {
    endpoint,
    p256dh: keys.p256dh,
    auth: keys.auth,
    created_at: now,
    refused_since: isSame ? former.refused_since : null,
  };
  await tx
    .insertInto('push_subscription')
    .values({ session_id: caller.sessionId, account_id: caller.accountId, ...content })
    .onConflict((conflict) => conflict.column('session_id').doUpdateSet(content))
    .execute();
}

/** Unsubscribes the caller's device. */
export async function endSubscription({ tx, caller }: CommandContext): Promise<void> {
  await tx.deleteFrom('push_subscription').where('session_id', '=', caller.sessionId).execute();
}
