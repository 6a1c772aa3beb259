import { createHash } from 'node:crypto';
import { sql } from 'kysely';
import { idempotencyHours } from '#contract/constants.ts';
import { AppError, invalid } from './app-error.ts';
import { secondsAfter } from '../process/clock.ts';
import { inTransaction, type Db } from '../db/db.ts';
import { hashToken, keyedHash, seal, unseal } from '../config/secrets.ts';

/** A creating request with its key. The key itself is never stored: it decrypts the stored answer. */
export interface IdempotencyKey {
  scope: string;
  key: string;
  body: string;
}

interface KeptAnswer {
  status: number;
  body: unknown;
}

/** The header's value, or null; 400 unless it appears only once and has 8–128 visible characters. */
export function readIdempotencyKey(header: string | string[] | undefined): string | null {
  if (header === undefined) return null;
  if (typeof header !== 'string' || !/^[\x21-\x7e]{8,128}$/.test(header)) {
    throw invalid('Idempotency-Key', 'Use 8 to 128 visible characters');
  }
  return header;
}

/** The answer stored for this key within the last 24 hours, or null. 422 when the key was used with another body. */
export async function keptAnswer(db: Db, request: IdempotencyKey, now: Date): Promise<KeptAnswer | null> {
  const row = await db
    .selectFrom('idempotency')
    .selectAll()
    .where('scope', '=', request.scope)
    .where('key_hash', '=', hashToken(request.key))
    .where('created_at', '>', secondsAfter(now, -idempotencyHours * 3600))
    .executeTakeFirst();
  if (row === undefined) return null;
  if (!row.body_hash.equals(keyedHash(request.key, request.body))) {
    throw new AppError('IDEMPOTENCY_MISMATCH', 'This Idempotency-Key was used with another request');
  }
  if (row.sealed_answer === null) return null;
  return { status: row.status, body: JSON.parse(unseal(request.key + request.scope, row.sealed_answer)) as unknown };
}

/**
 * Runs `work` and stores its answer in one transaction, so that a creating request has at most one effect.
 * A second request with the same key waits for the first and gets its answer. Without a key, `work` still gets a transaction,
 * unless it handles that itself.
 */
export async function once<T>(
  db: Db,
  request: IdempotencyKey | null,
  status: number,
  now: Date,
  work: (tx: Db) => Promise<T>,
  seesToTransaction = false,
): Promise<T> {
  if (request === null) return seesToTransaction ? await work(db) : await inTransaction(db, work);
  return await inTransaction(db, async (tx) => {
    await lockKey(tx, request);
    const kept = await keptAnswer(tx, request, now);
    if (kept !== null) return kept.body as T;
    const body = await work(tx);
    const answer = {
      body_hash: keyedHash(request.key, request.body),
      status,
      sealed_answer: seal(request.key + request.scope, JSON.stringify(body)),
      created_at: now,
    };
    await tx
      .insertInto('idempotency')
      .values({ scope: request.scope, key_hash: hashToken(request.key), ...answer })
      .onConflict((conflict) => conflict.columns(['scope', 'key_hash']).doUpdateSet(answer))
      .execute();
    return body;
  });
}

/**
 * Claims a key before there is an answer, for work that calls external services and so cannot be one transaction. That work
 * must be idempotent itself. From then on, another body with the same key is refused (422).
 */
export async function claimKey(tx: Db, request: IdempotencyKey | null, status: number, now: Date): Promise<void> {
  if (request === null) return;
  await lockKey(tx, request);
  await keptAnswer(tx, request, now);
  const claim = {
    body_hash: keyedHash(request.key, request.body),
    status,
    sealed_answer: null,
    created_at: now,
  };
  await tx
    .insertInto('idempotency')
    .values({ scope: request.scope, key_hash: hashToken(request.key), ...claim })
    .onConflict((conflict) =>
      conflict
        .columns(['scope', 'key_hash'])
        .doUpdateSet(claim)
        .where('idempotency.created_at', '<=', secondsAfter(now, -idempotencyHours * 3600)),
    )
    .execute();
}

async function lockKey(tx: Db, request: IdempotencyKey): Promise<void> {
  const digest = createHash('sha256').update(`${request.scope}\n${request.key}`).digest();
  await sql`select pg_advisory_xact_lock(${digest.readBigInt64BE(0).toString()}::bigint)`.execute(tx);
}
