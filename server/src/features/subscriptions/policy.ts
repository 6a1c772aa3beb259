import type { SubscriptionStatus } from '#contract/subscriptions/plan.ts';

/** What of a subscription decides whether it entitles. */
export interface SubscriptionState {
  status: SubscriptionStatus;
  /** The end of what was paid for, or of a free trial. */
  paidThrough: Date | null;
  trialEnd: Date | null;
  renewalOpenUntil: Date | null;
}

/** The later of two moments; null is none. */
const later = (one: Date | null, other: Date | null): Date | null =>
  one === null || (other !== null && other > one) ? other : one;

/**
 * Until when a subscription entitles to premium, null for not at all: what was paid for, never what a provider's period
 * promises. An abandoned period and one whose renewal failed were not paid. A trial ends with its
 * subscription; paid time is kept to its end.
 */
export function entitledUntil({ status, paidThrough, trialEnd, renewalOpenUntil }: SubscriptionState): Date | null {
  switch (status) {
    case 'incomplete':
    case 'incomplete_expired':
      return null;
    case 'active':
      // A renewal that the provider has yet to try is no debt.
      return paidThrough === null ? null : later(paidThrough, renewalOpenUntil);
    case 'canceled': {
      const isOnlyTrial = trialEnd !== null && paidThrough !== null && paidThrough <= trialEnd;
      return isOnlyTrial ? null : paidThrough;
    }
    case 'trialing':
    case 'past_due':
    case 'unpaid':
    case 'paused':
      return paidThrough;
  }
}

/** Whether it stands or goes on: an account has one of these at most. */
export function isLive(status: SubscriptionStatus): boolean {
  return status !== 'canceled' && status !== 'incomplete_expired';
}

/** Whether its owner has it at `now`: not before it was paid, and not after it has ended. */
export function isCurrent(state: SubscriptionState, now: Date): boolean {
  if (state.status === 'incomplete' || state.status === 'incomplete_expired') return false;
  if (state.status !== 'canceled') return true;
  const until = entitledUntil(state);
  return until !== null && until > now;
}
