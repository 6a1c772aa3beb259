import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type RawBuilder, sql } from 'kysely';
import type { SandboxToken } from '#contract/subscriptions/payments-sandbox.ts';
import type { PaymentErrorCode, Plan, SubscriptionStatus } from '#contract/subscriptions/plan.ts';
import type { InvoiceStatus } from '#contract/subscriptions/subscriptions.ts';
import { type Db, inTransaction } from '../../server/src/platform/db/db.ts';

export interface CardRow {
  id: string;
  customer_id: string;
  token: SandboxToken;
  brand: string;
  last4: string;
  exp_month: number;
  exp_year: number;
  fingerprint: string;
  is_default: boolean;
  created_at: Date;
}

export interface SubscriptionRow {
  id: string;
  customer_id: string;
  status: Exclude<SubscriptionStatus, 'unpaid' | 'paused'>;
  plan: Plan;
  price_minor: number;
  currency: string;
  created_at: Date;
  anchor_at: Date;
  period_start: Date;
  period_end: Date;
  trial_start: Date | null;
  trial_end: Date | null;
  paused_until: Date | null;
  cancel_at_period_end: boolean;
  canceled_at: Date | null;
  payment_method_id: string | null;
  failed_tries: number;
  due_at: Date | null;
}

export interface InvoiceRow {
  id: string;
  seq: number;
  customer_id: string;
  subscription_id: string;
  purpose: 'start' | 'period' | 'change';
  status: Exclude<InvoiceStatus, 'draft'>;
  plan: Plan;
  total_minor: number;
  credit_minor: number;
  currency: string;
  created_at: Date;
  period_start: Date;
  period_end: Date;
  paid_at: Date | null;
  card_brand: string | null;
  card_last4: string | null;
}

export interface IntentRow {
  id: string;
  kind: 'payment' | 'setup';
  client_secret: string;
  customer_id: string;
  subscription_id: string | null;
  invoice_id: string | null;
  status: 'open' | 'requires_action' | 'succeeded' | 'canceled';
  declined: PaymentErrorCode | null;
  asked_about: string | null;
  payment_method_id: string | null;
  created_at: Date;
}

export interface EventRow {
  id: string;
  type: string;
  created_at: Date;
  object_id: string;
  customer_id: string;
  subscription_id: string | null;
}

interface Rows {
  payment_method: CardRow;
  subscription: SubscriptionRow;
  invoice: InvoiceRow;
  intent: IntentRow;
  event: EventRow;
}

/** The rows of a statement. */
export const all = async <T>(db: Db, statement: RawBuilder<T>): Promise<T[]> => (await statement.execute(db)).rows;

/** The first row of a statement, or undefined. */
export const first = async <T>(db: Db, statement: RawBuilder<T>): Promise<T | undefined> =>
  (await statement.execute(db)).rows[0];

const only = async <T>(db: Db, statement: RawBuilder<T>): Promise<T> => {
  const row = await first(db, statement);
  if (row === undefined) throw new Error('a row of the sandbox is missing');
  return row;
};

/** Adds a row and returns it. */
export function insert<Name extends keyof Rows>(db: Db, name: Name, row: Partial<Rows[Name]>): Promise<Rows[Name]> {
  const columns = sql.join(Object.keys(row).map((column) => sql.ref(column)));
  const values = sql.join(Object.values(row));
  return only(db, sql`insert into ${sql.table(`sandbox.${name}`)} (${columns}) values (${values}) returning *`);
}

/** Changes the row with this id and returns it. */
export function change<Name extends keyof Rows>(
  db: Db,
  name: Name,
  id: string,
  changed: Partial<Rows[Name]>,
): Promise<Rows[Name]> {
  const set = sql.join(Object.entries(changed).map(([column, value]) => sql`${sql.ref(column)} = ${value}`));
  return only(db, sql`update ${sql.table(`sandbox.${name}`)} set ${set} where id = ${id} returning *`);
}

const tables = readFileSync(join(import.meta.dirname, 'tables.sql'), 'utf8');
/** Any number that nothing else in the product locks. */
const advisoryLock = 4_073_211_511;

/** Creates the sandbox's tables in the product's database unless they are there. */
export async function createSandboxTables(db: Db): Promise<void> {
  await inTransaction(db, async (tx) => {
    await sql`select pg_advisory_xact_lock(${advisoryLock})`.execute(tx);
    const found = await first(tx, sql<{ has: boolean }>`select to_regclass('sandbox.idempotency') is not null as has`);
    if (found?.has !== true) await sql.raw(tables).execute(tx);
  });
}
