import type { PaymentErrorCode, Plan, SubscriptionStatus, Money } from '#contract/subscriptions/plan.ts';
import type { InvoiceStatus } from '#contract/subscriptions/subscriptions.ts';

/** A subscription as its provider has it now. */
export interface ProviderSubscription {
  id: string;
  customerId: string;
  /** `incomplete` for a trial without a card, whatever the provider calls it. */
  status: SubscriptionStatus;
  plan: Plan;
  price: Money;
  /** The provider's current period, paid or not. */
  currentPeriodStart: Date;
  currentPeriodEnd: Date;
  /** The day of the month on which it renews; in shorter months, it renews on the last day. */
  anchorDay: number;
  /** The end of the last period that was paid for and not refunded, or of the trial; null if there was neither. */
  paidThrough: Date | null;
  /** The deadline of a renewal that is due but not yet tried; null if there is none. */
  renewalOpenUntil: Date | null;
  /**
   * The end of a pause: nothing is charged between the end of the paid period, which stays the current one, and then; null without a pause.
   */
  pausedUntil: Date | null;
  cancelAtPeriodEnd: boolean;
  canceledAt: Date | null;
  trialStart: Date | null;
  trialEnd: Date | null;
  createdAt: Date;
  /** The newest payment or setup requested from the payer. */
  latestIntentId: string | null;
  /** Identifies the card, even on other accounts; null without a card. */
  cardFingerprint: string | null;
}

/** A started payment. With `requiresAction`, the payer has to finish it with `clientSecret`. */
export interface PaymentStart {
  subscription: ProviderSubscription;
  clientSecret: string | null;
  secretKind: 'payment' | 'setup' | null;
  requiresAction: boolean;
  intentId: string | null;
}

/** One attempt to take money, or only to store a card. */
export interface ProviderIntent {
  id: string;
  kind: 'payment' | 'setup';
  customerId: string;
  status: 'open' | 'requires_action' | 'processing' | 'succeeded' | 'canceled';
  /** Why the last attempt failed; null before any attempt and after a success. */
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
  /** The discount from the provider's coupons, in minor units; part of the requested amount. */
  discountMinor: number;
  /** The credit for the unused part of an earlier plan, in minor units; already deducted from the total. */
  creditMinor: number;
  /** How much of it was returned, in minor units. */
  refundedMinor: number;
  /** What paid it; null if nothing did, or if credit covered all of it. */
  card: { brand: string; last4: string } | null;
  createdAt: Date;
  periodStart: Date;
  periodEnd: Date;
  paidAt: Date | null;
  hostedUrl: string | null;
}

/** An event that says that something changed at the provider; the change itself is requested separately. */
export interface ProviderEvent {
  id: string;
  type: string;
  createdAt: Date;
  /** Its subject, such as a subscription, an invoice or an intent. */
  objectId: string | null;
  subscriptionId: string | null;
  customerId: string | null;
  /** The payment it is about, if it names nothing else, as a dispute does. */
  chargeId: string | null;
}

/**
 * Takes the money. Commands carry an idempotency key: repeating one has no second effect and returns the first answer. An unknown object
 * rejects with `PaymentError` `invalid` (an unknown customer or subscription with `Lost`), a provider that does not answer with
 * `unavailable`.
 */
