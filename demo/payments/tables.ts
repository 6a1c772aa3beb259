import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { sql } from 'kysely';
import type { SandboxToken } from '#contract/subscriptions/payments-sandbox.ts';
import type { PaymentErrorCode, Plan, SubscriptionStatus } from '#contract/subscriptions/plan.ts';
import type { InvoiceStatus } from '#contract/subscriptions/subscriptions.ts';
import { type Db, inTransaction } from '#platform/db/db.ts';

interface Row {
  id: string;
  customer_id: string;
  created_at: Date;
}

export interface CardRow extends Row {
  token: SandboxToken;
  brand: string;
  last4: string;
  exp_month: number;
  exp_year: number;
  fingerprint: string;
  is_default: boolean;
}

interface Period {
  plan: Plan;
  currency: string;
  period_start: Date;
  period_end: Date;
}

export interface SubscriptionRow extends Row, Period {
  status: Exclude<SubscriptionStatus, 'unpaid' | 'paused'>;
  price_minor: number;
  anchor_at: Date;
  trial_start: Date | null;
  trial_end: Date | null;
  paused_until: Date | null;
  cancel_at_period_end: boolean;
  canceled_at: Date | null;
  payment_method_id: string | null;
  failed_tries: number;
  due_at: Date | null;
}

export interface InvoiceRow extends Row, Period {
  seq: number;
  subscription_id: string;
  purpose: 'start' | 'period' | 'change';
  status: Exclude<InvoiceStatus, 'draft'>;
  total_minor: number;
  credit_minor: number;
  /** The part that was paid back; if all of it was, the status is `refunded`. */
  refunded_minor: number;
  paid_at: Date | null;
  card_brand: string | null;
  card_last4: string | null;
}

export interface IntentRow extends Row {
  kind: 'payment' | 'setup';
  client_secret: string;
  subscription_id: string | null;
  invoice_id: string | null;
  status: 'open' | 'requires_action' | 'succeeded' | 'canceled';
  declined: PaymentErrorCode | null;
  asked_about: string | null;
  payment_method_id: string | null;
}

export interface EventRow extends Row {
  type: string;
  object_id: string;
  subscription_id: string | null;
}

export interface Rows {
  payment_method: CardRow;
  subscription: SubscriptionRow;
  invoice: InvoiceRow;
  intent: IntentRow;
  event: EventRow;
}

const tables = readFileSync(join(import.meta.dirname, 'tables.sql'), 'utf8');
/** Any number that nothing else in the product locks. */
const advisoryLock = 4_073_211_511;

/** Creates the sandbox's tables in the product's database unless they are there. */
export async function createSandboxTables(db: Db): Promise<void> {
  await inTransaction(db, async (tx) => {
    await sql`select pg_advisory_xact_lock(${advisoryLock})`.execute(tx);
    const { rows } = await sql`select where to_regclass('sandbox.idempotency') is not null`.execute(tx);
    if (rows.length === 0) await sql.raw(tables).execute(tx);
  });
}
