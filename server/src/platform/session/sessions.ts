import {
  memberSessionIdleDays,
  memberSessionMaxDays,
  refreshRetryWindowSeconds,
  staffSessionIdleMinutes,
  staffSessionMaxHours,
} from '#contract/constants.ts';
import { sql } from 'kysely';
import type { AccessTokens } from './caller.ts';
import { unauthenticated } from '../http/app-error.ts';
import { secondsAfter } from '../process/clock.ts';
import { inTransaction, type Db } from '../db/db.ts';
import { hashToken, newToken, seal, unseal } from '../config/secrets.ts';

/** The tokens a device receives when it signs in or refreshes. */
export interface TokenPair {
  token: string;
  refreshToken: string;
}

export interface Device {
  /** Browser and operating system as readable text. */
  name: string;
  network: string | null;
}

const day = 86_400;

function lifetimes(isStaff: boolean, now: Date): { idleUntil: Date; until: Date } {
  return isStaff
    ? {
        idleUntil: secondsAfter(now, staffSessionIdleMinutes * 60),
        until: secondsAfter(now, staffSessionMaxHours * 3600),
      }
    : {
        idleUntil: secondsAfter(now, memberSessionIdleDays * day),
        until: secondsAfter(now, memberSessionMaxDays * day),
      };
}

/** Opens a session on `device`; returns its id and first pair of tokens. */
export async function openSession(
  tx: Db,
  tokens: AccessTokens,
  account: { id: string; isStaff: boolean },
  device: Device,
  now: Date,
  secondFactor = false,
): Promise<TokenPair & { sessionId: string }> {
  const { idleUntil, until } = lifetimes(account.isStaff, now);
  const refreshToken = newToken();
  const { rows } = await sql<{ id: string }>`/* prepared */
    with opened as (
      insert into session (account_id, created_at, last_used_at, idle_expires_at, expires_at, device, network, second_factor)
      values (${account.id}, ${now}, ${now}, ${idleUntil}, ${until}, ${device.name}, ${device.network}, ${secondFactor}) returning id
    )
    insert into refresh_token (token_hash, session_id, issued_at) select ${hashToken(refreshToken)}::bytea, id, ${now}::timestamptz from opened
    returning session_id as id`.execute(tx);
  const [session] = rows;
  if (session === undefined) throw new Error('no session was opened');
  return { sessionId: session.id, token: await tokens.sign(account.id, session.id, now), refreshToken };
}

async function issuePair(
  tx: Db,
  tokens: AccessTokens,
  accountId: string,
  sessionId: string,
  now: Date,
): Promise<TokenPair> {
  const refreshToken = newToken();
  await tx
    .insertInto('refresh_token')
    .values({
      token_hash: hashToken(refreshToken),
      session_id: sessionId,
      issued_at: now,
      used_at: null,
      retry_key_hash: null,
      sealed_answer: null,
    })
    .execute();
  return { token: await tokens.sign(accountId, sessionId, now), refreshToken };
}

/** A refresh token and its session. */
interface Refreshable {
  session_id: string;
  account_id: string;
  is_staff: boolean;
  is_used: boolean;
  /** Whether the session still runs, for an account that may use it. */
  is_live: boolean;
}

/**
 * Exchanges a refresh token, once. The same token with the same `retryKey` within 30 s gets the same answer again. Any
 * other second use ends the session, since one of the token's two users must have stolen it; `onReuse` notifies the
 * owner. 401 in every refused case.
 */
export async function rotateSession(
  db: Db,
  tokens: AccessTokens,
  refreshToken: string,
  retryKey: string | null,
  now: Date,
  onReuse: (tx: Db, account: { id: string; email: string }) => Promise<void>,
): Promise<TokenPair> {
  const hash = hashToken(refreshToken);
  const { rows } = await sql<Refreshable>`/* prepared */
    select t.session_id, a.id as account_id, a.staff_role is not null as is_staff, t.used_at is not null as is_used,
      a.is_active and a.leaving_since is null and s.expires_at > ${now} and s.idle_expires_at > ${now} as is_live
    from refresh_token t join session s on s.id = t.session_id join account a on a.id = s.account_id
    where t.token_hash = ${hash}`.execute(db);
  const [found] = rows;
  if (found === undefined || (!found.is_used && !found.is_live)) throw unauthenticated();
  if (!found.is_used) {
    const pair = { token: await tokens.sign(found.account_id, found.session_id, now), refreshToken: newToken() };
    if (await exchange(db, { hash, refreshToken, retryKey }, found, pair, now)) return pair;
  }
  const before = await replay(db, hash, refreshToken, retryKey, now);
  if (before !== null) return before;
  await endStolenSession(db, hash, onReuse);
  throw unauthenticated();
}

