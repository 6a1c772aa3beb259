import type { MessageDescriptor } from '@lingui/core';
import { msg, t } from '@lingui/core/macro';
import { type Money, type Plan, planMonths, type SubscriptionStatus } from '#contract/subscriptions/plan.ts';
import type { InvoiceStatus, InvoiceView, PaymentMethodView } from '#contract/subscriptions/subscriptions.ts';
import type { TagTone } from '../../ui/data/Tag.tsx';
import { formatMoney } from '../../ui/text/format-payment.ts';
import { formatDate } from '../../ui/text/format.ts';
import type { ShownSubscription } from './shown-subscription.ts';

export const planNames: Record<Plan, MessageDescriptor> = {
  monthly: msg`Monthly`,
  quarterly: msg`Quarterly`,
  annual: msg`Annual`,
};

/** The text for the price of one period. */
export const priceTexts: Record<Plan, MessageDescriptor> = {
  monthly: msg({ message: '{price} a month' }),
  quarterly: msg({ message: '{price} every 3 months' }),
  annual: msg({ message: '{price} a year' }),
};

/** The text for what is charged now and later. */
export const chargeTexts: Record<Plan, MessageDescriptor> = {
  monthly: msg({ message: '{price} now, then every month until you cancel. Cancel in two clicks in Settings.' }),
  quarterly: msg({ message: '{price} now, then every 3 months until you cancel. Cancel in two clicks in Settings.' }),
  annual: msg({ message: '{price} now, then every year until you cancel. Cancel in two clicks in Settings.' }),
};

/** The text for what is charged for a plan that starts with a free trial. */
export const trialTexts: Record<Plan, MessageDescriptor> = {
  monthly: msg({
    message:
      'Nothing now: {days} free. From {date} on {price} every month until you cancel. Cancel before, in two clicks in Settings, and nothing is charged.',
  }),
  quarterly: msg({
    message:
      'Nothing now: {days} free. From {date} on {price} every 3 months until you cancel. Cancel before, in two clicks in Settings, and nothing is charged.',
  }),
  annual: msg({
    message:
      'Nothing now: {days} free. From {date} on {price} every year until you cancel. Cancel before, in two clicks in Settings, and nothing is charged.',
  }),
};

/** The label of each status of a subscription. */
const statusWords: Partial<Record<SubscriptionStatus, MessageDescriptor>> = {
  incomplete: msg`Not finished`,
  incomplete_expired: msg`Never finished`,
  trialing: msg`Free trial`,
  active: msg`Active`,
  past_due: msg`Payment failed`,
  unpaid: msg`Unpaid`,
  canceled: msg`Ended`,
  paused: msg`Paused`,
};

const statusTones: Partial<Record<SubscriptionStatus, TagTone>> = {
  incomplete: 'quiet',
  incomplete_expired: 'quiet',
  trialing: 'info',
  active: 'positive',
  past_due: 'accent',
  unpaid: 'accent',
  canceled: 'quiet',
  paused: 'attention',
};

/** The label of a status; an unknown one is shown as the server names it. */
export const statusWord = (status: SubscriptionStatus): string =>
  statusWords[status] ? t(statusWords[status]) : status;

/** The colour of the tag of a status. */
export const statusTone = (status: SubscriptionStatus): TagTone => statusTones[status] ?? 'quiet';

const brands: Record<string, string> = {
  visa: 'Visa',
  mastercard: 'Mastercard',
  amex: 'American Express',
  discover: 'Discover',
  diners: 'Diners Club',
  jcb: 'JCB',
  unionpay: 'UnionPay',
};

/** A card's brand in its usual spelling; unknown brands are spelled as the provider does. */
export function brandName(brand: string): string {
  return brands[brand.toLowerCase()] ?? brand;
}

/** The percentage saved compared with paying monthly, rounded down; 0 if the plan saves nothing. */
export function savedPercent({ plan, price }: { plan: Plan; price: Money }, monthly: Money): number {
  const oneByOne = monthly.amountMinor * planMonths[plan];
  if (oneByOne === 0 || price.currency !== monthly.currency) return 0;
  return Math.max(0, Math.floor((100 * (oneByOne - price.amountMinor)) / oneByOne));
}

