import { randomBytes } from 'node:crypto';
import type { Money, Plan } from '#contract/subscriptions/plan.ts';
import { type Clock, secondsAfter } from '../../server/src/platform/process/clock.ts';
import { type Db, inTransaction } from '../../server/src/platform/db/db.ts';
import {
  PaymentError,
  type PaymentProvider,
  type ProviderIntent,
} from '../../server/src/features/subscriptions/providers/provider.ts';
import { sql } from 'kysely';
import { hashToken, keyedHash } from '../../server/src/platform/config/secrets.ts';

/** The dependencies of the sandbox. */
export interface SandboxParts {
  db: Db;
  clock: Clock;
  prices: Record<Plan, Money>;
  /** The secret that signs its deliveries. */
  webhookSecret: string;
}

type IdKind = 'cus' | 'sub' | 'pi' | 'seti' | 'pm' | 'in' | 'evt';

/** An unguessable id with a prefix for what it names. */
export function newId(kind: IdKind): string {
  return `${kind}_${randomBytes(12).toString('hex')}`;
}

/** What a payer does with an intent: pay with a test token or a stored card, or answer the bank. */
export type IntentAnswer = { token: string } | { challenge: 'approve' | 'refuse' };

/** A signed message to the webhook. */
export interface Delivery {
  raw: string;
  signature: string;
}

/**
 * The provider that moves no money, with what real ones have elsewhere: the payer's browser, a clock, refunds and
 * deliveries.
 */
export interface PaymentSandbox extends PaymentProvider {
  readonly name: 'sandbox';
  /** The state of the intent afterwards; null for an unknown intent or a wrong secret. A refused card rejects with `PaymentError`. */
  answerIntent(id: string, clientSecret: string, answer: IntentAnswer): Promise<ProviderIntent['status'] | null>;
  /** When the next automatic event is due: a renewal, a retry, the end of a trial, cancelled period or abandoned payment. */
  nextDue(): Promise<Date | null>;
  /** Moves the clock forward and does nothing else; false for a time in the past. */
  moveClock(to: Date): Promise<boolean>;
  /** Processes everything that is due; safe to call from several processes at once. */
  tick(): Promise<void>;
  /** Refunds a paid invoice; false if there is nothing to refund. */
  refund(invoiceId: string): Promise<boolean>;
  /** The message of an event, signed now; null once delivered. Each event enqueues a job `payments.deliver` `{eventId}`. */
  delivery(eventId: string): Promise<Delivery | null>;
  delivered(eventId: string): Promise<void>;
}

/** The sandbox's current time: the product's clock plus the offset it was moved by. */
export async function sandboxNow(db: Db, clock: Clock): Promise<Date> {
  const { ahead_ms } = await db.selectFrom('sandbox.clock').select('ahead_ms').executeTakeFirstOrThrow();
  return new Date(clock.now().getTime() + Number(ahead_ms));
}

/** Moves the sandbox's clock to `to`; returns false and changes nothing for a time in the past. */
export async function moveSandboxClock(db: Db, clock: Clock, to: Date): Promise<boolean> {
  const aheadMs = String(to.getTime() - clock.now().getTime());
  const moved = await db
    .updateTable('sandbox.clock')
    .set({ ahead_ms: aheadMs })
    .where('ahead_ms', '<=', aheadMs)
    .returning('ahead_ms')
    .executeTakeFirst();
  return moved !== undefined;
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
  { db, clock }: SandboxParts,
  key: string,
  wish: object,
  work: (tx: Db, now: Date) => Promise<T>,
): Promise<T> {
  const keyHash = hashToken(key);
  const wishHash = keyedHash(key, JSON.stringify(wish));
  return inTransaction(db, async (tx) => {
    await sql`select pg_advisory_xact_lock(${keyHash.readBigInt64BE(0).toString()}::bigint)`.execute(tx);
    const kept = await tx
      .selectFrom('sandbox.idempotency')
      .selectAll()
      .where('key_hash', '=', keyHash)
      .executeTakeFirst();
    if (kept !== undefined) {
      if (!kept.wish_hash.equals(wishHash)) throw new PaymentError('invalid');
      return JSON.parse(kept.answer, withMoments) as T;
    }
    const now = await sandboxNow(tx, clock);
    const answer = await work(tx, now);
    await tx
      .insertInto('sandbox.idempotency')
      .values({ key_hash: keyHash, wish_hash: wishHash, answer: JSON.stringify(answer), created_at: now })
      .execute();
    return answer;
  });
}

/** Deletes expired keys. */
export async function forgetKeys(db: Db, now: Date): Promise<void> {
  await db
    .deleteFrom('sandbox.idempotency')
    .where('created_at', '<=', secondsAfter(now, -keptHours * 3600))
    .execute();
}
