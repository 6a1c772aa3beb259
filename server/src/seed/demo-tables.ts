import type pg from 'pg';
import { termsVersion } from '#contract/constants.ts';
import { copyRows, type TableRows } from './copy-rows.ts';
import type { DemoMember } from './demo-member.ts';

const account: TableRows<DemoMember> = {
  table: 'account',
  columns: [
    'id',
    'email',
    'password_hash',
    'password_suits_staff',
    'created_at',
    'email_verified_at',
    'staff_role',
    'is_active',
    'deactivated_at',
    'deactivation_reason',
    'leaving_since',
  ],
  cells: (member) => [
    member.id,
    member.email,
    member.passwordHash,
    member.passwordHash !== null,
    member.createdAt,
    member.emailVerifiedAt,
    member.staffRole,
    member.deactivatedAt === null,
    member.deactivatedAt,
    member.deactivationReason,
    member.leavingSince,
  ],
};

const presence: TableRows<DemoMember> = {
  table: 'presence',
  columns: ['account_id', 'last_active_at', 'online', 'is_active', 'is_vip', 'is_verified'],
  cells: (member) => [
    member.id,
    member.lastActiveAt ?? '-infinity',
    member.online,
    member.deactivatedAt === null,
    member.isVip,
    member.emailVerifiedAt !== null,
  ],
};

const profile: TableRows<DemoMember> = {
  table: 'profile',
  columns: [
    'account_id',
    'first_name',
    'last_name',
    'gender',
    'gender_text',
    'birth_date',
    'bio',
    'seeking',
    'city',
    'country',
    'latitude',
    'longitude',
    'show_last_active',
    'details',
    'picture_count',
  ],
  cells: (member) => [
    member.id,
    member.firstName,
    member.lastName,
    member.gender,
    member.genderText,
    member.birthDate,
    member.bio,
    member.seeking,
    member.place?.city ?? null,
    member.place?.country ?? null,
    member.place?.latitude ?? null,
    member.place?.longitude ?? null,
    member.showLastActive,
    JSON.stringify(member.details),
    // A large demo is without pictures, yet its profiles are whole; elsewhere the pictures' trigger counts.
    member.seeking.length > 0 ? 1 : 0,
  ],
};

const consent: TableRows<DemoMember> = {
  table: 'consent',
  columns: ['account_id', 'kind', 'version', 'accepted_at'],
  cells: (member) => [member.id, 'terms', termsVersion, member.createdAt],
};

/**
 * Writes `members`. The directory's row is made by the profile's trigger from account and presence, so it comes after both
 * and is made once.
 */
export async function copyMembers(client: pg.ClientBase, members: readonly DemoMember[]): Promise<void> {
  for (const rows of [account, presence, profile, consent]) await copyRows(client, rows, members);
}
