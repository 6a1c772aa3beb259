import { tell } from './events.ts';
import { subscriptionObject } from './objects.ts';
import { known, presentIn, type Change, type Subscription, type World } from './world.ts';

/** Emits an event about a subscription. */
export function tellSubscription(
  world: World,
  subscription: Subscription,
  what: 'created' | 'updated' | 'deleted',
): void {
  tell(world, `customer.subscription.${what}`, subscriptionObject(world, subscription));
}

/** The card for a subscription's next payment, or null. */
export function payingCard(world: World, { cardId, customerId }: Subscription): string | null {
  return cardId ?? known(world.customers, customerId).defaultCardId;
}

/** Applies a scheduled change. */
export function applyChange(world: World, subscription: Subscription, { priceId, start, end }: Change): void {
  const { trialEnd } = subscription;
  Object.assign(subscription, {
    priceId,
    anchor: start,
    periodStart: start,
    periodEnd: end,
    trialEnd: trialEnd !== null && trialEnd > presentIn(world) ? start : trialEnd,
    status: 'active',
    pending: null,
  });
}

/** How many months a price pays for. */
export function monthsOf(world: World, priceId: string): number {
  const { interval, intervalCount } = known(world.prices, priceId);
  return interval === 'year' ? intervalCount * 12 : intervalCount;
}
