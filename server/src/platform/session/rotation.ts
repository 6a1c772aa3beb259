import { houseSilenceMinutes, refreshRetryWindowSeconds } from '#contract/constants.ts';
import { sql } from 'kysely';
import type { AccessTokens } from './access-tokens.ts';
import { lifetimes, type TokenPair } from './sessions.ts';
import { hashToken, newToken, seal, unseal } from '../config/secrets.ts';
import { inTransaction, type Db } from '../db/db.ts';
import { unauthenticated } from '../http/app-error.ts';

/** A refresh token that is being used, and what replaces it. */
interface Exchange {
  refreshToken: string;
  hash: Buffer;
  /** The request's idempotency key. */
  retryKey: string | null;
  successor: string;
  now: Date;
}

/** The session that a new access token is for. */
interface Session {
  session_id: string;
  account_id: string;
}

/** The result of a refresh token: its next refresh token and when that was issued, or null if it can't be used. */
type Exchanged = (Session & { refreshToken: string; at: Date }) | null;

/** Exchanges a refresh token once; `retryKey` is the request's idempotency key. */
export type Rotate = (refreshToken: string, retryKey: string | null, now: Date) => Promise<TokenPair>;

type OnReuse = (tx: Db, account: { id: string; email: string }, now: Date) => Promise<void>;

/**
 * Exchanges refresh tokens over `db`. The same token with the same `retryKey` within 30 s gets the same answer again. A
 * used token whose successor was never used counts as a lost answer: its successor is replaced. Any other second use
 * ends the session, because one of the token's two users must have stolen it; `onReuse` notifies the owner. 401 in
 * every refused case.
 */
export function createRotation(db: Db, tokens: AccessTokens, onReuse: OnReuse): Rotate {
  return async (refreshToken, retryKey, now) => {
    const exchange = { refreshToken, hash: hashToken(refreshToken), retryKey, successor: newToken(), now };
    const exchanged = (await exchangeUnused(db, exchange)) ?? (await exchangeUsed(db, exchange, onReuse));
    if (exchanged === null) throw unauthenticated();
    // A repeated request gets the same token, because it is signed with the time of the first one.
    const token = await tokens.sign(exchanged.account_id, exchanged.session_id, exchanged.at);
    return { token, refreshToken: exchanged.refreshToken };
  };
}

/** Only the hash of the key is stored, and the successor can be read only with the key and the token. */
function storedAnswer({ refreshToken, retryKey, successor }: Exchange) {
  return {
    retry_key_hash: retryKey === null ? null : hashToken(retryKey),
    sealed_answer:
      retryKey === null ? null : seal(retryKey + refreshToken, JSON.stringify({ refreshToken: successor })),
    successor_hash: hashToken(successor),
  };
}

const liveAt = (now: Date) =>
  sql<boolean>`a.is_active and a.leaving_since is null and s.expires_at > ${now} and s.idle_expires_at > ${now}`;

/**
 * Uses up an unused token in one statement, so that its successor is stored with it or not at all. The session is
 * locked first, as everywhere its tokens change.
 */
async function exchangeUnused(db: Db, exchange: Exchange): Promise<Exchanged> {
  const { hash, successor, now } = exchange;
  const stored = storedAnswer(exchange);
  const [member, staff] = [lifetimes(false, now), lifetimes(true, now)];
  const { rows } = await sql<Session>`
    with held as materialized (
      select s.id, s.account_id, a.staff_role is not null as is_staff
      from refresh_token t join session s on s.id = t.session_id join account a on a.id = s.account_id
      where t.token_hash = ${hash} and ${liveAt(now)} for no key update of s
    ), used as (
      update refresh_token t set used_at = ${now}, retry_key_hash = ${stored.retry_key_hash}, sealed_answer = ${stored.sealed_answer},
        successor_hash = ${stored.successor_hash}
      from held where t.token_hash = ${hash} and t.used_at is null returning t.session_id
    ), continued as (
      update session s set last_used_at = ${now},
        -- A session by the house's account ends an hour after its provider last confirmed it.
        idle_expires_at = least(s.house_confirmed_at + make_interval(mins => ${houseSilenceMinutes}),
          case when held.is_staff then ${staff.idleUntil}::timestamptz else ${member.idleUntil}::timestamptz end)
      from held join used on used.session_id = held.id where s.id = held.id
    ), issued as (
      insert into refresh_token (token_hash, session_id, issued_at) select ${stored.successor_hash}::bytea, session_id, ${now}::timestamptz from used
    )
    select held.id as session_id, held.account_id from held join used on used.session_id = held.id`.execute(db);
  const [session] = rows;
  return session === undefined ? null : { ...session, refreshToken: successor, at: now };
}

