import { createHmac, timingSafeEqual } from 'node:crypto';
import * as z from 'zod/mini';
import { BadSignature, type ProviderEvent } from '../../server/src/features/subscriptions/providers/provider.ts';

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
export function signatureOf(secret: string, raw: string, at: Date): string {
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
  };
}

function readSignature(signature: string): { seconds: number; digest: Buffer } {
  const [, seconds, digest] = /^t=(\d{1,12}),v1=([0-9a-f]{64})$/.exec(signature) ?? [];
  if (seconds === undefined || digest === undefined) throw new BadSignature('no signature of ours');
  return { seconds: Number(seconds), digest: Buffer.from(digest, 'hex') };
}
