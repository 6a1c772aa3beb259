import Stripe from 'stripe';
import { BadSignature, type ProviderEvent } from '../provider.ts';

/** What the webhook endpoint at Stripe has to be told. */
export const stripeEventTypes = [
  'customer.subscription.created',
  'customer.subscription.updated',
  'customer.subscription.deleted',
  'customer.subscription.paused',
  'customer.subscription.resumed',
  'customer.subscription.trial_will_end',
  'invoice.paid',
  'invoice.payment_failed',
  'invoice.payment_action_required',
  'invoice.finalization_failed',
  'setup_intent.succeeded',
  'payment_method.attached',
  'payment_method.detached',
  'payment_method.automatically_updated',
  'charge.refunded',
  'charge.dispute.created',
] as const satisfies Stripe.WebhookEndpointCreateParams.EnabledEvent[];

const toleranceSeconds = 300;

/** The event in a delivery that was signed with one of the secrets; `BadSignature` for any other, and for one that is too old at `now`. */
export function readEvent(secrets: string[], raw: Buffer, signature: string, now: Date): ProviderEvent {
  for (const secret of secrets) {
    try {
      return viewOfEvent(
        Stripe.webhooks.constructEvent(raw, signature, secret, toleranceSeconds, undefined, now.getTime()),
      );
    } catch {
      // Another secret may be the one.
    }
  }
  throw new BadSignature();
}

/** What an event's object may say of itself, whichever it is. */
interface Subject {
  id?: unknown;
  object?: unknown;
  customer?: unknown;
  subscription?: unknown;
  parent?: { subscription_details?: { subscription?: unknown } | null } | null;
}

function viewOfEvent({ id, type, created, data }: Stripe.Event): ProviderEvent {
  const subject = data.object as Subject;
  const before = (data.previous_attributes ?? {}) as Subject;
  if (![id, type].every((text) => typeof text === 'string' && text !== '') || !Number.isSafeInteger(created))
    throw new BadSignature();
  return {
    id,
    type,
    createdAt: new Date(created * 1000),
    objectId: nameIn(subject.id),
    subscriptionId:
      subject.object === 'subscription'
        ? nameIn(subject.id)
        : nameIn(subject.parent?.subscription_details?.subscription ?? subject.subscription),
    // A card that was taken off says whose it was.
    customerId: subject.object === 'customer' ? nameIn(subject.id) : nameIn(subject.customer ?? before.customer),
  };
}

/** The id behind a reference, whether it was expanded or not; null for none. */
function nameIn(reference: unknown): string | null {
  const id = typeof reference === 'object' ? (reference as { id?: unknown } | null)?.id : reference;
  return typeof id === 'string' ? id : null;
}
