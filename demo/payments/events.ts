import { createHmac, timingSafeEqual } from 'node:crypto';
import { sql } from 'kysely';
import { BadSignature, type ProviderEvent } from '../../server/src/features/subscriptions/providers/provider.ts';
import type { SandboxParts } from './parts.ts';
import type { EventRow } from './tables.ts';

const toleranceSeconds = 300;

/** A message to the webhook, as other providers send it. */
interface Message {
  id: string;
  type: string;
  /** Unix seconds. */
  created: number;
  data: { object: { id: string; customer: string; subscription: string | null } };
}

const secondsOf = (at: Date) => Math.floor(at.getTime() / 1000);
const digestOf = (secret: string, seconds: number, raw: string | Buffer) =>
  createHmac('sha256', secret).update(`${seconds}.`).update(raw).digest();

/**
 * The event in a message signed with `secret`. Throws `BadSignature` for other secrets and if the time differs by 300 seconds. A signature is
 * `t=<unix seconds>,v1=<HMAC-SHA256 of "t.message", in hex>`.
 */
export function readMessage(secret: string, raw: Buffer, signature: string, now: Date): ProviderEvent {
  const [, seconds, digest = ''] = /^t=(\d{1,12}),v1=([0-9a-f]{64})$/.exec(signature) ?? [];
  if (seconds === undefined) throw new BadSignature('not one of our signatures');
  if (!timingSafeEqual(Buffer.from(digest, 'hex'), digestOf(secret, Number(seconds), raw)))
    throw new BadSignature('not signed with our secret');
  if (Math.abs(now.getTime() / 1000 - Number(seconds)) > toleranceSeconds)
    throw new BadSignature('signed at another time');
  const { id, type, created, data } = JSON.parse(raw.toString('utf8')) as Message;
  const { id: objectId, customer: customerId, subscription: subscriptionId } = data.object;
  return { id, type, createdAt: new Date(created * 1000), objectId, subscriptionId, customerId, chargeId: null };
}

/** The message of an event, signed at the product's current time; null once delivered and for unknown events. */
export async function deliveryOf({ db, clock, webhookSecret }: SandboxParts, id: string) {
  const waiting = sql<EventRow>`select * from sandbox.event where id = ${id} and delivered_at is null`;
  const [event] = (await waiting.execute(db)).rows;
  if (event === undefined) return null;
  const { type, created_at, object_id, customer_id: customer, subscription_id: subscription } = event;
  const object = { id: object_id, customer, subscription };
  const raw = JSON.stringify({ id, type, created: secondsOf(created_at), data: { object } } satisfies Message);
  const seconds = secondsOf(clock.now());
  return { raw, signature: `t=${seconds},v1=${digestOf(webhookSecret, seconds, raw).toString('hex')}` };
}
