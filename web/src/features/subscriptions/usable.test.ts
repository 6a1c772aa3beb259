import { describe, expect, it } from 'vitest';
import { type SubscriptionStatus, subscriptionStatuses } from '#contract/subscriptions/plan.ts';
import { isUsable } from './plan-words.ts';

const now = Date.parse('2025-10-20T12:00:00.000Z');
const ahead = '2025-10-20T12:00:00.001Z';
const behind = '2025-10-20T12:00:00.000Z';
const byStatus: SubscriptionStatus[] = ['active', 'trialing'];

describe('a subscription is shown as premium', () => {
  it.each(subscriptionStatuses.map((status) => [status, byStatus.includes(status)] as const))(
    '%s: %s once its period is over or unknown, and always before',
    (status, isByStatus) => {
      expect(isUsable({ status, currentPeriodEnd: null }, now)).toBe(isByStatus);
      expect(isUsable({ status, currentPeriodEnd: behind }, now)).toBe(isByStatus);
      expect(isUsable({ status, currentPeriodEnd: ahead }, now)).toBe(true);
    },
  );
});
