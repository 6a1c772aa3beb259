import type { ColumnType, Generated } from 'kysely';
import type { Plan, SubscriptionStatus } from '#contract/subscriptions/plan.ts';
import type { InvoiceStatus } from '#contract/subscriptions/subscriptions.ts';
import type { Seller } from '#platform/config/payments.ts';
import type { Moment } from '#platform/db/schema.ts';
import type { Refund } from './refunds/policy.ts';

export interface SubscriptionTable {
  id: Generated<string>;
  account_id: string;
  provider: string;
  provider_id: string | null;
  plan: Plan;
  pending_plan: Plan | null;
  status: SubscriptionStatus;
  /** The price of a period when it was requested, never what the provider reports. */
  price_minor: number;
  currency: string;
  /** What a change to a plan was to charge immediately, in minor units. */
  asked_changes: ColumnType<Partial<Record<Plan, number>>, string | undefined, string>;
  trial_days: Generated<number>;
  period_start: Moment | null;
  /** The day of the month on which it renews; null until it is read again. */
  anchor_day: ColumnType<number | null, number | undefined, number>;
  /** The end of the paid time or the free trial. */
  paid_through: Moment | null;
  /** From then on nothing is granted, because the rest is paid back. */
  refunded_from: ColumnType<Date | null, Date | null | undefined, Date | null>;
  renewal_open_until: Moment | null;
  /** Nothing is charged until then; null if it isn't paused. */
  paused_until: Moment | null;
  reminded_of: Moment | null;
  cancel_at_period_end: Generated<boolean>;
  canceled_at: Moment | null;
  ended_at: Moment | null;
  trial_start: Moment | null;
  trial_end: Moment | null;
  ever_paid: Generated<boolean>;
  /** Whether its buyer may withdraw from it, by their country when they bought it. */
  withdrawable: Generated<boolean>;
  /** The plans that the buyer asked to start at once, so that days used before a withdrawal are paid for. */
  starts_now: Generated<Plan[]>;
  /** A keyed digest of the card that pays. */
  card_hash: ColumnType<Buffer | null, Buffer | null | undefined, Buffer | null>;
  sync_ticket: Generated<string>;
  change_count: Generated<number>;
  created_at: Moment;
  updated_at: Moment;
}

/** What a receipt states besides the payment, as it was when the payment was made. */
export interface ReceiptFacts {
  seller: Seller;
  card: { brand: string; last4: string } | null;
  /** The credit for the unused part of an earlier plan, in minor units. */
  creditMinor: number;
  discountMinor: number;
}

export interface InvoiceTable {
  id: string;
  account_id: string | null;
  subscription_id: string | null;
  provider: string;
  number: string | null;
  status: InvoiceStatus;
  plan: Plan | null;
  total_minor: number;
  currency: string;
  created_at: Moment;
  period_start: Moment;
  period_end: Moment;
  paid_at: Moment | null;
  hosted_url: string | null;
  /** Written with the first payment and never changed; null before, and for payments from before receipts existed. */
  receipt: ColumnType<ReceiptFacts | null, string | null | undefined, string | null>;
  refunded_minor: Generated<number>;
  /** When we learned of the first refund. */
  refunded_at: Moment | null;
  is_as_asked: Generated<boolean>;
}

declare module '#platform/db/schema.ts' {
  interface Database {
    payment_customer: {
      account_id: string;
      provider: string;
      customer_id: string;
      /** Earlier customers of the account, which the provider no longer knew. */
      former_ids: Generated<string[]>;
      created_at: Moment;
    };
    subscription: SubscriptionTable;
    invoice: InvoiceTable;
    trial_card: { card_hash: Buffer; account_id: string | null; tried_at: Moment };
    provider_event: {
      id: string;
      type: string;
      subscription_id: string | null;
      customer_id: string | null;
      created_at: Moment;
      received_at: Moment;
      // The setup whose card is to be kept; null once it is.
      setup_intent_id: string | null;
    };
    customer_cleanup: { customer_id: string; provider: string; since: Generated<Date> };
    premium_credit: { account_id: string; starts_at: Moment; ms: ColumnType<string, number, number> };
    entitlement: { account_id: string; until: Moment };
    premium_grant: {
      id: Generated<string>;
      account_id: string;
      days: number;
      starts_at: Moment;
      ends_at: Moment;
      reason: string;
      granted_by_name: string;
      granted_at: Moment;
      revoked_at: ColumnType<Date | null, undefined, Date>;
    };
    premium_refund: {
      id: Generated<string>;
      // Null once the account is deleted.
      subscription_id: string | null;
      account_id: string | null;
      days: number;
      amount_minor: number;
      currency: string;
      started_at: Moment;
      provider_subscription: string | null;
      parts: ColumnType<Refund['parts'], string | undefined, never>;
      paid_at: ColumnType<Date | null, undefined, Date>;
      is_withdrawal: Generated<boolean>;
    };
  }
}
