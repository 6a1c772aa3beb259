import { setTimeout as pause } from 'node:timers/promises';
import { CompiledQuery, sql } from 'kysely';
import type pg from 'pg';
import type { Gender, ProfileDetails } from '#contract/profiles/profile-details.ts';
import type { StaffRole } from '#contract/profiles/user.ts';
import { inBatches } from '../db/batches.ts';
import { type Db } from '../db/db.ts';
import { AppError } from '../http/app-error.ts';
import { keep } from '../process/bounded-map.ts';
import type { StoredPicture } from './pictures.ts';
import { createSecretKey, type KeyObject } from 'node:crypto';
import { jwtVerify, SignJWT } from 'jose';
import { accessTokenTtlSeconds, onlineWindowSeconds } from '#contract/constants.ts';
import { may, type Permission } from '#contract/roles.ts';
import { secondsAfter, type Clock } from '../process/clock.ts';

/** The parts of a profile that its owner writes. */
export interface CallerProfile {
  firstName: string | null;
  lastName: string | null;
  gender: Gender | null;
  genderText: string | null;
  birthDate: string | null;
  bio: string | null;
  seeking: Gender[];
  city: string | null;
  country: string | null;
  latitude: number | null;
  longitude: number | null;
  details: Partial<ProfileDetails>;
  pictures: StoredPicture[];
  profileComplete: boolean;
}

/** The account behind a request, its session and its whole profile: one row, one query. */
export interface Caller extends CallerProfile {
  sessionId: string;
  /** The session was opened or later confirmed with more than a password or an identity. */
  secondFactor: boolean;
  accountId: string;
  email: string;
  createdAt: Date;
  emailVerifiedAt: Date | null;
  staffRole: StaffRole | null;
  /** When the second factor will be removed. */
  factorRemovalAt: Date | null;
  /** When a change of address will be undone. */
  addressRestoreAt: Date | null;
  isVip: boolean;
  lastActiveAt: Date | number;
  showLastActive: boolean;
  /** Since when the profile is paused. */
  pausedAt: Date | null;
  verificationSent: boolean;
  /** The newest version of the terms that they agreed to. */
  agreedTerms: string | null;
}

const verificationSent = `a.email_verified_at is null and exists (select from verification v where v.account_id = a.id)`;
/** In the order of the text, whatever the database's own is. */
const agreedTerms = `(select max(t.version collate "C") from consent t where t.account_id = a.id and t.kind = 'terms')`;

/** What may change with each request, and a version that changes with each write to the rows of everything else. */
const checkedColumns = `s.id as "sessionId", r.last_active_at as "lastActiveAt",
  concat_ws(' ', s.xmin, a.xmin, p.xmin, ${verificationSent}, ${agreedTerms}) as version`;

const ownColumns: Record<keyof CallerProfile, string> = {
  firstName: 'first_name',
  lastName: 'last_name',
  gender: 'gender',
  genderText: 'gender_text',
  birthDate: 'birth_date',
  bio: 'bio',
  seeking: 'seeking',
  city: 'city',
  country: 'country',
  latitude: 'latitude',
  longitude: 'longitude',
  details: 'details',
  pictures: 'pictures',
  profileComplete: 'complete',
};

const callerColumns = `s.second_factor as "secondFactor", a.id as "accountId", a.email, a.created_at as "createdAt",
  a.email_verified_at as "emailVerifiedAt", a.staff_role as "staffRole", a.factor_removal_at as "factorRemovalAt",
  a.address_restore_at as "addressRestoreAt", a.is_vip as "isVip",
  ${Object.entries(ownColumns)
    .map(([name, column]) => `p.${column} as "${name}"`)
    .join(', ')},
  p.show_last_active as "showLastActive", p.paused_at as "pausedAt",
  ${verificationSent} as "verificationSent", ${agreedTerms} as "agreedTerms"`;

