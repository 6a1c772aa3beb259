import { randomBytes } from 'node:crypto';
import { sql } from 'kysely';
import type { Money, Plan } from '#contract/subscriptions/plan.ts';
import { hashToken, keyedHash } from '../../server/src/platform/config/secrets.ts';
import { type Db, inTransaction } from '../../server/src/platform/db/db.ts';
import { type Clock, secondsAfter } from '../../server/src/platform/process/clock.ts';
import { Lost, PaymentError } from '../../server/src/features/subscriptions/providers/provider.ts';
import { all, type CardRow, first, type SubscriptionRow } from './tables.ts';

/** The dependencies of the sandbox. */
export interface SandboxParts {
  db: Db;
  clock: Clock;
  prices: Record<Plan, Money>;
  /** The secret that signs its deliveries. */
  webhookSecret: string;
}

/** A running transaction, and the moment it works for: now, or when something was due. */
export interface Step {
  tx: Db;
  prices: SandboxParts['prices'];
  at: Date;
}

/** An unguessable id with a prefix for what it names. */
export function newId(kind: 'cus' | 'sub' | 'pi' | 'seti' | 'pm' | 'in' | 'evt'): string {
  return `${kind}_${randomBytes(12).toString('hex')}`;
}

/** The sandbox's current time: the product's clock plus the offset it was moved by. */
export async function sandboxNow(db: Db, clock: Clock): Promise<Date> {
  const moved = await first(db, sql<{ ahead_ms: string }>`select ahead_ms from sandbox.clock`);
  return new Date(clock.now().getTime() + Number(moved?.ahead_ms));
}

/** Moves the sandbox's clock to `to`; returns false and changes nothing for a time in the past. */
export async function moveSandboxClock({ db, clock }: SandboxParts, to: Date): Promise<boolean> {
  const ahead = to.getTime() - clock.now().getTime();
  const statement = sql`update sandbox.clock set ahead_ms = ${ahead} where ahead_ms <= ${ahead} returning ahead_ms`;
  return (await first(db, statement)) !== undefined;
}

const keptHours = 24;
const moment = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;
const withMoments = (_: string, value: unknown) =>
  typeof value === 'string' && moment.test(value) ? new Date(value) : value;

/**
 * Runs `work` in one transaction, once per key: repeated calls, even concurrent ones, get the first call's answer.
 * A key that was used for a different request rejects with `PaymentError` `invalid`; after a refusal it can be used again.
 */
export function underKey<T>(
  { db, clock, prices }: SandboxParts,
  key: string,
  wish: object,
  work: (step: Step) => Promise<T>,
): Promise<T> {
  const [keyHash, wishHash] = [hashToken(key), keyedHash(key, JSON.stringify(wish))];
  return inTransaction(db, async (tx) => {
    await sql`select pg_advisory_xact_lock(${keyHash.readBigInt64BE(0).toString()}::bigint)`.execute(tx);
    const kept = await first(
      tx,
      sql<{ wish_hash: Buffer; answer: string }>`select * from sandbox.idempotency where key_hash = ${keyHash}`,
    );
    if (kept?.wish_hash.equals(wishHash) === false) throw new PaymentError('invalid');
    if (kept !== undefined) return JSON.parse(kept.answer, withMoments) as T;
    const at = await sandboxNow(tx, clock);
    const answer = await work({ tx, prices, at });
    await sql`insert into sandbox.idempotency (key_hash, wish_hash, answer, created_at)
      values (${keyHash}, ${wishHash}, ${JSON.stringify(answer)}, ${at})`.execute(tx);
    return answer;
  });
}

/** Deletes expired keys. */
export async function forgetKeys(db: Db, now: Date): Promise<void> {
  await sql`delete from sandbox.idempotency where created_at <= ${secondsAfter(now, -keptHours * 3600)}`.execute(db);
}

/** Locks a customer until the transaction ends; `invalid` if unknown or deleted. Lock customers before subscriptions. */
export async function lockCustomer(tx: Db, id: string): Promise<void> {
  // Does not block inserts that reference it.
  const live = sql`select from sandbox.customer where id = ${id} and deleted_at is null for no key update`;
  if ((await first(tx, live)) === undefined) throw new Lost('customer');
}

/** Locks a subscription until the transaction ends; `invalid` for an unknown one. */
export async function lockSubscription(tx: Db, id: string): Promise<SubscriptionRow> {
  const own = sql<SubscriptionRow>`select * from sandbox.subscription where id = ${id} for update`;
  const subscription = await first(tx, own);
  if (subscription === undefined) throw new Lost('subscription');
  return subscription;
}

/** Runs `work` in one transaction in which a subscription is locked. */
export function onSubscription<T>(
  { db, clock, prices }: SandboxParts,
  id: string,
  work: (step: Step, subscription: SubscriptionRow) => Promise<T>,
): Promise<T> {
  return inTransaction(db, async (tx) => {
    const subscription = await lockSubscription(tx, id);
    return await work({ tx, prices, at: await sandboxNow(tx, clock) }, subscription);
  });
}

/**
 * Runs `work` in one transaction in which a customer and every subscription of theirs that has not ended are locked: a charge locks the
 * subscription before the card.
 */
export function onCustomer<T>(
  { db, clock, prices }: SandboxParts,
  id: string,
  work: (step: Step, subscriptions: SubscriptionRow[]) => Promise<T>,
): Promise<T> {
  return inTransaction(db, async (tx) => {
    await lockCustomer(tx, id);
    const live = sql<SubscriptionRow>`select * from sandbox.subscription
      where customer_id = ${id} and due_at is not null order by id for update`;
    const subscriptions = await all(tx, live);
    return await work({ tx, prices, at: await sandboxNow(tx, clock) }, subscriptions);
  });
}

/** A customer's stored card, or undefined. */
export const keptCard = (db: Db, customerId: string, id: string): Promise<CardRow | undefined> =>
  first(db, sql`select * from sandbox.payment_method where id = ${id} and customer_id = ${customerId}`);
