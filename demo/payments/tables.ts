import type { ColumnType, Generated, GeneratedAlways, Selectable } from 'kysely';
import type { PaymentErrorCode, Plan, SubscriptionStatus } from '#contract/subscriptions/plan.ts';
import type { SandboxToken } from '#contract/subscriptions/payments-sandbox.ts';
import type { InvoiceStatus } from '#contract/subscriptions/subscriptions.ts';

type Moment = ColumnType<Date, Date, Date>;
type LaterMoment = ColumnType<Date | null, Date | null | undefined, Date | null>;

interface CustomerTable {
  id: string;
  account_id: string | null;
  email: string | null;
  name: string | null;
  created_at: Moment;
  deleted_at: LaterMoment;
}

interface PaymentMethodTable {
  id: string;
  customer_id: string;
  token: SandboxToken;
  brand: string;
  last4: string;
  exp_month: number;
  exp_year: number;
  fingerprint: string;
  is_default: Generated<boolean>;
  created_at: Moment;
}

interface SubscriptionTable {
  id: string;
  customer_id: string;
  status: Exclude<SubscriptionStatus, 'unpaid' | 'paused'>;
  plan: Plan;
  price_minor: number;
  currency: string;
  created_at: Moment;
  anchor_at: Moment;
  period_start: Moment;
  period_end: Moment;
  trial_start: LaterMoment;
  trial_end: LaterMoment;
  /** Nothing is charged between `period_end` and then. */
  paused_until: LaterMoment;
  cancel_at_period_end: Generated<boolean>;
  canceled_at: LaterMoment;
  payment_method_id: string | null;
  failed_tries: Generated<number>;
  due_at: LaterMoment;
}

interface InvoiceTable {
  id: string;
  seq: GeneratedAlways<number>;
  customer_id: string;
  subscription_id: string;
  purpose: 'start' | 'period' | 'change';
  status: Exclude<InvoiceStatus, 'draft'>;
  plan: Plan;
  total_minor: number;
  currency: string;
  created_at: Moment;
  period_start: Moment;
  period_end: Moment;
  paid_at: LaterMoment;
  credit_minor: Generated<number>;
  card_brand: string | null;
  card_last4: string | null;
}

interface IntentTable {
  id: string;
  seq: GeneratedAlways<number>;
  kind: 'payment' | 'setup';
  client_secret: string;
  customer_id: string;
  subscription_id: string | null;
  invoice_id: string | null;
  status: 'open' | 'requires_action' | 'succeeded' | 'canceled';
  declined: PaymentErrorCode | null;
  asked_about: string | null;
  payment_method_id: string | null;
  created_at: Moment;
}

interface EventTable {
  id: string;
  seq: GeneratedAlways<number>;
  type: string;
  created_at: Moment;
  object_id: string;
  customer_id: string;
  subscription_id: string | null;
  delivered_at: LaterMoment;
}

export type CardRow = Selectable<PaymentMethodTable>;
export type SubscriptionRow = Selectable<SubscriptionTable>;
export type InvoiceRow = Selectable<InvoiceTable>;
export type IntentRow = Selectable<IntentTable>;
export type EventRow = Selectable<EventTable>;

declare module '../../server/src/platform/db/schema.ts' {
  interface Database {
    // The tables of the payment sandbox, as part of the database.
    'sandbox.clock': { ahead_ms: string };
    'sandbox.customer': CustomerTable;
    'sandbox.payment_method': PaymentMethodTable;
    'sandbox.subscription': SubscriptionTable;
    'sandbox.invoice': InvoiceTable;
    'sandbox.intent': IntentTable;
    'sandbox.event': EventTable;
    'sandbox.idempotency': { key_hash: Buffer; wish_hash: Buffer; answer: string; created_at: Moment };
  }
}
