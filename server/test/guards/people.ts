import { may, type Permission } from '#contract/roles.ts';
import type { StaffRole } from '#contract/staff-roles.ts';
import { hashPassword } from '../../src/features/auth/password/hashing.ts';
import { makeMember, type MemberOptions, type TestMember } from '../factories.ts';
import type { TestApp } from '../harness.ts';
import type { CallRequest, Scene } from './requests.ts';

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

/** The status that each role gets for an endpoint's regular request. */
export type Cells = Record<Role, number>;

export interface Row {
  cells: Cells;
  /** A member's request about another member's data. */
  others?: { status: number; request: (scene: Scene) => CallRequest | Promise<CallRequest> };
}

/** A row with the status of a member's request about another member's data. */
export const row = (cells: Cells, status: number, request: NonNullable<Row['others']>['request']): Row => ({
  cells,
  others: { status, request },
});

/** The same status for every staff role. */
export const allStaff = (status: number) => eachStaff(() => status);

/** The same status for every role. */
export const everyone = (status: number): Cells => ({
  visitor: status,
  member: status,
  unverified: status,
  incomplete: status,
  vip: status,
  ...allStaff(status),
  deactivated: status,
  leaving: status,
});
export const signedIn = (status: number): Cells => ({
  ...everyone(status),
  visitor: 401,
  deactivated: 401,
  leaving: 401,
});
export const completed = (status: number): Cells => ({ ...signedIn(status), unverified: 403, incomplete: 403 });

/** `status` for staff whose role has the permission; `refused` for everyone else. */
export const permitted = (permission: Permission, status: number): Cells => ({
  ...signedIn(403),
  ...staffWith(permission, status, 403),
});

/** One status for staff with a permission, another for those without. */
export const staffWith = (permission: Permission, status: number, refused: number) =>
  eachStaff((role) => (may(role, permission) ? status : refused));

export const memberOnly = (status: number): Cells => ({ ...signedIn(status), ...allStaff(403) });
