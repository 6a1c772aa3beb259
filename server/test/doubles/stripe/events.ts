import Stripe from 'stripe';
import type { stripeEventTypes } from '../../../src/features/subscriptions/providers/stripe/stripe.ts';
import { subscriptionObject } from './objects.ts';
import { newId, presentIn, type Subscription, type World } from './world.ts';

type Told = (typeof stripeEventTypes)[number];

/** Sends a signed message to the webhook if it subscribes to the type. */
export function tell(world: World, type: Told, object: object, previous_attributes?: object): void {
  const created = presentIn(world);
  const event = {
    id: newId(world, 'evt'),
    object: 'event',
    api_version: Stripe.API_VERSION,
    created,
    type,
    data: { object, ...(previous_attributes && { previous_attributes }) },
    livemode: false,
    pending_webhooks: 1,
    request: { id: null, idempotency_key: null },
  };
  const raw = Buffer.from(JSON.stringify(event, null, 2));
  world.deliveries.push({ raw, signature: sign(raw, world.webhookSecret, created) });
}

/** The signature header for these bytes, as Stripe would send it. */
export function sign(raw: Buffer, secret: string, timestamp: number): string {
  return Stripe.webhooks.generateTestHeaderString({ payload: raw.toString('utf8'), secret, timestamp });
}

/** Emits an event about a subscription. */
export function tellSubscription(
  world: World,
  subscription: Subscription,
  what: 'created' | 'updated' | 'deleted',
): void {
  tell(world, `customer.subscription.${what}`, subscriptionObject(world, subscription));
}
