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
  const session = await tx
    .insertInto('session')
    .values({
      account_id: account.id,
      created_at: now,
      last_used_at: now,
      idle_expires_at: idleUntil,
      expires_at: until,
      device: device.name,
      network: device.network,
      second_factor: secondFactor,
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  return { sessionId: session.id, ...(await issuePair(tx, tokens, account.id, session.id, now)) };
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
  const outcome = await inTransaction(db, async (tx): Promise<TokenPair | 'refused' | 'reused'> => {
    const claimed = await tx
      .updateTable('refresh_token')
      .set({ used_at: now, retry_key_hash: retryKey === null ? null : hashToken(retryKey) })
      .where('token_hash', '=', hash)
      .where('used_at', 'is', null)
      .returning('session_id')
      .executeTakeFirst();
    if (claimed === undefined) return replay(tx, hash, refreshToken, retryKey, now);
    const session = await tx
      .selectFrom('session')
      .innerJoin('account', 'account.id', 'session.account_id')
      .select([
        'session.account_id',
        'session.expires_at',
        'session.idle_expires_at',
        'account.staff_role',
        'account.is_active',
        'account.leaving_since',
      ])
      .where('session.id', '=', claimed.session_id)
      .executeTakeFirst();
    if (session === undefined || !session.is_active || session.leaving_since !== null) return 'refused';
    if (session.expires_at <= now || session.idle_expires_at <= now) return 'refused';
    const { idleUntil } = lifetimes(session.staff_role !== null, now);
    await tx
      .updateTable('session')
      .set({ last_used_at: now, idle_expires_at: idleUntil })
      .where('id', '=', claimed.session_id)
      .execute();
    const pair = await issuePair(tx, tokens, session.account_id, claimed.session_id, now);
    if (retryKey !== null) {
      await tx
        .updateTable('refresh_token')
        .set({ sealed_answer: seal(retryKey + refreshToken, JSON.stringify(pair)) })
        .where('token_hash', '=', hash)
        .execute();
    }
    return pair;
  });
  if (outcome === 'refused') throw unauthenticated();
  if (outcome === 'reused') {
    await endStolenSession(db, hash, onReuse);
    throw unauthenticated();
  }
  return outcome;
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

async function replay(
  tx: Db,
  hash: Buffer,
  refreshToken: string,
  retryKey: string | null,
  now: Date,
): Promise<TokenPair | 'refused' | 'reused'> {
  const used = await tx.selectFrom('refresh_token').selectAll().where('token_hash', '=', hash).executeTakeFirst();
  if (used === undefined) return 'refused';
  const isRetry =
    retryKey !== null &&
    used.retry_key_hash?.equals(hashToken(retryKey)) === true &&
    used.sealed_answer !== null &&
    used.used_at !== null &&
    now.getTime() - used.used_at.getTime() <= refreshRetryWindowSeconds * 1000;
  if (!isRetry || used.sealed_answer === null) return 'reused';
  return JSON.parse(unseal(retryKey + refreshToken, used.sealed_answer)) as TokenPair;
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
