import { msg } from '@lingui/core/runtime-macro';
import { CompiledQuery } from 'kysely';
import type { Language } from '#contract/languages.ts';
import type { Gender, ProfileDetails } from '#contract/profiles/profile-details.ts';
import { may, type Permission } from '#contract/roles.ts';
import type { StaffRole } from '#contract/staff-roles.ts';
import type { Db } from '../db/db.ts';
import { AppError } from '../http/app-error.ts';
import type { StoredPicture } from './pictures.ts';

/** The account of a request and its session: one row, one query. */
export interface Caller {
  sessionId: string;
  /** The session was opened or later confirmed with more than a password or an identity. */
  secondFactor: boolean;
  accountId: string;
  email: string;
  createdAt: Date;
  emailVerifiedAt: Date | null;
  staffRole: StaffRole | null;
  language: Language;
  /** When the second factor will be removed. */
  factorRemovalAt: Date | null;
  /** When a change of address will be undone. */
  addressRestoreAt: Date | null;
  isVip: boolean;
  lastActiveAt: Date | number;
  firstName: string | null;
  lastName: string | null;
  seeking: Gender[];
  country: string | null;
  latitude: number | null;
  longitude: number | null;
  profileComplete: boolean;
  showLastActive: boolean;
  /** Since when the profile has been paused. */
  pausedAt: Date | null;
  /** Since when the member has been photo verified. */
  photoVerifiedAt: Date | null;
}

/** The parts of a profile that its owner writes. */
export interface CallerProfile extends Pick<
  Caller,
  'firstName' | 'lastName' | 'seeking' | 'country' | 'latitude' | 'longitude' | 'profileComplete'
> {
  gender: Gender | null;
  genderText: string | null;
  birthDate: string | null;
  bio: string | null;
  city: string | null;
  details: Partial<ProfileDetails>;
  pictures: StoredPicture[];
}

/** The caller with the whole profile, which only calls about one's own profile read. */
export interface Owner extends Caller, CallerProfile {
  verificationSent: boolean;
  /** The newest version of the terms that the member accepted. */
  agreedTerms: string | null;
}

/** The source of each field: `s` is the session, `a` the account, `p` the profile and `r` the presence. */
const callerSources: Record<keyof Caller, string> = {
  sessionId: 's.id',
  secondFactor: 's.second_factor',
  accountId: 'a.id',
  email: 'a.email',
  createdAt: 'a.created_at',
  emailVerifiedAt: 'a.email_verified_at',
  staffRole: 'a.staff_role',
  language: 'a.language',
  factorRemovalAt: 'a.factor_removal_at',
  addressRestoreAt: 'a.address_restore_at',
  isVip: 'a.is_vip',
  firstName: 'p.first_name',
  lastName: 'p.last_name',
  seeking: 'p.seeking',
  country: 'p.country',
  latitude: 'p.latitude',
  longitude: 'p.longitude',
  profileComplete: 'p.complete',
  showLastActive: 'p.show_last_active',
  pausedAt: 'p.paused_at',
  photoVerifiedAt: 'p.photo_verified_at',
  lastActiveAt: 'r.last_active_at',
};

const ownerSources: Record<keyof Owner, string> = {
  ...callerSources,
  verificationSent: '(a.email_verified_at is null and exists (select from verification v where v.account_id = a.id))',
  // Compared as text, whatever the database's own collation is.
  agreedTerms: `(select max(t.version collate "C") from consent t where t.account_id = a.id and t.kind = 'terms')`,
  gender: 'p.gender',
  genderText: 'p.gender_text',
  birthDate: 'p.birth_date',
  bio: 'p.bio',
  city: 'p.city',
  details: 'p.details',
  pictures: 'p.pictures',
};

/** A query for these fields of the callers of `sessions`, a table expression; it omits deactivated and leaving accounts. */
const callersOf = (
  fields: Record<string, string>,
  sessions: string,
  isWelcome = 'a.is_active and a.leaving_since is null',
): string => `
  select ${Object.entries(fields)
    .map(([name, source]) => `${source} as "${name}"`)
    .join(', ')}
  from ${sessions}
    join account a on a.id = s.account_id and ${isWelcome}
    join profile p on p.account_id = a.id
    join presence r on r.account_id = a.id`;

const isLive = 'where s.id = $1 and s.account_id = $2 and least(s.idle_expires_at, s.expires_at) > $3';
const callerQuery = `${callersOf(callerSources, 'session s')} ${isLive}`;
const ownerQuery = `${callersOf(ownerSources, 'session s')} ${isLive}`;
const absentQuery = callersOf(
  ownerSources,
  `(select '' as id, false as second_factor, $1::uuid as account_id) s`,
  'a.leaving_since is null and (a.is_active or $2)',
);

/**
 * The caller of a live session of this account, or null if it ended or expired, or the account is deactivated or
 * leaving. Read for every request, so that logout, deactivation and demotion take effect immediately.
 */
export async function loadCaller(db: Db, sessionId: string, accountId: string, now: Date): Promise<Caller | null> {
  const { rows } = await db.executeQuery<Caller>(CompiledQuery.raw(callerQuery, [sessionId, accountId, now]));
  return rows[0] ?? null;
}

/** Like `loadCaller`, with the whole profile. */
export async function loadOwner(db: Db, sessionId: string, accountId: string, now: Date): Promise<Owner | null> {
  const { rows } = await db.executeQuery<Owner>(CompiledQuery.raw(ownerQuery, [sessionId, accountId, now]));
  return rows[0] ?? null;
}

/**
 * A caller without a session, for work that continues in a job; null once the account is leaving or deactivated. With `orLockedOut`,
 * deactivated accounts are also found, because their owners have rights that need no sign-in.
 */
export async function loadAbsent(db: Db, accountId: string, orLockedOut = false): Promise<Owner | null> {
  const { rows } = await db.executeQuery<Owner>(CompiledQuery.raw(absentQuery, [accountId, orLockedOut]));
  return rows[0] ?? null;
}

/** Throws 403 with `text` for staff, who are hidden from members. */
export function requireMember({ staffRole }: Caller, text = msg`Staff accounts can't use matching`): void {
  if (staffRole !== null) throw new AppError('FORBIDDEN', text);
}

/** Throws 403 unless the caller's role has the permission. */
export function requirePermission({ staffRole }: Pick<Caller, 'staffRole'>, permission: Permission): void {
  if (!may(staffRole, permission)) throw new AppError('FORBIDDEN', msg`You are not allowed to do this`);
}

/** Whether the caller has verified the address and completed the profile; staff need neither. */
export function isCompleted(caller: Caller): boolean {
  return caller.staffRole !== null || (caller.emailVerifiedAt !== null && caller.profileComplete);
}

/** Whether the caller is staff, needs a second factor, and has not used one in this session. */
export function lacksSecondFactor({ staffMfa }: { staffMfa: boolean }, caller: Caller): boolean {
  return staffMfa && caller.staffRole !== null && !caller.secondFactor;
}
