import { createHmac, timingSafeEqual } from 'node:crypto';
import { sql } from 'kysely';
import * as z from 'zod/mini';
import { BadSignature, type ProviderEvent } from '../../server/src/features/subscriptions/providers/provider.ts';
import { type Clock, secondsAfter } from '../../server/src/platform/process/clock.ts';
import type { Db } from '../../server/src/platform/db/db.ts';
import { addJob } from '../../server/src/platform/jobs/jobs.ts';
import { newId, type SandboxParts, type Step } from './parts.ts';
import { type EventRow, first, insert, type SubscriptionRow } from './tables.ts';

/** The job that delivers the message of an event, `{eventId}`. */
export const deliveryTask = 'payments.deliver';

const toleranceSeconds = 300;

const messageSchema = z.object({
  id: z.string(),
  type: z.string(),
  created: z.int(),
  data: z.object({
    object: z.object({ id: z.string(), customer: z.string(), subscription: z.nullable(z.string()) }),
  }),
});

const digestOf = (secret: string, seconds: number, raw: string | Buffer) =>
  createHmac('sha256', secret).update(`${seconds}.`).update(raw).digest();

/** The signature of a message sent at `at`: `t=<unix seconds>,v1=<HMAC-SHA256 of "t.message", in hex>`. */
function signatureOf(secret: string, raw: string, at: Date): string {
  const seconds = Math.floor(at.getTime() / 1000);
  return `t=${seconds},v1=${digestOf(secret, seconds, raw).toString('hex')}`;
}

/** The event in a message signed with `secret`; throws `BadSignature` for another's, and for one 300 seconds off `now`. */
export function readMessage(secret: string, raw: Buffer, signature: string, now: Date): ProviderEvent {
  const { seconds, digest } = readSignature(signature);
  if (!timingSafeEqual(digest, digestOf(secret, seconds, raw))) throw new BadSignature('not signed with our secret');
  if (Math.abs(now.getTime() / 1000 - seconds) > toleranceSeconds) throw new BadSignature('signed at another time');
  const { id, type, created, data } = messageSchema.parse(JSON.parse(raw.toString('utf8')));
  return {
    id,
    type,
    createdAt: new Date(created * 1000),
    objectId: data.object.id,
    subscriptionId: data.object.subscription,
    customerId: data.object.customer,
    chargeId: null,
  };
}

function readSignature(signature: string): { seconds: number; digest: Buffer } {
  const [, seconds, digest] = /^t=(\d{1,12}),v1=([0-9a-f]{64})$/.exec(signature) ?? [];
  if (seconds === undefined || digest === undefined) throw new BadSignature('not one of our signatures');
  return { seconds: Number(seconds), digest: Buffer.from(digest, 'hex') };
}

const deliveredDays = 30;

/** Event types, named as other providers name them. */
type SandboxEventType =
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

/** What an event is about. */
interface Subject {
  objectId: string;
  customerId: string;
  subscriptionId: string | null;
}

/** Records an event and delivers it after this transaction commits. */
export async function emit(
  { tx, at }: Pick<Step, 'tx' | 'at'>,
  type: SandboxEventType,
  { objectId, customerId, subscriptionId }: Subject,
): Promise<void> {
  const about = { object_id: objectId, customer_id: customerId, subscription_id: subscriptionId };
  const { id } = await insert(tx, 'event', { id: newId('evt'), type, created_at: at, ...about });
  await addJob(tx, deliveryTask, { eventId: id });
}

/** Like `emit`, for an event about a subscription. */
export function emitSubscription(
  step: Pick<Step, 'tx' | 'at'>,
  what: 'created' | 'updated' | 'deleted',
  { id, customer_id }: Pick<SubscriptionRow, 'id' | 'customer_id'>,
): Promise<void> {
  const about = { objectId: id, customerId: customer_id, subscriptionId: id };
  return emit(step, `customer.subscription.${what}`, about);
}

/** A signed message to the webhook. */
export interface Delivery {
  raw: string;
  signature: string;
}

/** The message of an event, signed at the product's current time; null once delivered and for unknown events. */
export async function deliveryOf({ db, clock, webhookSecret }: SandboxParts, id: string): Promise<Delivery | null> {
  const waiting = sql<EventRow>`select * from sandbox.event where id = ${id} and delivered_at is null`;
  const event = await first(db, waiting);
  if (event === undefined) return null;
  const raw = JSON.stringify({
    id: event.id,
    type: event.type,
    created: Math.floor(event.created_at.getTime() / 1000),
    data: { object: { id: event.object_id, customer: event.customer_id, subscription: event.subscription_id } },
  });
  return { raw, signature: signatureOf(webhookSecret, raw, clock.now()) };
}

/** Records that the message of an event was delivered. */
export async function markDelivered({ db, clock }: SandboxParts, id: string): Promise<void> {
  await sql`update sandbox.event set delivered_at = ${clock.now()} where id = ${id} and delivered_at is null`.execute(
    db,
  );
}

/** Deletes old delivered messages. */
export async function forgetEvents(db: Db, now: Date): Promise<void> {
  await sql`delete from sandbox.event where delivered_at <= ${secondsAfter(now, -deliveredDays * 86_400)}`.execute(db);
}
