import { msg } from '@lingui/core/runtime-macro';
import { type Selectable, sql } from 'kysely';
import { idempotencyHours } from '#contract/constants.ts';
import { AppError, invalid } from './app-error.ts';
import { secondsAfter } from '../process/clock.ts';
import { inTransaction, type Db } from '../db/db.ts';
import type { Database } from '../db/schema.ts';
import { hashToken, keyedHash, seal, unseal } from '../config/secrets.ts';

/** A create request with its key. The key itself is never stored: it decrypts the stored answer. */
export interface IdempotencyKey {
  scope: string;
  key: string;
  body: string;
  /** The status of the stored answer. */
  status: number;
  /** How long the answer is stored, if less than a day. */
  keptSeconds?: number | undefined;
}

interface KeptAnswer {
  status: number;
  body: unknown;
}

/** The header's value, or null; 400 unless it appears only once and has 8–128 visible characters. */
export function readIdempotencyKey(header: string | string[] | undefined): string | null {
  if (header === undefined) return null;
  if (typeof header !== 'string' || !/^[\x21-\x7e]{8,128}$/.test(header)) {
    throw invalid('Idempotency-Key', msg`Use 8 to 128 visible characters`);
  }
  return header;
}

/** The answer that is stored for this key, for 24 hours unless the request says less; otherwise null. 422 if the key was used with another body. */
export async function keptAnswer(db: Db, request: IdempotencyKey, now: Date): Promise<KeptAnswer | null> {
  const { rows } = await sql<Pick<Selectable<Database['idempotency']>, 'body_hash' | 'status' | 'sealed_answer'>>`
    select body_hash, status, sealed_answer from idempotency
    where scope = ${request.scope} and key_hash = ${hashToken(request.key)} and created_at > ${expiryAt(now)}`.execute(
    db,
  );
  const [row] = rows;
  if (row === undefined) return null;
  if (!row.body_hash.equals(keyedHash(request.key, request.body))) {
    throw new AppError('IDEMPOTENCY_MISMATCH', msg`This Idempotency-Key was used with another request`);
  }
  if (row.sealed_answer === null) return null;
  return { status: row.status, body: JSON.parse(unseal(request.key + request.scope, row.sealed_answer)) as unknown };
}

/**
 * Runs `work` and stores its answer in one transaction, so that a create request takes effect at most once. A second
 * request with the same key waits for the first and gets its answer. Without a key, `work` still runs in a transaction.
 * Refusals are not stored, whether thrown or returned.
 */
export async function once<T>(
  db: Db,
  request: IdempotencyKey | null,
  now: Date,
  work: (tx: Db) => Promise<T>,
): Promise<T> {
  if (request === null) return await inTransaction(db, work);
  return await inTransaction(db, async (tx) => {
    const kept = (await claimed(tx, request, now)) ? null : await keptAnswer(tx, request, now);
    if (kept !== null) return kept.body as T;
    const body = await work(tx);
    if (body instanceof AppError) {
      await release(tx, request);
      return body;
    }
    const sealed = seal(request.key + request.scope, JSON.stringify(body));
    await sql`
      update idempotency set sealed_answer = ${sealed}, status = ${request.status}, created_at = ${keptFrom(request, now)}
      where scope = ${request.scope} and key_hash = ${hashToken(request.key)}`.execute(tx);
    return body;
  });
}

/**
 * Claims the key before running `work` that calls external services and so can't be one transaction. That work must be
 * idempotent itself. During it and after a success, another body with the same key is refused (422).
 */
export async function withKeyClaimed<T>(
  db: Db,
  request: IdempotencyKey | null,
  now: Date,
  work: () => Promise<T>,
): Promise<T> {
  if (request === null) return await work();
  const isFirst = await claimed(db, request, now);
  if (!isFirst) await keptAnswer(db, request, now);
  try {
    return await work();
  } catch (error) {
    if (isFirst) await release(db, request);
    throw error;
  }
}

/**
 * Stores the key without an answer; false if another request already has. Waits for the transaction of a parallel
 * request with the same key, whose claim is removed if it fails.
 */
async function claimed(tx: Db, request: IdempotencyKey, now: Date): Promise<boolean> {
  const { rows } = await sql`
    insert into idempotency as i (scope, key_hash, body_hash, status, sealed_answer, created_at)
    values (${request.scope}, ${hashToken(request.key)}, ${keyedHash(request.key, request.body)}, ${request.status}, null, ${keptFrom(request, now)})
    on conflict (scope, key_hash) do update
      set body_hash = excluded.body_hash, status = excluded.status, sealed_answer = null, created_at = excluded.created_at
      where i.created_at <= ${expiryAt(now)}
    returning scope`.execute(tx);
  return rows.length > 0;
}

/** Frees the key of a refused request. */
async function release(db: Db, request: IdempotencyKey): Promise<void> {
  await sql`
    delete from idempotency
    where scope = ${request.scope} and key_hash = ${hashToken(request.key)} and sealed_answer is null`.execute(db);
}

const daySeconds = idempotencyHours * 3600;
const expiryAt = (now: Date) => secondsAfter(now, -daySeconds);
/** The start of the day that a key is valid for: earlier for an answer that is stored for a shorter time, so that all expire equally. */
const keptFrom = ({ keptSeconds = daySeconds }: IdempotencyKey, now: Date) =>
  secondsAfter(now, keptSeconds - daySeconds);