/** Handles a token that was used before: repeats its answer, replaces a lost answer, or ends the session. */
async function exchangeUsed(db: Db, exchange: Exchange, onReuse: OnReuse): Promise<Exchanged> {
  return await inTransaction(db, async (tx) => {
    const session = await lockSession(tx, exchange);
    if (session === undefined) return null;
    // Read under the lock: of two requests with the same token, the second one must see what the first has stored.
    const used = await tx
      .selectFrom('refresh_token')
      .selectAll()
      .where('token_hash', '=', exchange.hash)
      .executeTakeFirstOrThrow();
    if (used.used_at === null) return null;
    const before = successorFor(exchange, used);
    if (before !== null) return { ...session, refreshToken: before, at: used.used_at };
    const unused = await tx
      .selectFrom('refresh_token')
      .select('token_hash')
      .where('token_hash', '=', used.successor_hash)
      .where('used_at', 'is', null)
      .executeTakeFirst();
    if (unused !== undefined)
      return session.is_live
        ? await replaceSuccessor(tx, exchange, { ...session, unusedHash: unused.token_hash })
        : null;
    await tx.deleteFrom('session').where('id', '=', session.session_id).execute();
    await onReuse(tx, { id: session.account_id, email: session.email }, exchange.now);
    return null;
  });
}

async function lockSession(tx: Db, { hash, now }: Exchange) {
  return await tx
    .selectFrom('refresh_token as t')
    .innerJoin('session as s', 's.id', 't.session_id')
    .innerJoin('account as a', 'a.id', 's.account_id')
    .select(['s.id as session_id', 's.account_id', 'a.email', liveAt(now).as('is_live')])
    .where('t.token_hash', '=', hash)
    .forNoKeyUpdate('s')
    .executeTakeFirst();
}

/** The successor that this token got before, for the same key within 30 s; otherwise null. */
function successorFor(
  { refreshToken, retryKey, now }: Exchange,
  used: { used_at: Date | null; retry_key_hash: Buffer | null; sealed_answer: Buffer | null },
): string | null {
  if (used.used_at === null || used.sealed_answer === null || retryKey === null) return null;
  const isRetry =
    used.retry_key_hash?.equals(hashToken(retryKey)) === true &&
    now.getTime() - used.used_at.getTime() <= refreshRetryWindowSeconds * 1000;
  if (!isRetry) return null;
  return (JSON.parse(unseal(retryKey + refreshToken, used.sealed_answer)) as { refreshToken: string }).refreshToken;
}

/**
 * Issues another successor and uses up the one it replaces. If that one is used nevertheless, the answer was not lost,
 * and the session ends.
 */
async function replaceSuccessor(
  tx: Db,
  exchange: Exchange,
  { unusedHash, ...session }: Session & { unusedHash: Buffer },
): Promise<Exchanged> {
  const { hash, successor, now } = exchange;
  const stored = storedAnswer(exchange);
  const tokens = tx.updateTable('refresh_token').set({ used_at: now });
  await tokens.where('token_hash', '=', unusedHash).execute();
  await tokens.set(stored).where('token_hash', '=', hash).execute();
  await tx
    .insertInto('refresh_token')
    .values({ token_hash: stored.successor_hash, session_id: session.session_id, issued_at: now })
    .execute();
  return { ...session, refreshToken: successor, at: now };
}
