import { type Money, type Plan, planMonths, type SubscriptionStatus } from '#contract/subscriptions/plan.ts';
import type {
  InvoiceStatus,
  InvoiceView,
  PaymentMethodView,
  SubscriptionView,
} from '#contract/subscriptions/subscriptions.ts';
import type { TagTone } from '../../ui/data/Tag.tsx';
import { formatMoney } from '../../ui/text/format-payment.ts';
import { formatDate } from '../../ui/text/format.ts';
import { t } from '../../ui/text/text.ts';

/** The names of the plans. */
export const planNames: Record<Plan, string> = { monthly: 'Monthly', quarterly: 'Quarterly', annual: 'Annual' };

/** The price of one period. */
export const priceTexts: Record<Plan, string> = {
  monthly: '{price} a month',
  quarterly: '{price} every 3 months',
  annual: '{price} a year',
};

/** What is charged now and later. */
export const chargeTexts: Record<Plan, string> = {
  monthly: '{price} now, then every month until you cancel. Cancel in two clicks in Settings.',
  quarterly: '{price} now, then every 3 months until you cancel. Cancel in two clicks in Settings.',
  annual: '{price} now, then every year until you cancel. Cancel in two clicks in Settings.',
};

/** The same for a plan that starts with a free trial. */
export const trialTexts: Record<Plan, string> = {
  monthly:
    'Nothing now: {days} free. From {date} on {price} every month until you cancel. Cancel before, in two clicks in Settings, and nothing is charged.',
  quarterly:
    'Nothing now: {days} free. From {date} on {price} every 3 months until you cancel. Cancel before, in two clicks in Settings, and nothing is charged.',
  annual:
    'Nothing now: {days} free. From {date} on {price} every year until you cancel. Cancel before, in two clicks in Settings, and nothing is charged.',
};

export const daysText = '{count, plural, one {# day} other {# days}}';

/** The label of each status of a subscription. */
export const statusWords: Record<SubscriptionStatus, string> = {
  incomplete: 'Not finished',
  incomplete_expired: 'Never finished',
  trialing: 'Free trial',
  active: 'Active',
  past_due: 'Payment failed',
  unpaid: 'Unpaid',
  canceled: 'Ended',
  paused: 'Paused',
};

export const statusTones: Record<SubscriptionStatus, TagTone> = {
  incomplete: 'quiet',
  incomplete_expired: 'quiet',
  trialing: 'info',
  active: 'positive',
  past_due: 'accent',
  unpaid: 'accent',
  canceled: 'quiet',
  paused: 'attention',
};

const brands: Record<string, string> = {
  visa: 'Visa',
  mastercard: 'Mastercard',
  amex: 'American Express',
  discover: 'Discover',
  diners: 'Diners Club',
  jcb: 'JCB',
  unionpay: 'UnionPay',
};

/** A card's brand in its usual spelling; the provider's spelling for unknown ones. */
export function brandName(brand: string): string {
  return brands[brand.toLowerCase()] ?? brand;
}

/** Whole percent that a plan saves compared with paying monthly, never rounded up; 0 if it saves nothing. */
export function savedPercent({ plan, price }: { plan: Plan; price: Money }, monthly: Money): number {
  const oneByOne = monthly.amountMinor * planMonths[plan];
  if (oneByOne === 0 || price.currency !== monthly.currency) return 0;
  return Math.max(0, Math.floor((100 * (oneByOne - price.amountMinor)) / oneByOne));
}

/** A text for `t` with its values. */
interface Sentence {
  text: string;
  values: Record<string, string>;
}

/** What happens next with a subscription, in one sentence. */
export function outlook(subscription: SubscriptionView): Sentence {
  const { status, currentPeriodEnd, cancelAtPeriodEnd, trialEnd, price, pausedUntil, pendingPlan } = subscription;
  const date = formatDate(status === 'trialing' ? (trialEnd ?? currentPeriodEnd) : currentPeriodEnd);
  const values = { date, price: formatMoney(price), until: formatDate(pausedUntil ?? null) };
  const hasPaidTime = currentPeriodEnd !== null;
  switch (status) {
    case 'trialing':
      return cancelAtPeriodEnd
        ? { text: 'Your free trial ends on {date}, and premium with it. Nothing is charged.', values }
        : { text: 'Free until {date}. Then it renews for {price}.', values };
    case 'active':
      if (!hasPaidTime) return { text: 'Your payment was refunded.', values };
      if (pausedUntil != null)
        return pendingPlan === null
          ? { text: 'You have premium until {date}. Then it pauses until {until}, when it renews for {price}.', values }
          : { text: 'You have premium until {date}. Then it pauses until {until}.', values };
      return cancelAtPeriodEnd
        ? { text: "Ends on {date}. You keep everything until then, and won't be charged again.", values }
        : { text: 'Renews on {date} for {price}.', values };
    case 'past_due':
      return { text: "Your last payment did not go through. We'll try again over the next few days.", values };
    case 'unpaid':
      return { text: 'Your last payment did not go through, and premium is on hold until it does.', values };
    case 'paused':
      if (pausedUntil == null) return { text: 'Premium is on hold. Nothing is charged.', values };
      return pendingPlan === null
        ? { text: 'Nothing is charged until {until}, when premium renews for {price}.', values }
        : { text: 'Nothing is charged until {until}.', values };
    case 'canceled':
      return hasPaidTime
        ? { text: 'Ends on {date}. Nothing more is charged.', values }
        : { text: 'This plan has ended.', values };
    case 'incomplete':
    case 'incomplete_expired':
      return { text: 'The first payment was never finished. Nothing was charged.', values };
  }
}

/**
 * Whether a subscription is shown as premium at `now` (ms), by the specification's rule: it is active or in its trial, or the paid
 * period has not ended. What premium allows is decided by the server.
 */
export function isUsable(
  { status, currentPeriodEnd }: Pick<SubscriptionView, 'status' | 'currentPeriodEnd'>,
  now: number,
): boolean {
  return status === 'active' || status === 'trialing' || Date.parse(currentPeriodEnd ?? '') > now;
}

/** A card's name as its owner knows it. */
export function cardName({ brand, last4 }: Pick<PaymentMethodView, 'brand' | 'last4'>): string {
  return t('{brand} ending in {digits}', { brand: brandName(brand), digits: last4 });
}

/** The label of each status of an invoice. */
export const invoiceStatusWords: Record<InvoiceStatus, string> = {
  draft: 'Being prepared',
  open: 'Not paid yet',
  paid: 'Paid',
  uncollectible: 'Never paid',
  void: 'Void',
  refunded: 'Refunded',
};

export const invoiceStatusTones: Record<InvoiceStatus, TagTone> = {
  draft: 'quiet',
  open: 'attention',
  paid: 'positive',
  uncollectible: 'quiet',
  void: 'quiet',
  refunded: 'info',
};

/** An invoice's name, with its number if it has one. */
export function invoiceName({ number }: Pick<InvoiceView, 'number'>): string {
  return number === null ? t('Invoice') : t('Invoice {number}', { number });
}

/** What an invoice is for. */
export function invoicedPlan({ plan }: Pick<InvoiceView, 'plan'>): string {
  return plan === null ? '—' : t('Premium, {plan}', { plan: t(planNames[plan]) });
}
