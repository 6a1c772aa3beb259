import type { PaymentErrorCode, Plan, SubscriptionStatus, Money } from '#contract/subscriptions/plan.ts';
import type { InvoiceStatus } from '#contract/subscriptions/subscriptions.ts';

/** A subscription as its provider has it now. */
export interface ProviderSubscription {
  id: string;
  customerId: string;
  /** A trial whose card was never given is `incomplete`, whatever the provider calls it. */
  status: SubscriptionStatus;
  plan: Plan;
  price: Money;
  /** The period the provider is in, paid or not. */
  currentPeriodStart: Date;
  currentPeriodEnd: Date;
  /** The end of the last period that was paid for and not given back, or of the trial; null when nothing ever was. */
  paidThrough: Date | null;
  /** Until when a renewal that is due and not yet tried may take; null when none is under way. */
  renewalOpenUntil: Date | null;
  cancelAtPeriodEnd: boolean;
  canceledAt: Date | null;
  trialStart: Date | null;
  trialEnd: Date | null;
  createdAt: Date;
  /** The payment or setup that the payer has been asked for last. */
  latestIntentId: string | null;
  /** Knows the card that pays again, on another account too; null without a card. */
  cardFingerprint: string | null;
}

/** A started payment. `requiresAction`: the payer has to finish it with `clientSecret`. */
export interface PaymentStart {
  subscription: ProviderSubscription;
  clientSecret: string | null;
  secretKind: 'payment' | 'setup' | null;
  requiresAction: boolean;
  intentId: string | null;
}

/** One attempt to take money (or only to keep a card). */
export interface ProviderIntent {
  id: string;
  kind: 'payment' | 'setup';
  customerId: string;
  status: 'open' | 'requires_action' | 'processing' | 'succeeded' | 'canceled';
  /** Why the last try failed; null before any, and once it worked. */
  declined: PaymentErrorCode | null;
  paymentMethodId: string | null;
}

export interface ProviderPaymentMethod {
  id: string;
  brand: string;
  last4: string;
  expMonth: number;
  expYear: number;
  isDefault: boolean;
}

export interface ProviderInvoice {
  id: string;
  subscriptionId: string | null;
  number: string | null;
  status: InvoiceStatus;
  plan: Plan | null;
  total: Money;
  /** What coupons of the provider took off, in minor units; part of what was asked for. */
  discountMinor: number;
  createdAt: Date;
  periodStart: Date;
  periodEnd: Date;
  paidAt: Date | null;
  hostedUrl: string | null;
}

/** Something changed at the provider; what changed is requested separately. */
export interface ProviderEvent {
  id: string;
  type: string;
  createdAt: Date;
  /** What it is about: a subscription, an invoice, an intent … */
  objectId: string | null;
  subscriptionId: string | null;
  customerId: string | null;
  /** The payment it is about, where it names nothing else: a dispute does. */
  chargeId: string | null;
}

/**
 * Who takes the money. Commands carry a key under which a second one has no second effect and gets the first one's answer;
 * what is not there rejects with `PaymentError` `invalid`, a provider that does not answer with `unavailable`.
 */
export interface PaymentProvider {
  readonly name: 'sandbox' | 'stripe';
  /** The provider's present, by which its periods end. */
  now(): Promise<Date>;
  /** The customer of an account, made under `key` where there is none. */
  ensureCustomer(person: { accountId: string; email: string; name: string | null }, key: string): Promise<string>;
  /** A subscription that is `incomplete` until its first payment (with a trial: its card) is there. */
  createSubscription(
    wish: { customerId: string; plan: Plan; trialDays: number; paymentMethodId: string | null },
    key: string,
  ): Promise<PaymentStart>;
  /** The unfinished payment of a subscription, under the secret it has had all along. */
  openPayment(subscriptionId: string): Promise<PaymentStart>;
  getSubscription(id: string): Promise<ProviderSubscription>;
  getIntent(id: string): Promise<ProviderIntent>;
  /** Whose payment it is; null for no customer's. */
  customerOfCharge(chargeId: string): Promise<string | null>;
  /** What a change to a longer plan costs at this moment. */
  previewChange(change: { customerId: string; subscriptionId: string; plan: Plan }): Promise<Money>;
  /**
   * Changes the plan at once and begins a new period. With `prorate` what was not used of the old one is set against the new
   * price, the difference is taken now, and the old plan stays if it cannot be; without, the full price is taken.
   */
  changePlan(change: { subscriptionId: string; plan: Plan; prorate: boolean }, key: string): Promise<PaymentStart>;
  setCancelAtPeriodEnd(subscriptionId: string, atPeriodEnd: boolean): Promise<void>;
  cancelNow(subscriptionId: string): Promise<void>;
  /** Cancels an unpaid subscription with its payment; one that was paid in the meantime stays. */
  giveUp(subscriptionId: string): Promise<void>;
  /** Tries the payment a subscription still owes once more, with the default card; nothing owed is no error. */
  payOpenInvoice(subscriptionId: string): Promise<void>;
  createSetupIntent(customerId: string, key: string): Promise<{ clientSecret: string; setupIntentId: string }>;
  listPaymentMethods(customerId: string): Promise<ProviderPaymentMethod[]>;
  /** Pays with this card from now on: the customer's and every live subscription's default. */
  setDefaultPaymentMethod(customerId: string, paymentMethodId: string): Promise<void>;
  removePaymentMethod(customerId: string, paymentMethodId: string): Promise<void>;
  /** Newest first. */
  listInvoices(
    customerId: string,
    page: { limit: number; startingAfter?: string },
  ): Promise<{ data: ProviderInvoice[]; hasMore: boolean }>;
  /** Ends every subscription at once and forgets who the customer is; again, or an unknown one, is no error. */
  deleteCustomer(customerId: string): Promise<void>;
  /** The event in a delivery; throws `BadSignature` for one that is forged, cut or older than five minutes at `now`. */
  parseWebhook(raw: Buffer, signature: string, now: Date): ProviderEvent;
}

/** Why a provider did not do what it was asked for. */
export class PaymentError extends Error {
  override name = 'PaymentError';
  readonly code: PaymentErrorCode;

  constructor(code: PaymentErrorCode, options?: ErrorOptions) {
    super(`payment ${code}`, options);
    this.code = code;
  }
}

/** A delivery that is not the provider's, or too late to be believed. */
export class BadSignature extends Error {
  override name = 'BadSignature';
}