/** What happens next with a subscription, in one sentence without unknown details; null if nothing is known. */
export function outlook(subscription: ShownSubscription): string | null {
  const { status, currentPeriodEnd, cancelAtPeriodEnd, trialEnd, pausedUntil, pendingPlan } = subscription;
  const end = status === 'trialing' ? (trialEnd ?? currentPeriodEnd) : currentPeriodEnd;
  const [date, until, price] = [formatDate(end), formatDate(pausedUntil), formatMoney(subscription.price)];
  const isPriced = subscription.price !== null && pendingPlan === null;
  switch (status) {
    case 'trialing':
      if (end == null) return null;
      if (cancelAtPeriodEnd) return t`Your free trial ends on ${date}, and premium with it. Nothing is charged.`;
      return subscription.price === null
        ? t`Free until ${date}. Then it renews.`
        : t`Free until ${date}. Then it renews for ${price}.`;
    case 'active':
      if (end === null) return t`Your payment was refunded.`;
      if (end === undefined) return null;
      if (pausedUntil != null)
        return isPriced
          ? t`You have premium until ${date}. Then it pauses until ${until}, when it renews for ${price}.`
          : t`You have premium until ${date}. Then it pauses until ${until}.`;
      if (cancelAtPeriodEnd) return t`Ends on ${date}. You keep everything until then, and won't be charged again.`;
      return subscription.price === null ? t`Renews on ${date}.` : t`Renews on ${date} for ${price}.`;
    case 'past_due':
      return t`Your last payment did not go through. We'll try again over the next few days.`;
    case 'unpaid':
      return t`Your last payment did not go through, and premium is on hold until it does.`;
    case 'paused':
      if (pausedUntil == null) return t`Premium is on hold. Nothing is charged.`;
      return isPriced
        ? t`Nothing is charged until ${until}, when premium renews for ${price}.`
        : t`Nothing is charged until ${until}.`;
    case 'canceled':
      return end == null ? t`This plan has ended.` : t`Ends on ${date}. You won't be charged again.`;
    case 'incomplete':
    case 'incomplete_expired':
      return t`The first payment was never finished. Nothing was charged.`;
    default:
      return null;
  }
}

/**
 * Whether a subscription is shown as premium at `now` (ms), as the specification defines it: it is active or in its
 * trial, or the paid period has not ended. The server decides what premium allows.
 */
export function isUsable(
  { status, currentPeriodEnd }: Pick<ShownSubscription, 'status' | 'currentPeriodEnd'>,
  now: number,
): boolean {
  return status === 'active' || status === 'trialing' || Date.parse(currentPeriodEnd ?? '') > now;
}

/** The name of a card, by which its owner recognises it. */
export function cardName({ brand, last4 }: Partial<Pick<PaymentMethodView, 'brand' | 'last4'>>): string {
  if (!brand || !last4) return t`Card`;
  return t`${{ brand: brandName(brand) }} ending in ${{ digits: last4 }}`;
}

const invoiceStatusWords: Partial<Record<InvoiceStatus, MessageDescriptor>> = {
  draft: msg`Being prepared`,
  open: msg`Not paid yet`,
  paid: msg`Paid`,
  uncollectible: msg`Never paid`,
  void: msg`Void`,
  refunded: msg`Refunded`,
};

const invoiceStatusTones: Partial<Record<InvoiceStatus, TagTone>> = {
  draft: 'quiet',
  open: 'attention',
  paid: 'positive',
  uncollectible: 'quiet',
  void: 'quiet',
  refunded: 'info',
};

/** The label of an invoice's status; an em dash if it is not known. */
export const invoiceStatusWord = (status: InvoiceStatus): string =>
  invoiceStatusWords[status] ? t(invoiceStatusWords[status]) : '—';

/** The colour of an invoice's status tag. */
export const invoiceStatusTone = (status: InvoiceStatus): TagTone => invoiceStatusTones[status] ?? 'quiet';

/** An invoice's name, with its number if it has one. */
export function invoiceName({ number }: Pick<InvoiceView, 'number'>): string {
  return number == null ? t`Invoice` : t`Invoice ${number}`;
}

/** The name of the plan that an invoice is for. */
export function invoicedPlan({ plan }: Pick<InvoiceView, 'plan'>): string {
  return plan && plan in planNames ? t`Premium, ${{ plan: t(planNames[plan]) }}` : '—';
}