/** Columns of the callers of `sessions`, a table expression; those of deactivated and leaving accounts are missing. */
const callersOf = (columns: string, sessions: string) => `
  select ${columns} from ${sessions}
    join account a on a.id = s.account_id
    join profile p on p.account_id = a.id
    join presence r on r.account_id = a.id
  where a.is_active and a.leaving_since is null`;

/** The limit is for the planner; see `planHint`. */
const liveSessions = `(select unnest($1::uuid[]) as id limit $3) asked
    join session s on s.id = asked.id and s.idle_expires_at > $2 and s.expires_at > $2`;
const checkQuery = callersOf(checkedColumns, liveSessions);
const callerQuery = callersOf(`${checkedColumns}, ${callerColumns}`, liveSessions);
const absentQuery = callersOf(
  `s.id as "sessionId", r.last_active_at as "lastActiveAt", ${callerColumns}`,
  `(select '' as id, false as second_factor, $1::uuid as account_id) s`,
);

interface Asked {
  sessionId: string;
  now: Date;
}

type Load = (asked: Asked) => Promise<Caller | null>;
const loads = new WeakMap<pg.Pool, Load>();
/** Checks are quick, so they run one after the other, together; reading a caller may have to wait for the disk. */
const checking = { atOnce: 1, most: 100 };
const reading = { atOnce: 2, most: 20 };

type Checked = Pick<Caller, 'sessionId' | 'lastActiveAt'> & { version: string };

/** About 2 KB each. */
const keptMost = 10_000;

/** Rows of live sessions by their ids, in the order asked for; undefined for the others. */
const rowsBy =
  <Row extends Checked>(pool: pg.Pool, text: string) =>
  async (asked: Asked[]): Promise<(Row | undefined)[]> => {
    const ids = [...new Set(asked.map(({ sessionId }) => sessionId))];
    const now = new Date(Math.max(...asked.map((one) => one.now.getTime())));
    const { rows } = await pool.query<Row>(text, [ids, now, ids.length]);
    const found = new Map(rows.map((row) => [row.sessionId, row]));
    return asked.map(({ sessionId }) => found.get(sessionId));
  };

/**
 * Loads callers in batches while a pool is busy, because every request starts with one. Each time, the database says which sessions are
 * live, and the version of their rows; the rest is read again only when it has changed. Those who come back after a while are read
 * apart, so that no one else waits for them.
 */
function loadOver(pool: pg.Pool): Load {
  const known = loads.get(pool);
  if (known !== undefined) return known;
  const kept = new Map<string, Caller & Checked>();
  const check = inBatches(rowsBy<Checked>(pool, checkQuery), checking);
  const read = inBatches(rowsBy<Caller & Checked>(pool, callerQuery), reading);

  const load: Load = async (asked) => {
    const { sessionId } = asked;
    const before = kept.get(sessionId);
    const checked = before === undefined ? undefined : await check(asked);
    if (before !== undefined && checked?.version === before.version)
      return { ...before, lastActiveAt: checked.lastActiveAt };
    const isOver = before !== undefined && checked === undefined;
    const caller = isOver ? undefined : await read(asked);
    if (caller === undefined) kept.delete(sessionId);
    else keep(kept, sessionId, caller, keptMost);
    return caller ?? null;
  };
  loads.set(pool, load);
  return load;
}

/**
 * The caller of a live session, or null when it ended, expired, or its account is deactivated or leaving.
 * Loaded for every request, so that logout, deactivation and demotion take effect immediately.
 */
export async function loadCaller(
  pool: pg.Pool,
  sessionId: string,
  accountId: string,
  now: Date,
): Promise<Caller | null> {
  const caller = await loadOver(pool)({ sessionId, now });
  return caller?.accountId === accountId ? caller : null;
}

/** The caller of a session that was opened in the running transaction. */
export async function loadNewCaller(tx: Db, sessionId: string, accountId: string, now: Date): Promise<Caller> {
  const result = await tx.executeQuery(CompiledQuery.raw(callerQuery, [[sessionId], now, 1]));
  const caller = result.rows[0] as Caller | undefined;
  if (caller?.accountId !== accountId) throw new Error('a session just opened cannot be read');
  return caller;
}

