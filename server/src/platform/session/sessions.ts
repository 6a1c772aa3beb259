import { randomUUID } from 'node:crypto';
import {
  memberSessionIdleDays,
  memberSessionMaxDays,
  staffSessionIdleMinutes,
  staffSessionMaxHours,
} from '#contract/constants.ts';
import { msg } from '@lingui/core/runtime-macro';
import { type RawBuilder, sql } from 'kysely';
import type { AccessTokens } from './access-tokens.ts';
import { unauthenticated } from '../http/app-error.ts';
import { secondsAfter } from '../process/clock.ts';
import { inTransaction, type Db } from '../db/db.ts';
import { hashToken, newToken } from '../config/secrets.ts';
import { storedText, textOf } from '../texts.ts';

/** The tokens that a device receives when it signs in or refreshes. */
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

/** When a session that is used now expires if it stays unused, and when a session opened now expires in any case. */
export function lifetimes(isStaff: boolean, now: Date): { idleUntil: Date; until: Date } {
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

/** When the house's provider confirmed someone, and the encrypted grant for the next check; null if it issued none. */
export interface HouseStamp {
  confirmedAt: Date;
  grant: Buffer | null;
}

/** Opens a session on `device`; returns its id and first pair of tokens. `house`: it was opened with the house's account. */
export async function openSession(
  tx: Db,
  account: { id: string; isStaff: boolean; hasSecondFactor?: boolean; house?: HouseStamp | undefined },
  device: Device,
  { tokens, now }: { tokens: AccessTokens; now: Date },
): Promise<TokenPair & { sessionId: string }> {
  const { idleUntil, until } = lifetimes(account.isStaff, now);
  const sessionId = randomUUID();
  await tx
    .insertInto('session')
    .values({
      id: sessionId,
      account_id: account.id,
      created_at: now,
      last_used_at: now,
      idle_expires_at: idleUntil,
      expires_at: until,
      device: device.name,
      network: device.network,
      second_factor: account.hasSecondFactor ?? false,
      house_confirmed_at: account.house?.confirmedAt ?? null,
      house_asked_at: account.house?.confirmedAt ?? null,
      house_grant: account.house?.grant ?? null,
    })
    .execute();
  return { sessionId, ...(await issuePair(tx, tokens, { accountId: account.id, sessionId }, now)) };
}

async function issuePair(
  tx: Db,
  tokens: AccessTokens,
  { accountId, sessionId }: Record<'accountId' | 'sessionId', string>,
  now: Date,
): Promise<TokenPair> {
  const refreshToken = newToken();
  await tx
    .insertInto('refresh_token')
    .values({
      token_hash: hashToken(refreshToken),
      session_id: sessionId,
      issued_at: now,
    })
    .execute();
  return { token: await tokens.sign(accountId, sessionId, now), refreshToken };
}

/** Ends all sessions of an account, or all but `exceptSessionId`; returns how many. */
export async function endSessions(db: Db, accountId: string, exceptSessionId: string | null = null): Promise<number> {
  let query = db.deleteFrom('session').where('account_id', '=', accountId);
  if (exceptSessionId !== null) query = query.where('id', '!=', exceptSessionId);
  return (await query.returning('id').execute()).length;
}

/** Sessions and their tokens per statement, so that each statement stays far below its time limit. */
const endedAtOnce = 1000;
const noId = '00000000-0000-0000-0000-000000000000';

/** Ends everyone's sessions, page by page while `isWanted` holds; returns how many. */
export async function endEverySession(db: Db, isWanted: RawBuilder<unknown> = sql`true`): Promise<number> {
  let ended = 0;
  let after = noId;
  for (;;) {
    const page = await inTransaction(db, (tx) => endPage(tx, after, isWanted));
    ended += page.ended;
    // A session may get a new id in the meantime, which may be one of those already passed.
    if (page.last === null && after === noId) return ended;
    after = page.last ?? noId;
  }
}

async function endPage(tx: Db, after: string, isWanted: RawBuilder<unknown>) {
  const { rows } = await sql<{ last: string | null; ended: number }>`
    with page as materialized (
        select id from session where id > ${after} and ${isWanted} order by id limit ${endedAtOnce}),
      gone as (delete from session using page where session.id = page.id returning session.id)
    select (select id from page order by id desc limit 1) as last,
      (select count(*)::int from gone) as ended`.execute(tx);
  return rows[0] ?? { last: null, ended: 0 };
}

/**
 * Marks a session as confirmed by a second factor. The first time, it gets and returns a new id and new tokens, so that
 * copies of the old tokens become worthless. 401 if the session has just ended.
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
  return await renewSession(tx, sessionId, { second_factor: true }, { tokens, now });
}

/**
 * Gives a session whose privileges were raised a new id and new tokens, which replace its earlier ones; 401 if it has
 * just ended.
 */
export async function renewSession(
  tx: Db,
  sessionId: string,
  raised: { second_factor: true } | { confirmed_at: Date },
  { tokens, now }: { tokens: AccessTokens; now: Date },
): Promise<TokenPair> {
  // The session is locked first, as when its tokens are exchanged.
  await tx.selectFrom('session').select('id').where('id', '=', sessionId).forUpdate().execute();
  await tx.deleteFrom('refresh_token').where('session_id', '=', sessionId).execute();
  const renewed = await tx
    .updateTable('session')
    .set({ id: sql<string>`gen_random_uuid()`, last_used_at: now, ...raised })
    .where('id', '=', sessionId)
    .returning(['id', 'account_id'])
    .executeTakeFirst();
  if (renewed === undefined) throw unauthenticated();
  return await issuePair(tx, tokens, { accountId: renewed.account_id, sessionId: renewed.id }, now);
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

/** A readable English device name from a User-Agent header ("Firefox on Windows"). */
export function deviceName(userAgent: string | undefined): string {
  const header = userAgent ?? '';
  const browser = firstNamed(browsers, header);
  const system = firstNamed(systems, header);
  if (browser === undefined) return system === undefined ? textOf(unknown, {}, 'en') : `App on ${system}`;
  return system === undefined ? browser : `${browser} on ${system}`;
}

const unknown = msg`Unknown device`;

/** The name of a device, which is stored in English, in the reader's language. */
export function deviceText(name: string): string {
  const [browser = '', system] = name.split(' on ');
  if (system === undefined) return storedText(name);
  return textOf(browser === 'App' ? msg`App on ${{ system }}` : msg`${{ browser }} on ${{ system }}`);
}

/** Throws 401 if the session ended while someone else had locked the account; otherwise the session can't end before the commit. */
export async function requireSession(tx: Db, sessionId: string): Promise<void> {
  const session = await tx
    .selectFrom('session')
    .select('id')
    .where('id', '=', sessionId)
    .forKeyShare()
    .executeTakeFirst();
  if (session === undefined) throw unauthenticated();
}
