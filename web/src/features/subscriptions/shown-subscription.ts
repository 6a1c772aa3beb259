import { type Money, type Plan, plans } from '#contract/subscriptions/plan.ts';
import type { SubscriptionView } from '#contract/subscriptions/subscriptions.ts';
import { completed } from '../../api/completed.ts';

/**
 * A subscription as screens show it. Its plan, its price and the end of the paid period may be unknown; if
 * `currentPeriodEnd` is null, nothing is paid.
 */
export type ShownSubscription = Omit<SubscriptionView, 'plan' | 'price' | 'currentPeriodEnd'> & {
  plan: Plan | null;
  price: Money | null;
  currentPeriodEnd?: string | null;
};

const nothingKnown: ShownSubscription = {
  _id: '',
  plan: null,
  price: null,
  status: 'incomplete',
  currentPeriodStart: null,
  cancelAtPeriodEnd: false,
  pendingPlan: null,
  createdAt: '',
  updatedAt: '',
  canceledAt: null,
  trialStart: null,
  trialEnd: null,
};

const knownPlan = (plan: Plan | null | undefined): Plan | null => plans.find((one) => one === plan) ?? null;

/** Fills in missing fields of a subscription, so that screens can rely on them; `id` is used if the answer has none. */
export function shownSubscription(given: Partial<SubscriptionView>, id = ''): ShownSubscription {
  return {
    ...completed<ShownSubscription>(given, { ...nothingKnown, _id: id }),
    plan: knownPlan(given.plan),
    pendingPlan: knownPlan(given.pendingPlan),
  };
}
