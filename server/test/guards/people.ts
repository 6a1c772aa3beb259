import type { StaffRole } from '#contract/roles.ts';
import { hashPassword } from '../../src/features/auth/password/hashing.ts';
import { makeMember, type MemberOptions, type TestMember } from '../factories.ts';
import type { TestApp } from '../harness.ts';

export const roles = [
  'visitor',
  'member',
  'unverified',
  'incomplete',
  'vip',
  'analyst',
  'support',
  'moderator',
  'senior',
  'billing',
  'auditor',
  'administrator',
  'owner',
  'deactivated',
  'leaving',
] as const;
export type Role = (typeof roles)[number];

export const password = 'correct horse battery';
export const newPassword = 'another fine secret';

let sharedHash: Promise<string> | undefined;
/** The hash of `password`, computed once. */
export const passwordHash = (): Promise<string> => (sharedHash ??= hashPassword(password));

/** The guards' names of the staff roles. */
export const staffPeople = {
  analyst: 'analyst',
  support: 'support',
  moderator: 'moderator',
  senior: 'senior',
  billing: 'billing',
  auditor: 'auditor',
  administrator: 'admin',
  owner: 'owner',
} as const satisfies Partial<Record<Role, StaffRole>>;

/** Builds a record with one value per staff role, using the guards' names. */
export const eachStaff = <T>(of: (role: StaffRole) => T) =>
  Object.fromEntries(Object.entries(staffPeople).map(([name, role]) => [name, of(role)])) as Record<
    keyof typeof staffPeople,
    T
  >;

const made: Record<Exclude<Role, 'visitor'>, MemberOptions> = {
  member: {},
  unverified: { verified: false },
  incomplete: { gender: null },
  vip: { vip: true },
  ...eachStaff((staffRole) => ({ staffRole })),
  deactivated: { deactivated: 'Asked others for money' },
  leaving: { leaving: true },
};

let addresses = 0;
/** An unused address. */
export function newAddress(): string {
  addresses += 1;
  return `newcomer-${addresses}@example.test`;
}

/** A new account of this role, with `password` and an unrestricted session; null for a visitor. */
export async function makePerson(test: TestApp, role: Role, options: MemberOptions = {}): Promise<TestMember | null> {
  if (role === 'visitor') return null;
  return await makeMember(test, { ...made[role], passwordHash: await passwordHash(), ...options });
}
