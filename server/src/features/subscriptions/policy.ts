import type { SubscriptionStatus } from '#contract/subscriptions/plan.ts';

/** The parts of a subscription that decide whether it grants premium. */
export interface SubscriptionState {
  status: SubscriptionStatus;
  /** The end of the time that was paid for, or of a free trial. */
  paidThrough: Date | null;
  trialEnd: Date | null;
  renewalOpenUntil: Date | null;
}

/** The later of two times; null if both are. */
const later = (one: Date | null, other: Date | null): Date | null =>
  one === null || (other !== null && other > one) ? other : one;

/**
 * Until when a subscription grants premium, or null if it doesn't. Only paid time counts, not the provider's period: an abandoned period
 * and one whose renewal failed were not paid. A trial ends with its subscription; paid time is kept to its end.
 */
export function entitledUntil({ status, paidThrough, trialEnd, renewalOpenUntil }: SubscriptionState): Date | null {
  switch (status) {
    case 'incomplete':
    case 'incomplete_expired':
      return null;
    case 'active':
      // A renewal that the provider hasn't tried yet isn't overdue.
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

/** Whether it has not ended, paid or not. An account has at most one such subscription. */
export function isLive(status: SubscriptionStatus): boolean {
  return status !== 'canceled' && status !== 'incomplete_expired';
}

/** Whether its owner has it at `now`: not before it was paid, and not after its paid time. */
export function isCurrent(state: SubscriptionState, now: Date): boolean {
  if (state.status === 'incomplete' || state.status === 'incomplete_expired') return false;
  if (state.status !== 'canceled') return true;
  const until = entitledUntil(state);
  return until !== null && until > now;
}