/**
 * Uses a refresh token up and stores the next one, in one statement, so that both happen or neither. False if the token has just
 * been used; 401 if its session has just ended.
 */
async function exchange(
  db: Db,
  { hash, refreshToken, retryKey }: { hash: Buffer; refreshToken: string; retryKey: string | null },
  { session_id, is_staff }: Refreshable,
  pair: TokenPair,
  now: Date,
): Promise<boolean> {
  const sealed = retryKey === null ? null : seal(retryKey + refreshToken, JSON.stringify(pair));
  const { rows } = await sql<{ stored: number }>`/* prepared */
    with used as (
      update session set last_used_at = ${now}, idle_expires_at = ${lifetimes(is_staff, now).idleUntil}
      where id = ${session_id} returning id
    ), claimed as (
      update refresh_token t
      set used_at = ${now}, retry_key_hash = ${retryKey === null ? null : hashToken(retryKey)}, sealed_answer = ${sealed}
      from used where t.token_hash = ${hash} and t.used_at is null returning t.session_id
    ), stored as (
      insert into refresh_token (token_hash, session_id, issued_at)
      select ${hashToken(pair.refreshToken)}::bytea, session_id, ${now}::timestamptz from claimed returning 1
    )
    select (select count(*)::int from stored) as stored from used`.execute(db);
  const [session] = rows;
  if (session === undefined) throw unauthenticated();
  return session.stored === 1;
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

/** Ends all sessions of an account, or all but `exceptSessionId`; returns how many. */
export async function endSessions(db: Db, accountId: string, exceptSessionId: string | null = null): Promise<number> {
  let query = db.deleteFrom('session').where('account_id', '=', accountId);
  if (exceptSessionId !== null) query = query.where('id', '!=', exceptSessionId);
  return (await query.returning('id').execute()).length;
}

/**
 * Marks a session as confirmed by a second factor. The first time, it gets a new id and new tokens, which this
 * returns, so that copies of the old tokens become worthless. 401 if the session has just ended.
 */
export async function raiseSession(
  tx: Db,
  tokens: AccessTokens,
  sessionId: string,
  now: Date,
): Promise<Partial<TokenPair>> {
  const before = await tx
    .selectFrom('session')
    .select('second_factor')
    .where('id', '=', sessionId)
    .forUpdate()
    .executeTakeFirst();
  if (before === undefined) throw unauthenticated();
  if (before.second_factor) return {};
  return await renewSession(tx, tokens, sessionId, { second_factor: true }, now);
}

/** Gives a session whose privilege was raised a new id and new tokens, which end its earlier ones; 401 when it has just ended. */
export async function renewSession(
  tx: Db,
  tokens: AccessTokens,
  sessionId: string,
  raised: { second_factor: true } | { confirmed_at: Date },
  now: Date,
): Promise<TokenPair> {
  await tx.deleteFrom('refresh_token').where('session_id', '=', sessionId).execute();
  const renewed = await tx
    .updateTable('session')
    .set({ id: sql<string>`gen_random_uuid()`, last_used_at: now, ...raised })
    .where('id', '=', sessionId)
    .returning(['id', 'account_id'])
    .executeTakeFirst();
  if (renewed === undefined) throw unauthenticated();
  return await issuePair(tx, tokens, renewed.account_id, renewed.id, now);
}

const browsers: [RegExp, string][] = [
  [/Edg(?:e|A|iOS)?\//, 'Edge'],
  [/OPR\//, 'Opera'],
  [/Firefox\/|FxiOS\//, 'Firefox'],
  [/Chrome\/|CriOS\//, 'Chrome'],
  [/Safari\//, 'Safari'],
];
const systems: [RegExp, string][] = [
  [/iPhone|iPad/, 'iOS'],
  [/Android/, 'Android'],
  [/Windows/, 'Windows'],
  [/Mac OS X/, 'macOS'],
  [/CrOS/, 'ChromeOS'],
  [/Linux/, 'Linux'],
];

const firstNamed = (table: [RegExp, string][], header: string) => table.find(([pattern]) => pattern.test(header))?.[1];

/** A readable device name from a User-Agent header ("Firefox on Windows"). */
export function deviceName(userAgent: string | undefined): string {
  const header = userAgent ?? '';
  const browser = firstNamed(browsers, header);
  const system = firstNamed(systems, header);
  if (browser === undefined) return system === undefined ? 'Unknown device' : `App on ${system}`;
  return system === undefined ? browser : `${browser} on ${system}`;
}
