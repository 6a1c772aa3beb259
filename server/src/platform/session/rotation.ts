import { refreshRetryWindowSeconds } from '#contract/constants.ts';
import { sql } from 'kysely';
import type { AccessTokens } from './caller.ts';
import { lifetimes, type TokenPair } from './sessions.ts';
import { hashToken, newToken, seal, unseal } from '../config/secrets.ts';
import { inBatches } from '../db/batches.ts';
import { inTransaction, planHint, type Db } from '../db/db.ts';
import { unauthenticated } from '../http/app-error.ts';

/** A refresh token and its session. */
interface Refreshable {
  session_id: string;
  account_id: string;
  is_staff: boolean;
  is_used: boolean;
  /** Whether the session still runs, for an account that may use it. */
  is_live: boolean;
}

/** A refresh token that is used up, and what replaces it. */
interface Exchange {
  session_id: string;
  hash: Buffer;
  nextHash: Buffer;
  retryKeyHash: Buffer | null;
  sealedAnswer: Buffer | null;
  idleUntil: Date;
  now: Date;
}

/** Exchanges a refresh token, once; `retryKey` is the request's idempotency key. */
export type Rotate = (refreshToken: string, retryKey: string | null, now: Date) => Promise<TokenPair>;

const batching = { atOnce: 1, most: 50 };

/**
 * Exchanges refresh tokens over `db`, in batches while many members come back at once. The same token with the same
 * `retryKey` within 30 s gets the same answer again. Any other second use ends the session, since one of the token's two users
 * must have stolen it; `onReuse` notifies the owner. 401 in every refused case.
 */
export function createRotation(
  db: Db,
  tokens: AccessTokens,
  onReuse: (tx: Db, account: { id: string; email: string }, now: Date) => Promise<void>,
): Rotate {
  const lookUp = inBatches((asked: { hash: Buffer; now: Date }[]) => refreshablesOf(db, asked), batching);
  const exchange = inBatches((exchanges: Exchange[]) => exchangeAll(db, exchanges, true), {
    ...batching,
    keyOf: ({ session_id }) => session_id,
  });

  async function use(asked: Exchange): Promise<boolean> {
    // Locked sessions wait on their own.
    const stored = (await exchange(asked)) ?? (await exchangeAll(db, [asked], false))[0];
    if (stored === undefined) throw unauthenticated();
    return stored;
  }

  return async (refreshToken, retryKey, now) => {
    const hash = hashToken(refreshToken);
    const found = await lookUp({ hash, now });
    if (found === undefined || (!found.is_used && !found.is_live)) throw unauthenticated();
    if (!found.is_used) {
      const pair = { token: await tokens.sign(found.account_id, found.session_id, now), refreshToken: newToken() };
      const sealed = retryKey === null ? null : seal(retryKey + refreshToken, JSON.stringify(pair));
      const asked = {
        session_id: found.session_id,
        hash,
        nextHash: hashToken(pair.refreshToken),
        retryKeyHash: retryKey === null ? null : hashToken(retryKey),
        sealedAnswer: sealed,
        idleUntil: lifetimes(found.is_staff, now).idleUntil,
        now,
      };
      if (await use(asked)) return pair;
    }
    const before = await replay(db, hash, refreshToken, retryKey, now);
    if (before !== null) return before;
    await endStolenSession(db, hash, (tx, account) => onReuse(tx, account, now));
    throw unauthenticated();
  };
}

async function refreshablesOf(db: Db, asked: { hash: Buffer; now: Date }[]): Promise<(Refreshable | undefined)[]> {
  const { rows } = await sql<Refreshable & { place: number }>`/* prepared */
    select asked.place::int, t.session_id, a.id as account_id, a.staff_role is not null as is_staff, t.used_at is not null as is_used,
      a.is_active and a.leaving_since is null and s.expires_at > asked.at and s.idle_expires_at > asked.at as is_live
    from (select * from unnest(${asked.map(({ hash }) => hash)}::bytea[], ${asked.map(({ now }) => now)}::timestamptz[])
        with ordinality as asked (hash, at, place) ${planHint(asked)}) asked
      join refresh_token t on t.token_hash = asked.hash join session s on s.id = t.session_id join account a on a.id = s.account_id`.execute(
    db,
  );
  const found = new Map(rows.map((row) => [row.place, row]));
  return asked.map((_, index) => found.get(index + 1));
}