/** A member as a caller without a session, for their work that continues in a job; null once the account is deactivated or leaving. */
export async function loadAbsent(db: Db, accountId: string): Promise<Caller | null> {
  const { rows } = await db.executeQuery(CompiledQuery.raw(absentQuery, [accountId]));
  return (rows[0] as Caller | undefined) ?? null;
}

/** Throws 403 with `message` for staff, who are hidden from members. */
export function requireMember({ staffRole }: Caller, message = "Staff accounts can't use matching"): void {
  if (staffRole !== null) throw new AppError('FORBIDDEN', message);
}

/** Throws 403 unless the caller's role has the permission. */
export function requirePermission({ staffRole }: Pick<Caller, 'staffRole'>, permission: Permission): void {
  if (!may(staffRole, permission)) throw new AppError('FORBIDDEN', 'You are not allowed to do this');
}

/** Whether the caller has verified the address and completed the profile; staff need neither. */
export function isCompleted(caller: Caller): boolean {
  return caller.staffRole !== null || (caller.emailVerifiedAt !== null && caller.profileComplete);
}

/** Whether the caller is staff, needs a second factor, and has not used one in this session. */
export function lacksSecondFactor({ staffMfa }: { staffMfa: boolean }, caller: Caller): boolean {
  return staffMfa && caller.staffRole !== null && !caller.secondFactor;
}

const issuer = 'heartwood';
const audience = 'heartwood-api';
const keyId = 'k1';
/** How far the clocks of processes may differ, in checks of a token's start and end. */
const toleranceSeconds = 5;
const aheadSeconds = 60;
/** Verifying a signature costs as much as the query that loads the caller, so a process does it once per token, and never for tokens it signed. */
const rememberedTokens = 20_000;
const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;

/** Whether `text` is a UUID, so that a query with it cannot fail on its type. */
export function isUuid(text: string): boolean {
  return uuid.test(text);
}

/** Signs and reads access tokens with an HS256 key. */
export interface AccessTokens {
  /** A token for 15 minutes from `now`. */
  sign(accountId: string, sessionId: string, now: Date): Promise<string>;
  /** The account and session of a token, or null if it is not ours, expired, from the future or of another kind. */
  read(token: string, now: Date): Promise<{ accountId: string; sessionId: string; endsAt: Date } | null>;
}

/** Access tokens over `secret` (at least 256 bits of text). */
export function createAccessTokens(secret: string): AccessTokens {
  const key: KeyObject = createSecretKey(Buffer.from(secret, 'utf8'));
  const remembered = new Map<string, Claims>();
  const remember = (token: string, claims: Claims) => keep(remembered, token, claims, rememberedTokens);
  const verify = async (token: string, now: Date) => {
    const claims = await verifiedClaims(token, key, now);
    if (claims !== null) remember(token, claims);
    return claims;
  };
  return {
    async sign(accountId, sessionId, now) {
      const iat = Math.floor(now.getTime() / 1000);
      const exp = iat + accessTokenTtlSeconds;
      const token = await new SignJWT({ sid: sessionId, typ: 'access' })
        .setProtectedHeader({ alg: 'HS256', kid: keyId })
        .setIssuer(issuer)
        .setAudience(audience)
        .setSubject(accountId)
        .setIssuedAt(iat)
        .setExpirationTime(exp)
        .sign(key);
      remember(token, { accountId, sessionId, iat, exp });
      return token;
    },
    read: async (token, now) => {
      const claims = remembered.get(token) ?? (await verify(token, now));
      if (claims === null) return null;
      // Checked on every read: the signature stays valid, the time does not.
      const seconds = now.getTime() / 1000;
      if (claims.exp <= seconds - toleranceSeconds || claims.iat > seconds + aheadSeconds) return null;
      return { accountId: claims.accountId, sessionId: claims.sessionId, endsAt: new Date(claims.exp * 1000) };
    },
  };
}

