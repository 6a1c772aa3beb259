import type { SubscriptionView } from '#contract/subscriptions/subscriptions.ts';

/**
 * Whether a subscription is drawn as premium at `now`, by the specification's rule: it is active or tried, or what was paid
 * for has not ended. What premium opens is the server's to say.
 */
export function isUsable(
  { status, currentPeriodEnd }: Pick<SubscriptionView, 'status' | 'currentPeriodEnd'>,
  now: number,
): boolean {
  return status === 'active' || status === 'trialing' || Date.parse(currentPeriodEnd ?? '') > now;
}