/**
 * Uses refresh tokens up and stores the next ones, in one statement, so that both happen or neither; at most one per session. False if a
 * token has just been used, undefined if its session has just ended or, with `skipsLocked`, is locked.
 */
async function exchangeAll(db: Db, exchanges: Exchange[], skipsLocked: boolean): Promise<(boolean | undefined)[]> {
  const { rows } = await sql<{ session_id: string; is_stored: boolean }>`/* prepared */
    with asked as materialized (
      select * from unnest(${exchanges.map((one) => one.session_id)}::uuid[], ${exchanges.map((one) => one.hash)}::bytea[],
        ${exchanges.map((one) => one.nextHash)}::bytea[], ${exchanges.map((one) => one.retryKeyHash)}::bytea[],
        ${exchanges.map((one) => one.sealedAnswer)}::bytea[], ${exchanges.map((one) => one.idleUntil)}::timestamptz[],
        ${exchanges.map((one) => one.now)}::timestamptz[]) as asked (session_id, hash, next_hash, retry_key_hash, sealed_answer, idle_until, at)
      ${planHint(exchanges)}
    ), held as materialized (
      select s.id from asked join session s on s.id = asked.session_id for no key update of s ${sql.raw(skipsLocked ? 'skip locked' : '')}
    ), used as (
      update session s set last_used_at = asked.at, idle_expires_at = asked.idle_until
      from asked join held on held.id = asked.session_id where s.id = held.id returning s.id
    ), claimed as (
      update refresh_token t set used_at = asked.at, retry_key_hash = asked.retry_key_hash, sealed_answer = asked.sealed_answer
      from asked join used on used.id = asked.session_id where t.token_hash = asked.hash and t.used_at is null
      returning t.session_id, asked.next_hash, asked.at
    ), stored as (
      insert into refresh_token (token_hash, session_id, issued_at) select next_hash, session_id, at from claimed returning session_id
    )
    select used.id as session_id, exists (select from stored where stored.session_id = used.id) as is_stored from used`.execute(
    db,
  );
  const stored = new Map(rows.map((row) => [row.session_id, row.is_stored]));
  return exchanges.map(({ session_id }) => stored.get(session_id));
}

async function endStolenSession(
  db: Db,
  hash: Buffer,
  onReuse: (tx: Db, account: { id: string; email: string }) => Promise<void>,
): Promise<void> {
  await inTransaction(db, async (tx) => {
    const ended = await tx
      .deleteFrom('session')
      .where('id', 'in', (q) => q.selectFrom('refresh_token').select('session_id').where('token_hash', '=', hash))
      .returning('account_id')
      .executeTakeFirst();
    if (ended === undefined) return;
    await onReuse(
      tx,
      await tx
        .selectFrom('account')
        .select(['id', 'email'])
        .where('id', '=', ended.account_id)
        .executeTakeFirstOrThrow(),
    );
  });
}

/** The answer that this token got before, for the same `retryKey` within 30 s; else null. */
async function replay(
  db: Db,
  hash: Buffer,
  refreshToken: string,
  retryKey: string | null,
  now: Date,
): Promise<TokenPair | null> {
  const used = await db.selectFrom('refresh_token').selectAll().where('token_hash', '=', hash).executeTakeFirst();
  if (used === undefined || used.used_at === null || used.sealed_answer === null || retryKey === null) return null;
  const isRetry =
    used.retry_key_hash?.equals(hashToken(retryKey)) === true &&
    now.getTime() - used.used_at.getTime() <= refreshRetryWindowSeconds * 1000;
  return isRetry ? (JSON.parse(unseal(retryKey + refreshToken, used.sealed_answer)) as TokenPair) : null;
}
