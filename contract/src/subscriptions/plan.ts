import type { MessageDescriptor } from '@lingui/core';
import { msg } from '@lingui/core/runtime-macro';
import * as z from 'zod/mini';

/** The premium plans from the shortest to the longest; the order decides what is an upgrade. */
export const plans = ['monthly', 'quarterly', 'annual'] as const;
export type Plan = (typeof plans)[number];
export const planSchema = z.enum(plans);

/** How many months one payment covers. */
export const planMonths: Record<Plan, number> = { monthly: 1, quarterly: 3, annual: 12 };

/**
 * `count` calendar months after `first` in UTC, or the last day of that month if it is shorter. For a date in a series,
 * pass the `anchorDay`: otherwise a subscription from the 31st would stay on the 28th after February.
 */
export function monthsAfter(first: Date, count: number, anchorDay: number = first.getUTCDate()): Date {
  const at = new Date(first);
  at.setUTCMonth(first.getUTCMonth() + count, 1);
  const lastDay = new Date(Date.UTC(at.getUTCFullYear(), at.getUTCMonth() + 1, 0)).getUTCDate();
  at.setUTCDate(Math.min(anchorDay, lastDay));
  return at;
}

/** How many months premium can be paused. */
export const pauseMonths = [1, 2, 3] as const;
export type PauseMonths = (typeof pauseMonths)[number];

/** Whether a plan change is an upgrade. Upgrades apply at once; downgrades wait for the end of the period. */
export function isUpgrade(from: Plan, to: Plan): boolean {
  return planMonths[to] > planMonths[from];
}

export const subscriptionStatuses = [
  'incomplete',
  'incomplete_expired',
  'trialing',
  'active',
  'past_due',
  'unpaid',
  'canceled',
  'paused',
] as const;
export type SubscriptionStatus = (typeof subscriptionStatuses)[number];

/** Money: an integer amount in the currency's smallest unit (cents), and the currency's code in capitals. */
export const moneySchema = z.object({ amountMinor: z.int(), currency: z.string() });
export type Money = z.output<typeof moneySchema>;

/** Codes for refused payments, the same for every provider. */
export const paymentErrorCodes = [
  'card_declined',
  'insufficient_funds',
  'expired_card',
  'authentication_failed',
  'rate_limited',
  'unavailable',
  'invalid',
] as const;
export type PaymentErrorCode = (typeof paymentErrorCodes)[number];

/** Error messages for failed payments. */
export const paymentErrorTexts: Record<PaymentErrorCode, MessageDescriptor> = {
  card_declined: msg`Your bank declined this card. Try another one, or ask your bank.`,
  insufficient_funds: msg`This card has insufficient funds. Try another one.`,
  expired_card: msg`This card has expired. Try another one.`,
  authentication_failed: msg`Your bank couldn't confirm that it's you. Try again, or use another card.`,
  rate_limited: msg`Too many payments at once. Please wait a moment and try again.`,
  unavailable: msg`Payments aren't available at the moment. Nothing was charged. Please try again soon.`,
  invalid: msg`This payment can't be made. Nothing was charged.`,
};
