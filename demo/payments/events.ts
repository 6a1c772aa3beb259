import { secondsAfter, type Clock } from '../../server/src/platform/process/clock.ts';
import type { Db } from '../../server/src/platform/db/db.ts';
import { addJob } from '../../server/src/platform/jobs/jobs.ts';
import { newId } from './parts.ts';
import type { Delivery } from './door.ts';
import { signatureOf } from './webhook.ts';

const deliveredDays = 30;

/** Event types, named as other providers name them. */
export type SandboxEventType =
  | 'customer.subscription.created'
  | 'customer.subscription.updated'
  | 'customer.subscription.deleted'
  | 'invoice.paid'
  | 'invoice.payment_failed'
  | 'invoice.payment_action_required'
  | 'setup_intent.succeeded'
  | 'payment_method.attached'
  | 'payment_method.detached'
  | 'charge.refunded';

/** Records an event and delivers it after this transaction commits. */
export async function emit(
  tx: Db,
  type: SandboxEventType,
  about: { objectId: string; customerId: string; subscriptionId: string | null },
  at: Date,
): Promise<void> {
  const id = newId('evt');
  await tx
    .insertInto('sandbox.event')
    .values({
      id,
      type,
      created_at: at,
      object_id: about.objectId,
      customer_id: about.customerId,
      subscription_id: about.subscriptionId,
    })
    .execute();
  await addJob(tx, 'payments.deliver', { eventId: id });
}

/** Like `emit`, for an event about a subscription. */
export function emitSubscription(
  tx: Db,
  what: 'created' | 'updated' | 'deleted',
  { id, customer_id }: { id: string; customer_id: string },
  at: Date,
): Promise<void> {
  return emit(tx, `customer.subscription.${what}`, { objectId: id, customerId: customer_id, subscriptionId: id }, at);
}

/** The message of an event, signed at the product's current time; null once delivered and for unknown events. */
export async function deliveryOf(db: Db, clock: Clock, secret: string, eventId: string): Promise<Delivery | null> {
  const event = await db
    .selectFrom('sandbox.event')
    .selectAll()
    .where('id', '=', eventId)
    .where('delivered_at', 'is', null)
    .executeTakeFirst();
  if (event === undefined) return null;
  const raw = JSON.stringify({
    id: event.id,
    type: event.type,
    created: Math.floor(event.created_at.getTime() / 1000),
    data: { object: { id: event.object_id, customer: event.customer_id, subscription: event.subscription_id } },
  });
  return { raw, signature: signatureOf(secret, raw, clock.now()) };
}

/** Records that the message of an event was delivered. */
export async function markDelivered(db: Db, clock: Clock, eventId: string): Promise<void> {
  await db
    .updateTable('sandbox.event')
    .set({ delivered_at: clock.now() })
    .where('id', '=', eventId)
    .where('delivered_at', 'is', null)
    .execute();
}

/** Deletes old delivered messages. */
export async function forgetEvents(db: Db, now: Date): Promise<void> {
  await db
    .deleteFrom('sandbox.event')
    .where('delivered_at', '<=', secondsAfter(now, -deliveredDays * 86_400))
    .execute();
}
