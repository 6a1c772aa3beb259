import { randomBytes } from 'node:crypto';
import { type RawBuilder, sql } from 'kysely';
import type { Money, Plan } from '#contract/subscriptions/plan.ts';
import { hashToken, keyedHash } from '#platform/config/secrets.ts';
import { type Db, inTransaction } from '#platform/db/db.ts';
import { addJob } from '#platform/jobs/jobs.ts';
import type { Clock } from '#platform/process/clock.ts';
import { Lost, PaymentError } from '../../server/src/features/subscriptions/providers/provider.ts';
import type { CardRow, Rows, SubscriptionRow } from './tables.ts';

/** The dependencies of the sandbox. */
export interface SandboxParts {
  db: Db;
  clock: Clock;
  prices: Record<Plan, Money>;
  /** The secret that signs its deliveries. */
  webhookSecret: string;
}

/** An unguessable id with a prefix for its kind. */
export const newId = (kind: 'cus' | 'sub' | 'pi' | 'seti' | 'pm' | 'in' | 'evt') =>
  `${kind}_${randomBytes(12).toString('hex')}`;

/** The job that delivers the message of an event, `{eventId}`. */
export const deliveryTask = 'payments.deliver';

/** A running transaction and its time: now, or the time at which something was due. */
export class Step {
  readonly tx: Db;
  readonly prices: SandboxParts['prices'];
  readonly at: Date;

  constructor(tx: Db, prices: SandboxParts['prices'], at: Date) {
    [this.tx, this.prices, this.at] = [tx, prices, at];
  }

  /** The rows of a statement. */
  async all<T>(statement: RawBuilder<T>): Promise<T[]> {
    return (await statement.execute(this.tx)).rows;
  }

  /** The first row of a statement, or undefined. */
  async first<T>(statement: RawBuilder<T>): Promise<T | undefined> {
    return (await this.all(statement))[0];
  }

  /** Adds a row and returns it. */
  async insert<Name extends keyof Rows>(name: Name, row: Partial<Rows[Name]>): Promise<Rows[Name]> {
    const columns = sql.join(Object.keys(row).map((column) => sql.ref(column)));
    const [into, values] = [sql.table(`sandbox.${name}`), sql.join(Object.values(row))];
    return (await this.first(sql`insert into ${into} (${columns}) values (${values}) returning *`)) as Rows[Name];
  }

  /** Changes the row with this id and returns it. */
  async change<Name extends keyof Rows>(name: Name, id: string, to: Partial<Rows[Name]>): Promise<Rows[Name]> {
    const set = sql.join(Object.entries(to).map(([column, value]) => sql`${sql.ref(column)} = ${value}`));
    const table = sql.table(`sandbox.${name}`);
    return (await this.first(sql`update ${table} set ${set} where id = ${id} returning *`)) as Rows[Name];
  }

  /** Records an event, with a type as other providers name it, and delivers it after this transaction commits. */
  async emit(type: string, about: { id: string; customer_id: string; subscription_id: string | null }): Promise<void> {
    const { id: object_id, customer_id, subscription_id } = about;
    const event = { id: newId('evt'), type, created_at: this.at, object_id, customer_id, subscription_id };
    await this.insert('event', event);
    await addJob(this.tx, deliveryTask, { eventId: event.id });
  }

  /** Like `emit`, for an event about a subscription. */
  emitSubscription(what: 'created' | 'updated' | 'deleted', about: SubscriptionRow): Promise<void> {
    return this.emit(`customer.subscription.${what}`, { ...about, subscription_id: about.id });
  }

  /** Locks a customer until the transaction ends; `invalid` if unknown or deleted. Lock customers before subscriptions. */
  async lockCustomer(id: string): Promise<void> {
    // Does not block inserts that reference it.
    const live = sql`select from sandbox.customer where id = ${id} and deleted_at is null for no key update`;
    if ((await this.first(live)) === undefined) throw new Lost('customer');
  }

  /** Like `lockCustomer`, including every subscription that has not ended, and before the cards, as a charge does. */
  async lockWithSubscriptions(id: string): Promise<SubscriptionRow[]> {
    await this.lockCustomer(id);
    return await this.all(
      sql`select * from sandbox.subscription where customer_id = ${id} and due_at is not null order by id for update`,
    );
  }

  /** Locks a subscription until the transaction ends; `invalid` for an unknown one. */
  async lockSubscription(id: string): Promise<SubscriptionRow> {
    const own = sql<SubscriptionRow>`select * from sandbox.subscription where id = ${id} for update`;
    const subscription = await this.first(own);
    if (subscription === undefined) throw new Lost('subscription');
    return subscription;
  }

  /** A customer's stored card, or undefined. */
  keptCard(customerId: string, id: string): Promise<CardRow | undefined> {
    return this.first(sql`select * from sandbox.payment_method where id = ${id} and customer_id = ${customerId}`);
  }

  /** Like `keptCard`, but `invalid` if it is not the customer's. */
  async requireCard(customerId: string, id: string): Promise<CardRow> {
    const card = await this.keptCard(customerId, id);
    if (card === undefined) throw new PaymentError('invalid');
    return card;
  }
}

/** The sandbox's current time: the product's clock plus the offset it was moved by. */
export async function sandboxNow(db: Db, clock: Clock): Promise<Date> {
  const { rows } = await sql<{ ahead_ms: string }>`select ahead_ms from sandbox.clock`.execute(db);
  return new Date(clock.now().getTime() + Number(rows[0]?.ahead_ms));
}

/** Runs `work` in one transaction. */
export const inStep = <T>({ db, clock, prices }: SandboxParts, work: (step: Step) => Promise<T>): Promise<T> =>
  inTransaction(db, async (tx) => work(new Step(tx, prices, await sandboxNow(tx, clock))));

const moment = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;
const withMoments = (_: string, value: unknown) =>
  typeof value === 'string' && moment.test(value) ? new Date(value) : value;

/**
 * Runs `work` in one transaction, once per key: repeated calls, even concurrent ones, get the first call's answer.
 * A key that was used for a different request rejects with `PaymentError` `invalid`; after a refusal it can be used again.
 */
export function underKey<T>(parts: SandboxParts, key: string, wish: object, work: (step: Step) => Promise<T>) {
  const [keyHash, wishHash] = [hashToken(key), keyedHash(key, JSON.stringify(wish))];
  return inStep(parts, async (step) => {
    await step.all(sql`select pg_advisory_xact_lock(${keyHash.readBigInt64BE(0).toString()}::bigint)`);
    type Kept = { wish_hash: Buffer; answer: string };
    const kept = await step.first(sql<Kept>`select * from sandbox.idempotency where key_hash = ${keyHash}`);
    if (kept?.wish_hash.equals(wishHash) === false) throw new PaymentError('invalid');
    if (kept !== undefined) return JSON.parse(kept.answer, withMoments) as T;
    const answer = await work(step);
    await step.all(sql`insert into sandbox.idempotency (key_hash, wish_hash, answer, created_at)
      values (${keyHash}, ${wishHash}, ${JSON.stringify(answer)}, ${step.at})`);
    return answer;
  });
}