interface Claims {
  accountId: string;
  sessionId: string;
  iat: number;
  exp: number;
}

async function verifiedClaims(token: string, key: KeyObject, now: Date): Promise<Claims | null> {
  try {
    const { payload, protectedHeader } = await jwtVerify(token, key, {
      algorithms: ['HS256'],
      issuer,
      audience,
      currentDate: now,
      clockTolerance: toleranceSeconds,
      requiredClaims: ['sub', 'sid', 'typ', 'iat', 'exp'],
    });
    const { sub, sid, typ, iat, exp } = payload;
    if (protectedHeader.kid !== keyId || typ !== 'access') return null;
    if (typeof iat !== 'number' || typeof exp !== 'number') return null;
    if (typeof sub !== 'string' || typeof sid !== 'string' || !isUuid(sub) || !isUuid(sid)) return null;
    return { accountId: sub, sessionId: sid, iat, exp };
  } catch {
    return null;
  }
}

const noteAgainAfterMs = 30_000;

/** Collects recently active accounts and writes them in batches, so that no request waits for it. */
export interface ActivityLog {
  /** Records a signed-in request; `lastKnown` is the stored time when the caller was loaded. */
  note(accountId: string, lastKnown: Date | number): void;
  /**
   * Writes the recorded activity: at once, or spread over a time in milliseconds, because marking hundreds of members online at once keeps a
   * processor of the database from everyone else.
   */
  flush(overMs?: number): Promise<void>;
}

const writtenAtOnce = 50;

/** An activity log over `pool`; `flush` is called by the ticker and at shutdown. */
export function createActivityLog(pool: pg.Pool, clock: Clock): ActivityLog {
  const noted = new Map<string, Date>();

  async function writeSome(): Promise<void> {
    const some = [...noted].slice(0, writtenAtOnce);
    for (const [id] of some) noted.delete(id);
    // Sorted, so that two processes lock rows in the same order.
    const entries = some.sort(([a], [b]) => (a < b ? -1 : 1));
    await pool.query(
      `with seen as (select * from unnest($1::uuid[], $2::timestamptz[]) as s (id, at)),
       moved as (
         update presence p set last_active_at = seen.at, online = true from seen
         where p.account_id = seen.id and p.last_active_at < seen.at returning p.account_id
       )
       select logic.refresh_online(array_agg(m.account_id)) from moved m
       where not exists (select from online_member o where o.account_id = m.account_id) having count(*) > 0`,
      [entries.map(([id]) => id), entries.map(([, at]) => at)],
    );
  }

  return {
    note(accountId, lastKnown) {
      const now = clock.now();
      if (now.getTime() - Number(lastKnown) > noteAgainAfterMs) noted.set(accountId, now);
    },
    async flush(overMs = 0) {
      const writes = Math.ceil(noted.size / writtenAtOnce);
      // Another call may write the rest meanwhile.
      for (let written = 0; written < writes && noted.size > 0; written += 1) {
        await writeSome();
        if (overMs > 0 && written < writes - 1) await pause(overMs / writes, undefined, { ref: false });
      }
    },
  };
}

const sweptAtOnce = 2000;

/**
 * Marks members offline who made no request within the online window, at most a few thousand per call, so that no row stays locked for long. Times in
 * the future, written while a clock was ahead, become the present one; otherwise these members would stay online until then.
 */
export async function sweepPresence(db: Db, now: Date): Promise<void> {
  await sql`
    with ahead as (
      update presence set last_active_at = ${now} where account_id in (
        select account_id from presence where last_active_at > ${secondsAfter(now, aheadSeconds)}
        order by last_active_at desc limit ${sweptAtOnce} for update skip locked
      )
    ), gone as (
      update presence set online = false where account_id in (
        select account_id from presence where online and last_active_at < ${secondsAfter(now, -onlineWindowSeconds)}
        order by last_active_at limit ${sweptAtOnce} for update skip locked
      ) returning account_id
    )
    select logic.refresh_online(array_agg(account_id)) from gone having count(*) > 0`.execute(db);
}
