import { describe, expect, it } from 'vitest';
import { type SubscriptionStatus, subscriptionStatuses } from '#contract/subscriptions/plan.ts';
import type { SubscriptionView } from '#contract/subscriptions/subscriptions.ts';
import { ownSubscription } from '../../../test/fixtures/premium.ts';
import { shownSubscription } from './shown-subscription.ts';
import { brandName, isUsable, outlook, savedPercent } from './plan-words.ts';

type Bare = { [K in keyof SubscriptionView]?: SubscriptionView[K] | undefined };

const usd = (amountMinor: number) => ({ amountMinor, currency: 'USD' });

describe('savedPercent', () => {
  it.each([
    ['monthly', 1499, 0],
    ['quarterly', 3597, 20],
    ['annual', 11988, 33],
    ['annual', 17989, 0],
    ['annual', 20000, 0],
    ['annual', 0, 100],
  ] as const)('%s for %i cents saves %i percent, never rounded up', (plan, cents, percent) => {
    expect(savedPercent({ plan, price: usd(cents) }, usd(1499))).toBe(percent);
  });

  it("returns 0 if the prices can't be compared", () => {
    expect(savedPercent({ plan: 'annual', price: usd(1) }, usd(0))).toBe(0);
    expect(savedPercent({ plan: 'annual', price: { amountMinor: 1, currency: 'JPY' } }, usd(1499))).toBe(0);
  });
});

describe('brandName', () => {
  it.each([
    ['visa', 'Visa'],
    ['Mastercard', 'Mastercard'],
    ['eftpos_au', 'eftpos_au'],
  ])('shows %s as %s', (brand, name) => expect(brandName(brand)).toBe(name));
});

describe('outlook', () => {
  const said = (changes: Bare) => outlook(shownSubscription({ ...ownSubscription(), ...changes } as SubscriptionView));

  it.each<[Bare, string | null]>([
    [{}, 'Renews on Nov 20, 2025 for $14.99.'],
    [{ cancelAtPeriodEnd: true }, "Ends on Nov 20, 2025. You keep everything until then, and won't be charged again."],
    [
      { status: 'trialing', trialEnd: '2025-10-27T12:00:00.000Z' },
      'Free until Oct 27, 2025. Then it renews for $14.99.',
    ],
    [
      { status: 'trialing', cancelAtPeriodEnd: true },
      'Your free trial ends on Nov 20, 2025, and premium with it. Nothing is charged.',
    ],
    [{ status: 'past_due' }, "Your last payment did not go through. We'll try again over the next few days."],
    [{ status: 'unpaid' }, 'Your last payment did not go through, and premium is on hold until it does.'],
    [{ status: 'paused' }, 'Premium is on hold. Nothing is charged.'],
    [
      { pausedUntil: '2025-12-20T12:00:00.000Z' },
      'You have premium until Nov 20, 2025. Then it pauses until Dec 20, 2025, when it renews for $14.99.',
    ],
    [
      { status: 'paused', pausedUntil: '2025-12-20T12:00:00.000Z' },
      'Nothing is charged until Dec 20, 2025, when premium renews for $14.99.',
    ],
    [
      { status: 'paused', pendingPlan: 'monthly', pausedUntil: '2025-12-20T12:00:00.000Z' },
      'Nothing is charged until Dec 20, 2025.',
    ],
    [{ status: 'canceled' }, "Ends on Nov 20, 2025. You won't be charged again."],
    [{ status: 'canceled', currentPeriodEnd: null }, 'This plan has ended.'],
    [{ status: 'incomplete' }, 'The first payment was never finished. Nothing was charged.'],
    [{ currentPeriodEnd: null }, 'Your payment was refunded.'],
    [{ price: undefined }, 'Renews on Nov 20, 2025.'],
    [{ price: undefined, status: 'trialing' }, 'Free until Nov 20, 2025. Then it renews.'],
    [
      { price: undefined, pausedUntil: '2025-12-20T12:00:00.000Z' },
      'You have premium until Nov 20, 2025. Then it pauses until Dec 20, 2025.',
    ],
    [
      { price: undefined, status: 'paused', pausedUntil: '2025-12-20T12:00:00.000Z' },
      'Nothing is charged until Dec 20, 2025.',
    ],
    [{ currentPeriodEnd: undefined }, null],
    [{ status: 'unheard of' as never }, null],
  ])('%o: %s', (changes, words) => expect(said(changes)).toBe(words));
});

const now = Date.parse('2025-10-20T12:00:00.000Z');
const ahead = '2025-10-20T12:00:00.001Z';
const behind = '2025-10-20T12:00:00.000Z';
const byStatus: SubscriptionStatus[] = ['active', 'trialing'];

describe('isUsable', () => {
  it.each(subscriptionStatuses.map((status) => [status, byStatus.includes(status)] as const))(
    'is true for %s during the paid period, and %s if it is over or unknown',
    (status, isByStatus) => {
      expect(isUsable({ status, currentPeriodEnd: null }, now)).toBe(isByStatus);
      expect(isUsable({ status, currentPeriodEnd: behind }, now)).toBe(isByStatus);
      expect(isUsable({ status, currentPeriodEnd: ahead }, now)).toBe(true);
    },
  );
});
