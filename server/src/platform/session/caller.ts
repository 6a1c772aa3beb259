import { CompiledQuery } from 'kysely';
import type pg from 'pg';
import type { ProfileDetails } from '#contract/profiles/profile-details.ts';
import type { Gender } from '#contract/profiles/gender.ts';
import type { StaffRole } from '#contract/profiles/user.ts';
import { inBatches } from '../db/batches.ts';
import type { Db } from '../db/db.ts';
import type { StoredPicture } from './pictures.ts';

/** The account behind a request, its session and all of its own profile: one row, one query. */
export interface Caller {
  sessionId: string;
  /** The session was opened, or raised since, by more than a password or an identity. */
  secondFactor: boolean;
  accountId: string;
  email: string;
  createdAt: Date;
  emailVerifiedAt: Date | null;
  staffRole: StaffRole | null;
  /** When the second factor goes by itself. */
  factorRemovalAt: Date | null;
  isVip: boolean;
  lastActiveAt: Date | number;
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
  showLastActive: boolean;
  details: Partial<ProfileDetails>;
  pictures: StoredPicture[];
  profileComplete: boolean;
  verificationSent: boolean;
}

/** The limit is for the planner; see `few` of the database. */
const callerQuery = `
  select s.id as "sessionId", s.second_factor as "secondFactor", a.id as "accountId", a.email, a.created_at as "createdAt",
    a.email_verified_at as "emailVerifiedAt", a.staff_role as "staffRole", a.factor_removal_at as "factorRemovalAt", a.is_vip as "isVip",
    r.last_active_at as "lastActiveAt", p.first_name as "firstName", p.last_name as "lastName", p.gender,
    p.gender_text as "genderText", p.birth_date as "birthDate", p.bio, p.seeking, p.city, p.country,
    p.latitude, p.longitude, p.show_last_active as "showLastActive", p.details, p.pictures, p.complete as "profileComplete",
    a.email_verified_at is null and exists (select from verification v where v.account_id = a.id) as "verificationSent"
  from (select unnest($1::uuid[]) as id limit $3) asked
    join session s on s.id = asked.id
    join account a on a.id = s.account_id
    join profile p on p.account_id = a.id
    join presence r on r.account_id = a.id
  where s.idle_expires_at > $2 and s.expires_at > $2
    and a.is_active and a.leaving_since is null`;

interface Asked {
  sessionId: string;
  now: Date;
}

type Load = (asked: Asked) => Promise<Caller | null>;
const loads = new WeakMap<pg.Pool, Load>();
const together = { atOnce: 1, most: 100 };

/** Callers of a pool are loaded together while it has much to do: every request begins so. */
function loadOver(pool: pg.Pool): Load {
  const known = loads.get(pool);
  if (known !== undefined) return known;
  const load = inBatches<Asked, Caller | null>(async (asked) => {
    const ids = [...new Set(asked.map(({ sessionId }) => sessionId))];
    const now = new Date(Math.max(...asked.map((one) => one.now.getTime())));
    const { rows } = await pool.query<Caller>({
      name: 'load-caller',
      text: callerQuery,
      values: [ids, now, ids.length],
    });
    const bySession = new Map(rows.map((row) => [row.sessionId, row]));
    return asked.map(({ sessionId }) => bySession.get(sessionId) ?? null);
  }, together);
  loads.set(pool, load);
  return load;
}

/**
 * The caller of a live session, or null: ended, expired, deactivated and leaving all look alike.
 * Read anew with each request, so that logout, deactivation and demotion act at once.
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

/** The caller behind a session that was opened in the running transaction. */
export async function loadNewCaller(tx: Db, sessionId: string, accountId: string, now: Date): Promise<Caller> {
  const result = await tx.executeQuery(CompiledQuery.raw(callerQuery, [[sessionId], now, 1]));
  const caller = result.rows[0] as Caller | undefined;
  if (caller?.accountId !== accountId) throw new Error('a session just opened cannot be read');
  return caller;
}

/** Whether the caller has proved the address and finished the profile; staff need neither. */
export function isCompleted(caller: Caller): boolean {
  return caller.staffRole !== null || (caller.emailVerifiedAt !== null && caller.profileComplete);
}

/** Whether the caller is staff who must have a second factor here, and has not shown one in this session. */
export function lacksSecondFactor({ staffMfa }: { staffMfa: boolean }, caller: Caller): boolean {
  return staffMfa && caller.staffRole !== null && !caller.secondFactor;
}