export interface PaymentProvider {
  /** Its name in the tables. */
  readonly name: string;
  /** Whether it is only a test, in which no money moves. */
  readonly isTest: boolean;
  /** The provider's clock, by which its periods end. */
  now(): Promise<Date>;
  /** The customer of an account, created under `key` if there is none. */
  ensureCustomer(person: { accountId: string; email: string; name: string | null }, key: string): Promise<string>;
  /** Creates a subscription that is `incomplete` until its first payment succeeds, or with a trial until its card is stored. */
  createSubscription(
    wish: { customerId: string; plan: Plan; trialDays: number; paymentMethodId: string | null },
    key: string,
  ): Promise<PaymentStart>;
  /** The unfinished payment of a subscription, with its original secret. */
  openPayment(subscriptionId: string): Promise<PaymentStart>;
  getSubscription(id: string): Promise<ProviderSubscription>;
  getIntent(id: string): Promise<ProviderIntent>;
  /** The customer of a payment, or null. */
  customerOfCharge(chargeId: string): Promise<string | null>;
  /** What a change to a longer plan costs now. */
  previewChange(change: { customerId: string; subscriptionId: string; plan: Plan }): Promise<Money>;
  /**
   * Changes the plan immediately and starts a new period. With `prorate`, the unused part of the old plan is deducted from the new price,
   * the difference is charged now, and the old plan stays if that fails. Without it, the full price is charged. A paused subscription
   * starts a new period even with its own plan, at its own price.
   */
  changePlan(change: { subscriptionId: string; plan: Plan; prorate: boolean }, key: string): Promise<PaymentStart>;
  /** Sets whether the subscription ends with the paid period. Canceling removes a pause that hasn't started. */
  setCancelAtPeriodEnd(subscriptionId: string, atPeriodEnd: boolean): Promise<void>;
  /**
   * Charges nothing between the end of the paid period and `until`, when it renews, and then on the same day of each month: on its anchor
   * day, if `until` is that day or the last day of a shorter month. Null makes it renew at the end of the paid period again. Rejects with
   * `invalid` unless it is active, renews, and has paid time left.
   */
  pause(subscriptionId: string, until: Date | null): Promise<void>;
  cancelNow(subscriptionId: string): Promise<void>;
  /** Cancels an unpaid subscription with its payment; one that was paid in the meantime stays. */
  giveUp(subscriptionId: string): Promise<void>;
  /** Tries to pay a subscription's open amount again, with the default card; does nothing if there is none. */
  payOpenInvoice(subscriptionId: string): Promise<void>;
  /**
   * Returns a part of what was paid for an invoice, in minor units. `invalid` for more than is left of it. A repeated key has no second
   * effect, however much later.
   */
  refundPart(wish: { invoiceId: string; amountMinor: number }, key: string): Promise<void>;
  createSetupIntent(customerId: string, key: string): Promise<{ clientSecret: string; setupIntentId: string }>;
  listPaymentMethods(customerId: string): Promise<ProviderPaymentMethod[]>;
  /** Makes this card the default of the customer and of every live subscription. */
  setDefaultPaymentMethod(customerId: string, paymentMethodId: string): Promise<void>;
  removePaymentMethod(customerId: string, paymentMethodId: string): Promise<void>;
  /** The invoices of a subscription, newest first. */
  listInvoices(
    customerId: string,
    page: { limit: number; startingAfter?: string },
  ): Promise<{ data: ProviderInvoice[]; hasMore: boolean }>;
  /** Ends every subscription immediately and deletes the customer's data. Repeating it, or an unknown customer, is not an error. */
  deleteCustomer(customerId: string): Promise<void>;
  /** The event in a delivery. Throws `BadSignature` for a delivery that is forged, truncated or older than five minutes at `now`. */
  parseWebhook(raw: Buffer, signature: string, now: Date): ProviderEvent;
  /** Processes everything that is due, for a provider without servers of its own. Several processes can call it at once. */
  tick?(): Promise<void>;
}

/** Why a provider refused or failed a request. */
export class PaymentError extends Error {
  override name = 'PaymentError';
  readonly code: PaymentErrorCode;

  constructor(code: PaymentErrorCode, options?: ErrorOptions) {
    super(`payment ${code}`, options);
    this.code = code;
  }
}

/** The provider has no such customer or subscription: it was deleted there, or belongs to the account or mode of other keys. */
export class Lost extends PaymentError {
  override name = 'Lost';
  readonly what: 'customer' | 'subscription';

  constructor(what: Lost['what'], options?: ErrorOptions) {
    super('invalid', options);
    this.what = what;
  }
}

/** Whether a call failed because the provider has no such customer or subscription. */
export function isLost(error: unknown, what: Lost['what']): error is Lost {
  return error instanceof Lost && error.what === what;
}

/** A delivery that is not from the provider, or too old to be trusted. */
export class BadSignature extends Error {
  override name = 'BadSignature';
}
