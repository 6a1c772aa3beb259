import { type Money, type Plan, planMonths, type SubscriptionStatus } from '#contract/subscriptions/plan.ts';
import type { InvoiceStatus, InvoiceView, PaymentMethodView } from '#contract/subscriptions/subscriptions.ts';
import type { TagTone } from '../../ui/data/Tag.tsx';
import { formatMoney } from '../../ui/text/format-payment.ts';
import { formatDate } from '../../ui/text/format.ts';
import { t } from '../../ui/text/text.ts';
import type { ShownSubscription } from './shown-subscription.ts';

export const planNames: Record<Plan, string> = { monthly: 'Monthly', quarterly: 'Quarterly', annual: 'Annual' };

/** The text for the price of one period. */
export const priceTexts: Record<Plan, string> = {
  monthly: '{price} a month',
  quarterly: '{price} every 3 months',
  annual: '{price} a year',
};

/** The text for what is charged now and later. */
export const chargeTexts: Record<Plan, string> = {
  monthly: '{price} now, then every month until you cancel. Cancel in two clicks in Settings.',
  quarterly: '{price} now, then every 3 months until you cancel. Cancel in two clicks in Settings.',
  annual: '{price} now, then every year until you cancel. Cancel in two clicks in Settings.',
};

/** The text for what is charged for a plan that starts with a free trial. */
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
const statusWords: Partial<Record<SubscriptionStatus, string>> = {
  incomplete: 'Not finished',
  incomplete_expired: 'Never finished',
  trialing: 'Free trial',
  active: 'Active',
  past_due: 'Payment failed',
  unpaid: 'Unpaid',
  canceled: 'Ended',
  paused: 'Paused',
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
export const statusWord = (status: SubscriptionStatus): string => t(statusWords[status] ?? status);

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

/** A message for `t`, with its values. */
interface Sentence {
  text: string;
  values: Record<string, string>;
}

/** What happens next with a subscription, in one sentence without unknown details; null if nothing is known. */
export function outlook(subscription: ShownSubscription): Sentence | null {
  const { status, currentPeriodEnd, cancelAtPeriodEnd, trialEnd, price, pausedUntil, pendingPlan } = subscription;
  const end = status === 'trialing' ? (trialEnd ?? currentPeriodEnd) : currentPeriodEnd;
  const values = { date: formatDate(end), price: formatMoney(price), until: formatDate(pausedUntil) };
  const isPriced = price !== null && pendingPlan === null;
  switch (status) {
    case 'trialing':
      if (end == null) return null;
      if (cancelAtPeriodEnd)
        return { text: 'Your free trial ends on {date}, and premium with it. Nothing is charged.', values };
      return price === null
        ? { text: 'Free until {date}. Then it renews.', values }
        : { text: 'Free until {date}. Then it renews for {price}.', values };
    case 'active':
      if (end === null) return { text: 'Your payment was refunded.', values };
      if (end === undefined) return null;
      if (pausedUntil != null)
        return isPriced
          ? { text: 'You have premium until {date}. Then it pauses until {until}, when it renews for {price}.', values }
          : { text: 'You have premium until {date}. Then it pauses until {until}.', values };
      if (cancelAtPeriodEnd)
        return { text: "Ends on {date}. You keep everything until then, and won't be charged again.", values };
      return price === null ? { text: 'Renews on {date}.', values } : { text: 'Renews on {date} for {price}.', values };
    case 'past_due':
      return { text: "Your last payment did not go through. We'll try again over the next few days.", values };
    case 'unpaid':
      return { text: 'Your last payment did not go through, and premium is on hold until it does.', values };
    case 'paused':
      if (pausedUntil == null) return { text: 'Premium is on hold. Nothing is charged.', values };
      return isPriced
        ? { text: 'Nothing is charged until {until}, when premium renews for {price}.', values }
        : { text: 'Nothing is charged until {until}.', values };
    case 'canceled':
      return end == null
        ? { text: 'This plan has ended.', values }
        : { text: "Ends on {date}. You won't be charged again.", values };
    case 'incomplete':
    case 'incomplete_expired':
      return { text: 'The first payment was never finished. Nothing was charged.', values };
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
  if (!brand || !last4) return t('Card');
  return t('{brand} ending in {digits}', { brand: brandName(brand), digits: last4 });
}

const invoiceStatusWords: Partial<Record<InvoiceStatus, string>> = {
  draft: 'Being prepared',
  open: 'Not paid yet',
  paid: 'Paid',
  uncollectible: 'Never paid',
  void: 'Void',
  refunded: 'Refunded',
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
export const invoiceStatusWord = (status: InvoiceStatus): string => t(invoiceStatusWords[status] ?? '—');

/** The colour of an invoice's status tag. */
export const invoiceStatusTone = (status: InvoiceStatus): TagTone => invoiceStatusTones[status] ?? 'quiet';

/** An invoice's name, with its number if it has one. */
export function invoiceName({ number }: Pick<InvoiceView, 'number'>): string {
  return number == null ? t('Invoice') : t('Invoice {number}', { number });
}

/** The name of the plan that an invoice is for. */
export function invoicedPlan({ plan }: Pick<InvoiceView, 'plan'>): string {
  return plan && planNames[plan] ? t('Premium, {plan}', { plan: t(planNames[plan]) }) : '—';
}
